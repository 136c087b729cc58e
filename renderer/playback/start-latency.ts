// How long a media element takes from play() until it is heard: measured at each start, for the next one to begin to the moment.

/** Until one has started. */
const usualMs = 40;
/** What takes longer was held up by something else. */
const mostMs = 250;
/** By then it plays. */
const measuredAfterMs = 400;

/** A film has a picture to decode besides. */
const lastMs = new Map<string, number>();

export function startLatencyMs(noun: string): number {
  return lastMs.get(noun) ?? usualMs;
}

/** Called with play(), at the clip's beginning. */
export function measureStart(
  noun: string,
  element: HTMLMediaElement,
  signal: AbortSignal,
): void {
  const from = element.currentTime;
  const calledAtMs = performance.now();
  setTimeout(() => {
    const playedMs = (element.currentTime - from) * 1000;
    if (signal.aborted || element.paused || playedMs <= 0) return;
    const latencyMs = performance.now() - calledAtMs - playedMs;
    lastMs.set(noun, Math.min(mostMs, Math.max(0, latencyMs)));
  }, measuredAfterMs);
}
