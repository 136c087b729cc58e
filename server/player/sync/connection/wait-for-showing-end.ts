// Waits until what a plan takes away or changes has played its turn on the glass (V2-329).

import type { SyncClock } from "../sync-clock.ts";
import type { SyncLibrary } from "../store/library-store.ts";

export interface TurnEndOptions {
  readonly library: Pick<SyncLibrary, "onTurn">;
  readonly clock: SyncClock;
  readonly signal: AbortSignal;
}

/** What stays for hours is not waited for: a cloud's word is to be seen the same morning. */
const mostMs = 10 * 60_000;

/** Rejects when it is called off. */
export function letTurnEnd(
  leftMs: () => number,
  { library, clock, signal }: TurnEndOptions,
): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const firstMs = leftMs();
  if (firstMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopTimer();
      stopHearing();
      signal.removeEventListener("abort", callOff);
      settle();
    };
    const callOff = (): void => end(() => reject(signal.reason as Error));
    const stopTimer = clock.after(Math.min(firstMs, mostMs), () =>
      end(resolve),
    );
    // Another turn of the same asset has more time left than this one had.
    let left = firstMs;
    const stopHearing = library.onTurn(() => {
      const now = leftMs();
      if (now <= 0 || now > left) end(resolve);
      left = now;
    });
    signal.addEventListener("abort", callOff);
  });
}
