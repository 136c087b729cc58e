// Runs work when the page has time for it; Safari has no such callback, and runs it a moment later.

const waitMs = 50;

/** The returned function cancels. */
export function whenIdle(work: () => void, timeoutMs?: number): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(work, waitMs);
    return () => {
      clearTimeout(timer);
    };
  }
  const idle = requestIdleCallback(
    () => {
      work();
    },
    timeoutMs === undefined ? undefined : { timeout: timeoutMs },
  );
  return () => {
    cancelIdleCallback(idle);
  };
}
