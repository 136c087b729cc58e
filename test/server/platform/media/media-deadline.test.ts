// When a process that reads a file is given up: by the processor time that it got, not by the clock alone.

import { expect, it, onTestFinished, vi } from "vitest";
import { startMediaDeadline } from "../../../../server/platform/media/media-deadline.ts";
import { processorMsOf } from "../../../../server/platform/process/process-stat.ts";

const timeoutMs = 1000;

/** After how many deadlines it is given up, if it gets this share of the processor; null if never within twenty. */
function roundsUntilLate(share: number | null): number | null {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const from = Date.now();
  let late: number | null = null;
  const deadline = startMediaDeadline(
    timeoutMs,
    () => (share === null ? null : 70 + (Date.now() - from) * share),
    () => (late ??= (Date.now() - from) / timeoutMs),
  );
  vi.advanceTimersByTime(20 * timeoutMs);
  deadline.cancel();
  return late;
}

it.each([
  ["computes all the time", 1, 1],
  ["computes half of the time", 0.5, 1],
  ["gets a quarter of the processor", 0.25, 2],
  ["gets a tenth of it", 0.1, 5],
  ["waits for something that never comes", 0, 6],
  ["cannot be measured", null, 1],
] as const)(
  "[V2-427] a process that %s is given up after its share of deadlines",
  (_what, share, rounds) => {
    expect(roundsUntilLate(share)).toBe(rounds);
  },
);

it("[V2-427] nobody is given up once the file has been read", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onLate = vi.fn();
  startMediaDeadline(timeoutMs, () => null, onLate).cancel();
  vi.advanceTimersByTime(20 * timeoutMs);
  expect(onLate).not.toHaveBeenCalled();
});

it.skipIf(process.platform !== "linux")(
  "[V2-427] the processor time of a process is what it has computed; none is known of one that has ended",
  () => {
    const before = processorMsOf(process.pid) ?? NaN;
    const { user, system } = process.cpuUsage();
    expect(Math.abs(before - (user + system) / 1000)).toBeLessThan(100);
    expect(processorMsOf(2 ** 30)).toBeNull();
    expect(processorMsOf(undefined)).toBeNull();
  },
);
