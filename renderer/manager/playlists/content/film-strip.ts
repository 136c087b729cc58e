// Widths of a film strip's tiles: proportional to time, never too narrow to see, and bounded.

export interface Strip {
  readonly pxPerSecond: number;
  /** Width of each tile. */
  readonly widths: readonly number[];
  /** Start of each, in seconds into the cycle. */
  readonly starts: readonly number[];
}

/** Narrowest width at which a image is recognisable. */
const minPx = 20;
/** Width of the shortest tile when there are only a few. */
const goodPx = 56;
/** Maximum length in window widths before the shortest tiles shrink; for very many items, the average width. */
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
