// Spreads players that come all at once: each that is turned away learns a moment of its own to come back at (L-48).

import type { IncomingMessage } from "node:http";

export interface RetryQueue {
  /** A player was answered. */
  noteAnswer(): void;
  /** Whole seconds until it is the turn of one more player. */
  nextSeconds(): number;
}

/** As many as a service on two processors answers and still has time for others. */
export const playersPerSecond = 200;
/** A service that answers fewer is on a slow or busy machine: then, as many as it answered in the last seconds. */
const fewestPerSecond = 10;
const countedMs = 5000;
const longestSeconds = 60;

export function createRetryQueue(
  monotonic: () => number,
  random: () => number,
): RetryQueue {
  /** Monotonic milliseconds up to which all moments are taken. */
  let takenUntil = -Infinity;
  let counted = { since: -Infinity, answers: 0 };
  let perSecond = playersPerSecond;
  let isTurningAway = false;

  function noteTime(now: number): void {
    if (now - counted.since < countedMs) return;
    const answered = counted.answers / ((now - counted.since) / 1000);
    perSecond = Math.min(
      playersPerSecond,
      // Few may have come.
      isTurningAway ? Math.max(fewestPerSecond, answered) : playersPerSecond,
    );
    counted = { since: now, answers: 0 };
    isTurningAway = false;
  }

  return {
    noteAnswer: () => {
      noteTime(monotonic());
      counted.answers += 1;
    },
    nextSeconds: () => {
      const now = monotonic();
      noteTime(now);
      isTurningAway = true;
      const at = Math.max(takenUntil, now) + 1000 / perSecond;
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

export function isLinkRequest({
  url = "",
}: Pick<IncomingMessage, "url">): boolean {
  return isOfLink.test(url);
}

/** Others are people and programs that wait for an answer. */
const othersSeconds = 2;

/** For requests that are turned away before anything was read of them but their address. */
export function retryAfterSeconds(
  queue: RetryQueue,
): (request: Pick<IncomingMessage, "url">) => number {
  return (request) =>
    isLinkRequest(request) ? queue.nextSeconds() : othersSeconds;
}
