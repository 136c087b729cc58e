// Trend of a series of measurements: least squares, with confidence bounds.

export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

export interface Trend {
  readonly mean: number;
  /** Fitted growth per hour. */
  readonly perHour: number;
  /** Bounds of the growth, each with 97.5 % confidence. */
  readonly minPerHour: number;
  readonly maxPerHour: number;
}

const hourMs = 3_600_000;
/** Quantile of the normal distribution, two-sided 95 %. */
const spread = 1.96;
/** Similar neighbours add little information: at least this many independent samples are assumed. */
const fewestIndependent = 3;

/**
 * The slope of the least-squares line, and its standard error. Memory is a sawtooth: a high sample is followed by another high
 * one. So the number of samples is reduced to the equivalent number of independent ones, by the correlation of neighbours.
 */
export function trendOf(samples: readonly Sample[]): Trend {
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
