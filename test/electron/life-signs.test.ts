// Whoever watches from outside hears of the player as long as something is on the screen, and no longer.

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "../../electron/config.ts";
import { giveLifeSigns } from "../../electron/life-signs.ts";
import { temporaryFolder } from "../support/folder.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("[V2-462] a minute without a showing ends the signs of life; one that comes back begins them again", async () => {
  const dir = await temporaryFolder();
  const heartbeat = path.join(dir, "beats");
  const reading = readConfig(["--data-dir", dir], {
    VITRINE_HEARTBEAT: heartbeat,
  });
  if (!reading.ok) throw new Error(reading.message);
  const life = giveLifeSigns(reading.value);
  const beat = (): number => Number(readFileSync(heartbeat, "utf8"));
  let second = 1;
  /** So many seconds, each with its sign written where there is one. */
  const pass = async (seconds: number, areHeard: boolean): Promise<void> => {
    for (let count = 0; count < seconds; count += 1) {
      vi.advanceTimersByTime(1000);
      if (!areHeard) continue;
      second += 1;
      await vi.waitFor(() => expect(beat()).toBe(second));
    }
  };
  await vi.waitFor(() => expect(beat()).toBe(1));
  // As long as the store opens, however long that takes.
  await pass(90, true);
  let isShowing = false;
  life.expectShowing(() => isShowing);
  await pass(60, true);
  await pass(120, false);
  expect(beat()).toBe(second);
  isShowing = true;
  await pass(3, true);
  life.ended(false);
  expect(readFileSync(heartbeat, "utf8")).toBe("ended\n");
});
