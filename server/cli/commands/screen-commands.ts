// Sends a command to screens through the content service, and waits for what they report.

import { setTimeout as pause } from "node:timers/promises";
import type { SchemasV3 } from "../../client/client.ts";
import { Failure } from "../../core/failure.ts";
import type { Outcome } from "../command.ts";
import { dataOf, type ServiceConnection } from "../connection.ts";
import { counted, tableText } from "../output/text.ts";

type SentCommand = SchemasV3["Command"];
type SendCommands = SchemasV3["SendCommands"];

const waitMs = 60_000;
const pollMs = 1000;
/** As many results as the service lists at once (V3-83). */
const maxWaited = 500;

export interface SentTo {
  readonly body: SendCommands;
  /** Names of all its screens by their identifiers. */
  readonly names: ReadonlyMap<string, string>;
  readonly wait: boolean | undefined;
}

/** Sent to all of them or to none. With `wait`, the outcome fails if a screen does not carry it out. */
export async function sendCommand(
  service: ServiceConnection,
  { body, names, wait }: SentTo,
): Promise<Outcome> {
  const { client } = service;
  if (wait && names.size > maxWaited)
    throw new Failure(
      "malformed",
      `--wait shows the results of up to ${maxWaited} screens. Leave it out, or name fewer screens.`,
    );
  const action = await dataOf(
    service,
    client.POST("/screens/commands/", { body }),
  );
  const commands = wait
    ? await settled(service, action.id, action.commands)
    : action.commands;
  const failed = commands.filter(({ state }) => state !== "done");
  const sent = counted(commands.length, "screen", "screens");
  const text = wait
    ? resultsText(commands, names)
    : `Sent to ${sent}. Add --wait to see the result.`;
  return {
    data: { id: action.id, commands },
    text,
    isFailed: wait === true && failed.length > 0,
  };
}

async function settled(
  service: ServiceConnection,
  id: string,
  sent: readonly SentCommand[],
): Promise<readonly SentCommand[]> {
  const until = service.now() + waitMs;
  let commands = sent;
  const isPending = ({ state }: SentCommand): boolean =>
    state === "waiting" || state === "received";
  while (commands.some(isPending) && service.now() < until) {
    await pause(pollMs);
    commands = await dataOf(
      service,
      service.client.GET("/screens/commands/", {
        params: { query: { action: [id] } },
      }),
    );
  }
  return commands;
}

function resultsText(
  commands: readonly SentCommand[],
  names: ReadonlyMap<string, string>,
): string {
  return tableText(
    ["SCREEN", "RESULT", "REASON"],
    commands.map(({ screen_id, state, message }) => [
      ...[names.get(screen_id) ?? screen_id, state, message ?? ""],
    ]),
    "No screens.",
  );
}
