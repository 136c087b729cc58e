// A film strip's measures: as wide as time, never too narrow to see, and not endless.

export interface Strip {
  readonly pxPerSecond: number;
  /** Of each tile. */
  readonly widths: readonly number[];
  /** When each begins, in seconds into the round. */
  readonly starts: readonly number[];
}

/** A picture that can still be made out. */
const minPx = 20;
/** The shortest of a few is well seen. */
const goodPx = 56;
/** So many windows wide before the shortest give way; of very many, so wide each on the average. */
const maxWindows = 8;
const meanPx = 48;

export function stripOf(seconds: readonly number[], windowPx: number): Strip {
  const total = seconds.reduce((sum, one) => sum + one, 0);
  const shortest = Math.min(...seconds);
  const filling = total > 0 ? windowPx / total : 0;
  const good = shortest > 0 ? goodPx / shortest : 0;
  const most = Math.max(windowPx * maxWindows, seconds.length * meanPx);
  const pxPerSecond = Math.max(
    filling,
    Math.min(good, total > 0 ? most / total : 0),
  );
  let at = 0;
  const starts = seconds.map((one) => {
    const start = at;
    at += one;
    return start;
  });
  return {
    pxPerSecond,
    starts,
    widths: seconds.map((one) =>
      Math.max(minPx, Math.floor(one * pxPerSecond)),
    ),
  };
}
