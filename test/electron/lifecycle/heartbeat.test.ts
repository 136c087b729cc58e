// The heartbeat for an external watchdog lasts as long as something is on the screen, and no longer.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  createScreenLiveness,
  startHeartbeat,
  isParent,
} from "../../../electron/lifecycle/heartbeat.ts";
import { temporaryFolder } from "../../support/folder.ts";

it.each([
  ["again\n", true],
  ["ended\n", false],
])(
  "[V2-259] the final word is %j although a heartbeat is still being written",
  async (word, isRestartWanted) => {
    const heartbeat = path.join(await temporaryFolder(), "beats");
    startHeartbeat({ heartbeat }).ended(isRestartWanted);
    await expect
      .poll(() => process.getActiveResourcesInfo())
      .not.toContain("FSReqCallback");
    expect(await readFile(heartbeat, "utf8")).toBe(word);
  },
);

it("[V2-462] a minute without a showing stops the heartbeat, and a showing resumes it", () => {
  let nowMs = 0;
  const screen = createScreenLiveness(() => nowMs);
  /** Whether there was a heartbeat at each of these seconds. */
  const signs = (seconds: number) =>
    new Set(
      Array.from({ length: seconds }, () => {
        nowMs += 1000;
        return screen.isAlive();
      }),
    );
  // As long as the store opens, however long that takes.
  expect(signs(300)).toEqual(new Set([true]));
  let isShowing = false;
  screen.expectShowing(() => isShowing);
  expect(signs(60)).toEqual(new Set([true]));
  expect(signs(300)).toEqual(new Set([false]));
  isShowing = true;
  expect(signs(30)).toEqual(new Set([true]));
  isShowing = false;
  expect(signs(60)).toEqual(new Set([true]));
  expect(signs(1)).toEqual(new Set([false]));
});

it("[V2-698] a supervisor counts as present only while it lives: Windows keeps naming one that is gone", () => {
  expect(isParent(7, 7, () => true)).toBe(true);
  expect(isParent(7, 1, () => true)).toBe(false);
  expect(isParent(7, 7, () => false)).toBe(false);
  expect(isParent(process.ppid)).toBe(true);
});
