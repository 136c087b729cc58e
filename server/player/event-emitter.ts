// Typed event emitter with subscriptions, and a scheduler that merges several requests into one run.

import type { Clock } from "../platform/clock.ts";

export interface Announcement<T> {
  emit(value: T): void;
  /** The returned function unsubscribes. */
  on(listener: (value: T) => void): () => void;
}

export function createAnnouncement<T = void>(): Announcement<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    emit: (value) => {
      for (const listener of listeners) listener(value);
    },
    on: (listener) => {
      // Each subscription is separate, even for the same function.
      const subscription = (value: T): void => listener(value);
      listeners.add(subscription);
      return () => listeners.delete(subscription);
    },
  };
}

/** An action that takes longer than this is not run after every single request. */
const dearMs = 0.05;
/** Then it takes at most a twentieth of the time, but never waits longer than the request allows. */
const restPerMs = 20;

export interface OneGo {
  /** Runs the action soon; after an expensive run, it may wait up to this long first. */
  request(maxWaitMs: number): void;
  stop(): void;
}

/** Several requests in one turn of the event loop cause one run, after that turn; an expensive action runs a little later. */
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
    // After the turn in which the request that caused it is answered.
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
