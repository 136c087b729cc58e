// What became of a command for many screens: how many are in each state, and those to look at (V3-83, V3-122).

import type { ActionResultsView } from "../ipc/ipc-screens.ts";
import { Failure } from "../../core/failure.ts";
import {
  screenCommandStateV3,
  screenCommandTotalsV3,
  type ScreenCommandStateV3,
  type ScreenCommandTotalsV3,
} from "../v3/v3-screens.ts";
import { queryText } from "./query-text.ts";
import { expected, rowsIn } from "./response-rows.ts";
import type { ScreenService } from "./screen-service.ts";

export async function actionResults(
  service: ScreenService,
  actionId: string,
): Promise<ActionResultsView> {
  const list = async (states: readonly string[] = []) => {
    const query = queryText([
      ["action", actionId],
      ...states.map((state) => ["state", state] as const),
    ]);
    const path = `/screens/commands/?${query}`;
    return rowsIn(screenCommandStateV3, await service.request("GET", path));
  };
  const commands = await list();
  const totals = await totalsOf(service, actionId, commands);
  const count = Object.values(totals).reduce((sum, each) => sum + each, 0);
  if (count <= commands.length) return { totals, commands };
  const failed = await list(["failed", "expired"]);
  const known = new Set(failed.map(({ id }) => id));
  return {
    totals,
    commands: [...failed, ...commands.filter(({ id }) => !known.has(id))],
  };
}

/** An earlier service has no totals: of what it lists. */
async function totalsOf(
  service: ScreenService,
  actionId: string,
  commands: readonly ScreenCommandStateV3[],
): Promise<ScreenCommandTotalsV3> {
  const query = queryText([["action", actionId]]);
  try {
    return expected(
      screenCommandTotalsV3,
      await service.request("GET", `/screens/commands/totals/?${query}`),
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "not-found") throw error;
    const totals = { waiting: 0, received: 0, done: 0, failed: 0, expired: 0 };
    for (const { state } of commands) totals[state] += 1;
    return totals;
  }
}
