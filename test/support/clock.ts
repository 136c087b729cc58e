// Manual clock: time that moves only on request.

import type { Clock } from "../../server/platform/clock.ts";

export interface ManualClock extends Clock {
  /** Moves both clocks on, calling due callbacks on the way in order, with the promises between them settled. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock only, as an operator or a time server does. */
  jumpTo(moment: number): void;
}

export function manualClock(startsAt = Date.UTC(2026, 0, 1)): ManualClock {
  let wall = startsAt;
  let steady = 0;
  let timers: { at: number; callback: () => void }[] = [];

  function after(ms: number, callback: () => void): () => void {
    const timer = { at: steady + ms, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((entry) => entry !== timer);
    };
  }

  return {
    now: () => wall,
    monotonic: () => steady,
    after,
    everySecond: (callback) => everySecondBy(after, callback),
    advance: async (ms) => {
      const end = steady + ms;
      await flushPromises();
      for (;;) {
        const next = timers
          .filter(({ at }) => at <= end)
          .sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((entry) => entry !== next);
        const passed = Math.max(0, next.at - steady);
        steady += passed;
        wall += passed;
        next.callback();
        await flushPromises();
      }
      wall += end - steady;
      steady = end;
    },
    jumpTo: (moment) => {
      wall = moment;
    },
  };
}

/** Every second of a clock that has only single timers. */
export function everySecondBy(
  after: Clock["after"],
  callback: () => void,
): () => void {
  let stop = after(1000, again);
  function again(): void {
    stop = after(1000, again);
    callback();
  }
  return () => stop();
}

/** Lets every promise settle that can do so without time passing. */
export function flushPromises(): Promise<void> {
  return new Promise((resolve) =>
    setImmediate(() => setImmediate(() => setImmediate(resolve))),
  );
}
