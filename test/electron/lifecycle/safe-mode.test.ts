// Run record and safe mode: which runs count as crashes, and when the next run starts in safe mode.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRunRecord } from "../../../electron/lifecycle/safe-mode.ts";
import { temporaryFolder } from "../../support/folder.ts";

const minute = 60_000;
const start = Date.UTC(2026, 5, 1, 12);

/** Runs that crash at these minutes; returns the safe mode of the next run at that minute. */
async function afterCrashesAt(
  minutes: readonly number[],
  next: number,
): Promise<string | null> {
  const dir = await temporaryFolder();
  for (const at of minutes)
    openRunRecord(dir, () => start + at * minute).begin();
  return openRunRecord(dir, () => start + next * minute).safeMode;
}

describe("the run record", () => {
  it("[V2-256] starts safe mode after five crashes in ten minutes, with a reason", async () => {
    const reason = await afterCrashesAt([0, 1, 2, 3, 4], 5);
    expect(reason).toContain("5 times within ten minutes");
  });

  it.each([
    ["four crashes", [0, 1, 2, 3], 4],
    ["five crashes in more than ten minutes", [0, 3, 6, 9, 12], 13],
    ["five crashes a while ago", [0, 1, 2, 3, 4], 15],
    ["none", [], 0],
  ])(
    "[V2-256] [V2-258] starts an ordinary run after %s",
    async (_what, crashes, next) => {
      expect(await afterCrashesAt(crashes, next)).toBeNull();
    },
  );

  it("[V2-258] returns the time until the last crash no longer counts", async () => {
    const dir = await temporaryFolder();
    for (const at of [0, 1, 2, 3, 4])
      openRunRecord(dir, () => start + at * minute).begin();
    const { quietInMs } = openRunRecord(dir, () => start + 5 * minute);
    expect(quietInMs).toBe(9 * minute);
  });

  it("[V2-256] [V2-258] dates a crash by the beginning of its run, however long that lasted", async () => {
    const dir = await temporaryFolder();
    for (const at of [0, 1, 2, 3, 4])
      openRunRecord(dir, () => start + at * minute).begin();
    const afterLongRun = openRunRecord(dir, () => start + 9 * minute);
    expect(afterLongRun.safeMode).toContain("5 times");
    expect(afterLongRun.quietInMs).toBe(5 * minute);
  });

  it("[L-51] reports how the run before this one ended", async () => {
    const dir = await temporaryFolder();
    const open = () => openRunRecord(dir, () => start);
    const first = open();
    expect(first.lastRunEnd).toBeNull();
    first.begin();
    const second = open();
    expect(second.lastRunEnd).toBe("unexpected");
    second.begin();
    second.end();
    expect(open().lastRunEnd).toBe("requested");
  });

  it("does not count a run that ended on request, nor one that never got a display", async () => {
    const dir = await temporaryFolder();
    const now = () => start;
    for (let run = 0; run < 8; run += 1) {
      const record = openRunRecord(dir, now);
      if (run % 2 === 0) record.begin();
      if (run % 2 === 0) record.end();
    }
    expect(openRunRecord(dir, now).safeMode).toBeNull();
  });

  it("ignores times in the future, after a clock that was set back", async () => {
    expect(await afterCrashesAt([60, 61, 62, 63, 64], 0)).toBeNull();
  });

  it("starts empty from a torn file, and in a folder that is not writable", async () => {
    const dir = await temporaryFolder();
    writeFileSync(path.join(dir, "runs.json"), '{"crashes":[1,');
    expect(openRunRecord(dir, () => start).safeMode).toBeNull();
    // A folder where the file should be: nothing can be written there.
    mkdirSync(path.join(dir, "away", "runs.json"), { recursive: true });
    const record = openRunRecord(path.join(dir, "away"), () => start);
    expect(() => record.begin()).not.toThrow();
  });
});
