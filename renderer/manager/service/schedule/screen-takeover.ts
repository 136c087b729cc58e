// The takeover that covers a screen of a content service, from what its player reports and the commands that were sent to it.

import type { ScreenReport } from "../../../../server/contract/link/screen-report.ts";
import type { ScreenCommandStateV3 } from "../../../../server/contract/v3/v3-screens.ts";

export interface ScreenTakeover {
  readonly name: string;
  readonly sinceMs: number;
  /** Null: until it is stopped. */
  readonly untilMs: number | null;
  /** Who sent it; null if it was not sent from the service. */
  readonly by: string | null;
}

/** `commands` are those of the screen, the newest first. */
export function takeoverOf(
  report: Pick<ScreenReport, "showing"> | null,
  commands: readonly ScreenCommandStateV3[],
  now: number,
): ScreenTakeover | null {
  const showing = report?.showing;
  if (showing?.reason !== "takeover") return null;
  const last = commands.find(
    ({ kind, state }) =>
      (kind === "takeover" || kind === "end-takeover") &&
      (state === "received" || state === "done"),
  );
  const sent = last?.kind === "takeover" ? last : null;
  // The asset tells one that was begun at the player meanwhile.
  const isSent =
    sent && (sent.arguments["asset_id"] ?? null) === showing.asset_id;
  const until = showing.until ?? (isSent ? sent.arguments["until"] : null);
  const untilMs = typeof until === "string" ? Date.parse(until) : null;
  // The player is offline since.
  if (untilMs !== null && untilMs <= now) return null;
  return {
    ...{ name: showing.name, sinceMs: Date.parse(showing.since), untilMs },
    by: isSent ? sent.issued_by : null,
  };
}
