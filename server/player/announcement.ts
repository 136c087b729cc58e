// A typed subscription on its owner: who listens, and how they are told.

import type { Clock } from "./stage.ts";

export interface Announcement<T> {
  tell(value: T): void;
  /** The answer ends the listening. */
  on(listener: (value: T) => void): () => void;
}

export function createAnnouncement<T = void>(): Announcement<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    tell: (value) => {
      for (const listener of listeners) listener(value);
    },
    on: (listener) => {
      // Each listening is its own, even of one and the same function.
      const own = (value: T): void => listener(value);
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}

/** What takes longer than this is not done after every single asking. */
const dearMs = 0.05;
/** Then it takes a twentieth of the time at most, and nobody waits longer than this for it. */
const restPerMs = 20;
const mostRestMs = 40;

/** What is asked several times in one turn of the loop is done once, after it; what is dear, a little later. */
export function createOneGo(
  act: () => void,
  clock: Pick<Clock, "monotonic" | "after">,
): { ask(): void; stop(): void } {
  let cancel: (() => void) | null = null;
  let restUntil = 0;

  function go(): void {
    cancel = null;
    const startedAt = clock.monotonic();
    act();
    const endedAt = clock.monotonic();
    const tookMs = endedAt - startedAt;
    if (tookMs > dearMs)
      restUntil = endedAt + Math.min(mostRestMs, tookMs * restPerMs);
  }

  function plan(): () => void {
    const restMs = restUntil - clock.monotonic();
    if (restMs > 0) return clock.after(restMs, go);
    // After the turn in which whoever caused it is answered.
    let turn = setImmediate(() => (turn = setImmediate(go)));
    return () => clearImmediate(turn);
  }

  return {
    ask: () => (cancel ??= plan()),
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
}
