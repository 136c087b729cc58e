// The end of a Windows session (shutdown, restart, logoff): recorded as a requested end, and everything open is closed.

import type { RunRecord } from "./safe-mode.ts";

export interface SessionWindow {
  on(event: "query-session-end", listener: () => void): unknown;
  on(event: "session-end", listener: () => void): unknown;
}

export interface SessionEnd {
  readonly record: Pick<RunRecord, "begin" | "end">;
  /** The system ends this process and its children as soon as it returns; asynchronous work may be cut off. */
  putAway(): void;
}

/** Another app may block the end of the session; after this long it did, and a crash counts again. */
const refusedAfterMs = 60_000;

/**
 * Electron emits neither `before-quit` nor `quit` then. No window ever blocks the end of the session: an unattended PC would be
 * stuck at Windows' question (V2-696).
 */
export function endWithSession(
  window: SessionWindow,
  { record, putAway }: SessionEnd,
): void {
  let refusal: NodeJS.Timeout | undefined;
  window.on("query-session-end", () => {
    record.end();
    clearTimeout(refusal);
    refusal = setTimeout(() => record.begin(), refusedAfterMs);
  });
  window.on("session-end", () => {
    clearTimeout(refusal);
    putAway();
  });
}
