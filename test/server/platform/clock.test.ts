// Timers of any length.

import { expect, it } from "vitest";
import { systemClock } from "../../../server/platform/clock.ts";

it("a timer calls back when its time is over and not when cancelled", async () => {
  const calls: string[] = [];
  const callOff = systemClock.after(1, () => calls.push("called off"));
  callOff();
  systemClock.after(2 ** 40, () => calls.push("in 34 years"))();
  const startedAt = systemClock.monotonic();
  await new Promise<void>((resolve) => systemClock.after(20, resolve));
  expect(systemClock.monotonic() - startedAt).toBeGreaterThanOrEqual(19);
  expect(calls).toEqual([]);
});
