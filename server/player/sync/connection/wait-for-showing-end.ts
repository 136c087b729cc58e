// Waits until what a plan removes or changes has been shown to its end, with a limit: for connections that let it finish (V2-329).

import type { Clock } from "../../../platform/clock.ts";
import type { SyncLibrary } from "../store/library-store.ts";

interface ShowingEndOptions {
  readonly library: Pick<SyncLibrary, "onShowingChanged">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A showing that lasts for hours is not waited for: changes are to be visible the same morning. */
const maxWaitMs = 10 * 60_000;

/**
 * Resolves when everything on screen that the plan removes or changes has been shown to its end (V2-329). Rejects when it is
 * aborted.
 */
export function waitForShowingEnd(
  leftMs: () => number,
  { library, clock, signal }: ShowingEndOptions,
): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const firstMs = leftMs();
  if (firstMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopTimer();
      stopListening();
      signal.removeEventListener("abort", callOff);
      settle();
    };
    const callOff = (): void => end(() => reject(signal.reason as Error));
    const stopTimer = clock.after(Math.min(firstMs, maxWaitMs), () =>
      end(resolve),
    );
    // Another showing of the same asset has more time left than this one had.
    let left = firstMs;
    const stopListening = library.onShowingChanged(() => {
      const now = leftMs();
      if (now <= 0 || now > left) end(resolve);
      left = now;
    });
    signal.addEventListener("abort", callOff);
  });
}
