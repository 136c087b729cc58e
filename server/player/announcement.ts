// A typed subscription on its owner: who listens, and how they are told.

import type { Clock } from "../platform/clock.ts";

export interface Announcement<T> {
  emit(value: T): void;
  /** The answer ends the listening. */
  on(listener: (value: T) => void): () => void;
}

export function createAnnouncement<T = void>(): Announcement<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    emit: (value) => {
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
/** Then it takes a twentieth of the time at most, but nobody waits longer than said. */
const restPerMs = 20;

export interface OneGo {
  /** Once it was dear, it may rest for so long before it is done. */
  request(maxWaitMs: number): void;
  stop(): void;
}

/** What is asked several times in one turn of the loop is done once, after it; what is dear, a little later. */
export function createOneGo(
  act: () => void,
  clock: Pick<Clock, "monotonic" | "after">,
): OneGo {
  let planned: { readonly at: number; cancel(): void } | null = null;
  let endedAt = -Infinity;
  let restMs = 0;

  function go(): void {
    planned = null;
    const startedAt = clock.monotonic();
    act();
    endedAt = clock.monotonic();
    const tookMs = endedAt - startedAt;
    restMs = tookMs > dearMs ? tookMs * restPerMs : 0;
  }

  function plan(at: number): NonNullable<typeof planned> {
    const waitMs = at - clock.monotonic();
    if (waitMs > 0) return { at, cancel: clock.after(waitMs, go) };
    // After the turn in which whoever caused it is answered.
    let immediate = setImmediate(() => (immediate = setImmediate(go)));
    return { at, cancel: () => clearImmediate(immediate) };
  }

  return {
    request: (maxWaitMs) => {
      const at = endedAt + Math.min(maxWaitMs, restMs);
      if (planned && planned.at <= at) return;
      planned?.cancel();
      planned = plan(at);
    },
    stop: () => {
      planned?.cancel();
      planned = null;
    },
  };
}
