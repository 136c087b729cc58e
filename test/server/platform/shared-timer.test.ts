// Shared timer: occasional work runs at the same moment, so that an idle process wakes once for all of it.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  afterAbout,
  everyAbout,
  everySecond,
} from "../../../server/platform/shared-timer.ts";

const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

it("[V2-711] runs in one moment each second all work that is due by then, however it was scheduled", async () => {
  const moments = new Set<number>();
  const times = { second: 0, two: 0, five: 0, again: 0 };
  const note = (what: keyof typeof times) => (): void => {
    moments.add(performance.now());
    times[what] += 1;
  };
  ends.push(everySecond(note("second")));
  await vi.advanceTimersByTimeAsync(130);
  ends.push(everyAbout(2000, note("two")));
  await vi.advanceTimersByTimeAsync(410);
  ends.push(everyAbout(5000, note("five")));
  const again = (): void => {
    note("again")();
    stopAgain = afterAbout(4999, again);
  };
  let stopAgain = afterAbout(4999, again);
  ends.push(() => stopAgain());
  await vi.advanceTimersByTimeAsync(61_000);
  expect(moments.size).toBe(61);
  expect(times).toEqual({ second: 61, two: 30, five: 12, again: 12 });
});

it("[V2-711] is at most half a second early or late, and exact for short delays", async () => {
  ends.push(everySecond(() => undefined));
  for (const ms of [0, 300, 1499, 1500, 2000, 2700, 5000, 30_000])
    for (const from of [0, 1, 370, 499, 500, 501, 990]) {
      await vi.advanceTimersByTimeAsync(from);
      const pingedMs = performance.now();
      let cameMs = NaN;
      afterAbout(ms, () => (cameMs = performance.now()));
      await vi.advanceTimersByTimeAsync(ms + 1000);
      const offMs = Math.abs(cameMs - pingedMs - ms);
      expect(offMs, `${ms} ms`).toBeLessThanOrEqual(ms < 1500 ? 0 : 500);
    }
});

it("calls back nothing that was cancelled, even in the same moment, and has no timer left then", async () => {
  const called: string[] = [];
  const stopFirst = everySecond(() => {
    called.push("first");
    stopSecond();
  });
  const stopSecond = everySecond(() => called.push("second"));
  const stopThird = afterAbout(3000, () => called.push("third"));
  await vi.advanceTimersByTimeAsync(2000);
  stopThird();
  await vi.advanceTimersByTimeAsync(2000);
  stopFirst();
  expect(called).toEqual(["first", "first", "first", "first"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("runs every callback although another one fails", async () => {
  const failures: unknown[] = [];
  const caught = (error: unknown): void => void failures.push(error);
  const own = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", caught);
  ends.push(() => {
    process.off("uncaughtException", caught);
    for (const listener of own) process.on("uncaughtException", listener);
  });
  let calls = 0;
  ends.push(
    everySecond(() => {
      throw new Error("mine alone");
    }),
    everySecond(() => (calls += 1)),
  );
  await vi.advanceTimersByTimeAsync(2000);
  expect(calls).toBe(2);
  expect(failures).toHaveLength(2);
});

it("fires once after the machine slept, and not for each missed time", async () => {
  let calls = 0;
  ends.push(everyAbout(5000, () => (calls += 1)));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toBe(2);
  const { now } = performance;
  performance.now = () => now.call(performance) + 3_600_000;
  ends.push(() => (performance.now = now));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toBeLessThanOrEqual(5);
});
