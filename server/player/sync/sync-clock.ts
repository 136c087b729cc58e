// Time as a sync is given it.

/** Wall time for moments, monotonic time for durations; both in milliseconds. */
export interface SyncClock {
  now(): number;
  monotonic(): number;
  /** Calls back after so many milliseconds; the answer calls it off. */
  after(ms: number, callback: () => void): () => void;
}

/** Resolves after so long; rejects at once when it is called off. */
export function pause(
  clock: SyncClock,
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
