// The clock a running player goes by.

import type { PlayerOptions } from "../server/player/player.ts";

type Clock = PlayerOptions["clock"];

/** Node's timers hold no more than 31 bits of milliseconds and fire at once beyond that. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const dueAt = performance.now() + ms;
    let timer: NodeJS.Timeout;
    const wait = () => {
      const leftMs = dueAt - performance.now();
      // A timer may come a fraction of a millisecond early.
      if (leftMs < 1) callback();
      else timer = setTimeout(wait, Math.min(leftMs, longestTimerMs));
    };
    timer = setTimeout(wait, Math.min(Math.max(0, ms), longestTimerMs));
    return () => clearTimeout(timer);
  },
};
