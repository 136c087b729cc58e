// End of a Windows session: the events of the windows, and what is on disk when the process is cut off right after.

import { EventEmitter } from "node:events";
import { afterEach, expect, it, vi } from "vitest";
import { openRunRecord } from "../../../electron/lifecycle/safe-mode.ts";
import { endWithSession } from "../../../electron/lifecycle/session-end.ts";
import { temporaryFolder } from "../../support/folder.ts";

const start = Date.UTC(2026, 5, 1, 12);
const minute = 60_000;

/** A run that begins at this minute; its process is gone as soon as the events were emitted. */
function runAt(dir: string, at: number, events: readonly string[]): number {
  const record = openRunRecord(dir, () => start + at * minute);
  record.begin();
  const window = new EventEmitter();
  let putAway = 0;
  endWithSession(window, { record, putAway: () => (putAway += 1) });
  for (const event of events) window.emit(event, { reasons: ["shutdown"] });
  return putAway;
}

const ordered = ["query-session-end", "session-end"];

afterEach(() => void vi.useRealTimers());

it.each([
  ["both events", ordered, null],
  ["only query-session-end, and is cut off", ["query-session-end"], null],
  ["neither", [], expect.stringContaining("5 times")],
])(
  "[V2-696] five restarts in ten minutes, each with %s",
  async (_what, events, safeMode) => {
    vi.useFakeTimers();
    const dir = await temporaryFolder();
    for (const at of [0, 1, 2, 3, 4]) runAt(dir, at, events);
    const next = openRunRecord(dir, () => start + 5 * minute);
    expect(next.safeMode).toEqual(safeMode);
  },
);

it("[V2-696] the app shuts down when the session really ends, not when Windows asks whether it may", async () => {
  vi.useFakeTimers();
  const dir = await temporaryFolder();
  expect(runAt(dir, 0, ["query-session-end"])).toBe(0);
  expect(runAt(dir, 1, ordered)).toBe(1);
});

it("[V2-696] counts a crash again where another app has blocked the end of the session", async () => {
  vi.useFakeTimers();
  const dir = await temporaryFolder();
  for (const at of [0, 1, 2, 3, 4]) {
    runAt(dir, at, ["query-session-end"]);
    vi.advanceTimersByTime(minute);
  }
  const next = openRunRecord(dir, () => start + 5 * minute);
  expect(next.safeMode).toContain("5 times");
});

it("[V2-696] never blocks the end of the session", async () => {
  vi.useFakeTimers();
  const record = openRunRecord(await temporaryFolder(), () => start);
  const window = new EventEmitter();
  endWithSession(window, { record, putAway: () => undefined });
  const preventDefault = vi.fn();
  for (const event of ordered) window.emit(event, { preventDefault });
  expect(preventDefault).not.toHaveBeenCalled();
});
