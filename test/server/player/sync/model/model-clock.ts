// Clock of the model: it stands still until a sequence moves it; only short pauses within a run pass by themselves.

import type { Clock } from "../../../../../server/platform/clock.ts";
import { systemClock } from "../../../../../server/platform/clock.ts";
import { everySecondBy } from "../../../../support/clock.ts";

export interface ModelClock {
  /** For the sync: short pauses pass a hundred times as fast. */
  readonly sync: Clock;
  /** For the player: every timer waits until time is moved. */
  readonly player: Clock;
  now(): number;
  /** Time passes: what is due by then is called, each timer once. */
  advance(ms: number): void;
  /** Sets the wall clock alone. */
  set(ms: number): void;
  /** Pending timers are dropped. */
  forget(): void;
}

/** Pauses between two tries of a file and between progress reports. */
const shortMs = 4500;

export function createModelClock(): ModelClock {
  // A Thursday.
  let wall = Date.UTC(2026, 0, 1, 12);
  let steady = 0;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];

  function keep(ms: number, callback: () => void): () => void {
    const timer = { at: steady + ms, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((one) => one !== timer);
    };
  }

  const now = (): number => wall;
  const everySecond = (callback: () => void) => everySecondBy(keep, callback);
  return {
    now,
    sync: {
      now,
      monotonic: () => systemClock.monotonic() + steady,
      after: (ms, callback) =>
        ms <= shortMs
          ? systemClock.after(ms / 100, callback)
          : keep(ms, callback),
      everySecond,
    },
    player: { now, monotonic: () => steady, after: keep, everySecond },
    advance: (ms) => {
      wall += ms;
      steady += ms;
      const due = timers.filter(({ at }) => at <= steady);
      timers = timers.filter(({ at }) => at > steady);
      for (const { callback } of due.sort((a, b) => a.at - b.at)) callback();
    },
    set: (ms) => {
      wall += ms;
    },
    forget: () => {
      timers = [];
    },
  };
}
