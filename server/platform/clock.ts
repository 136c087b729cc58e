// Clock of the machine: wall-clock time, monotonic time, and timers of any length.

import { everySecond } from "./shared-timer.ts";

/** Wall-clock time for schedules, monotonic time for durations; both in milliseconds. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back after this many milliseconds; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back every second, until the returned function is called. */
  everySecond(callback: () => void): () => void;
}

/** Node's timers are limited to 31 bits of milliseconds and fire immediately beyond that. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: (): number => Date.now(),
  monotonic: (): number => performance.now(),
  after(ms: number, callback: () => void): () => void {
    const dueAt = performance.now() + ms;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const leftMs = dueAt - performance.now();
      // A timer may fire a fraction of a millisecond early.
      if (leftMs < 1) callback();
      else timer = setTimeout(wait, Math.min(leftMs, longestTimerMs));
    };
    timer = setTimeout(wait, Math.min(Math.max(0, ms), longestTimerMs));
    return () => clearTimeout(timer);
  },
  everySecond,
};

/** Resolves after this time; rejects immediately when it is aborted. */
export function pause(
  clock: Pick<typeof systemClock, "after">,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      stop();
      reject(new DOMException("called off", "AbortError"));
    };
    const stop = clock.after(ms, () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}
