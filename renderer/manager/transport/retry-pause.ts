// Pauses between tries while the player cannot be reached: longer each time, and over at once when the connection may be back.

const firstMs = 500;
const longestMs = 30_000;

/** Rejects with the reason of the signal. */
export function retryPause(
  failures: number,
  signal: AbortSignal,
): Promise<void> {
  const ms = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 10));
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const forget = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      document.removeEventListener("visibilitychange", endIfVisible);
      signal.removeEventListener("abort", abort);
    };
    const end = (): void => {
      forget();
      resolve();
    };
    const endIfVisible = (): void => {
      if (document.visibilityState === "visible") end();
    };
    const abort = (): void => {
      forget();
      reject(signal.reason as Error);
    };
    // Many pages do not come back at the same moment.
    const timer = setTimeout(end, ms * (0.75 + Math.random() / 2));
    addEventListener("online", end);
    document.addEventListener("visibilitychange", endIfVisible);
    signal.addEventListener("abort", abort);
  });
}
