// Whether a series of measurements grows: least squares, with a bound for what chance may do.

export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

export interface Fit {
  readonly mean: number;
  /** Growth an hour, as fitted. */
  readonly perHour: number;
  /** With 97.5 % confidence it grows by no less, and by no more. */
  readonly minPerHour: number;
  readonly maxPerHour: number;
}

const hourMs = 3_600_000;
/** Of the normal distribution, two-sided 95 %. */
const spread = 1.96;
/** Neighbours that are alike tell little news: never fewer independent samples than these are assumed. */
const fewestIndependent = 3;

/**
 * The slope of the line with the least squares, and its standard error. Memory is a saw: what is high now is high at the next
 * look, too. So the number of samples is taken for as many as would be independent, by the correlation of neighbours.
 */
export function fitLine(samples: readonly Sample[]): Fit {
  const count = samples.length;
  const meanAt = average(samples.map(({ atMs }) => atMs));
  const mean = average(samples.map(({ value }) => value));
  const squares = sum(samples.map(({ atMs }) => (atMs - meanAt) ** 2));
  const products = sum(
    samples.map(({ atMs, value }) => (atMs - meanAt) * (value - mean)),
  );
  const slope = squares === 0 ? 0 : products / squares;
  const rests = samples.map(
    ({ atMs, value }) => value - mean - slope * (atMs - meanAt),
  );
  const restSquares = sum(rests.map((rest) => rest ** 2));
  const neighbours = sum(
    rests.slice(1).map((rest, at) => rest * (rests[at] ?? 0)),
  );
  const likeness =
    restSquares === 0
      ? 0
      : Math.min(0.99, Math.max(0, neighbours / restSquares));
  const independent = Math.max(
    fewestIndependent,
    (count * (1 - likeness)) / (1 + likeness),
  );
  const variance = restSquares / Math.max(1, count - 2);
  const error =
    squares === 0 ? 0 : Math.sqrt((variance / squares) * (count / independent));
  const hourly = (perMs: number): number => perMs * hourMs;
  return {
    mean,
    perHour: hourly(slope),
    minPerHour: hourly(slope - spread * error),
    maxPerHour: hourly(slope + spread * error),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
