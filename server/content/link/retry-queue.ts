// Spreads players that come all at once: each that is turned away learns a moment of its own to come back at (L-48).

import type { IncomingMessage } from "node:http";

export interface RetryQueue {
  /** Whole seconds until it is the turn of one more player. */
  nextSeconds(): number;
}

/** As many as a service on two processors answers and still has time for others. */
export const playersPerSecond = 200;
const longestSeconds = 60;

export function createRetryQueue(
  monotonic: () => number,
  random: () => number,
): RetryQueue {
  /** Monotonic milliseconds up to which all moments are taken. */
  let takenUntil = -Infinity;
  return {
    nextSeconds: () => {
      const now = monotonic();
      const at = Math.max(takenUntil, now) + 1000 / playersPerSecond;
      const seconds = Math.ceil((at - now) / 1000);
      // No player stays away for longer: those beyond share the time that others have, too.
      if (seconds > longestSeconds)
        return 1 + Math.floor(random() * longestSeconds);
      takenUntil = at;
      return seconds;
    },
  };
}

const isOfLink = /^(\/api)?\/link\//;
/** Others are people and programs that wait for an answer. */
const othersSeconds = 2;

/** For requests that are turned away before anything was read of them but their address. */
export function retryAfterSeconds(
  queue: RetryQueue,
): (request: Pick<IncomingMessage, "url">) => number {
  return ({ url = "" }) =>
    isOfLink.test(url) ? queue.nextSeconds() : othersSeconds;
}
