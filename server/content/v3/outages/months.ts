// Months of a time zone as spans of moments, for totals by month (V3-86).

import {
  dayMs,
  wallClockOf,
  type WallClock,
} from "../../../core/wall-clock.ts";

export interface Month {
  /** `2026-05` */
  readonly name: string;
  /** Milliseconds since 1970; `until` is the start of the next. */
  readonly from: number;
  readonly until: number;
}

/** Those that this time touches, at most `most`: the last ones. */
export function monthsIn(
  zone: string,
  from: number,
  until: number,
  most: number,
): readonly Month[] {
  const clock = wallClockOf(zone);
  // The last moment of it.
  const last = new Date(clock.wallTimeAt(until - 1).day * dayMs);
  const months: Month[] = [];
  let year = last.getUTCFullYear();
  let month = last.getUTCMonth();
  while (months.length < most) {
    const start = startOf(clock, year, month);
    const name = new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
    months.unshift({
      ...{ name, from: start, until: startOf(clock, year, month + 1) },
    });
    if (start <= from) break;
    month -= 1;
    if (month < 0) {
      month = 11;
      year -= 1;
    }
  }
  return months;
}

/** No zone is further from UTC. */
const maxOffsetMs = 26 * 3_600_000;

/** The first moment at which it is the first day of the month, or later where that day is skipped. */
function startOf(clock: WallClock, year: number, month: number): number {
  const local = Date.UTC(year, month);
  let before = local - maxOffsetMs;
  let start = local + maxOffsetMs;
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (clock.wallTimeAt(middle).day >= local / dayMs) start = middle;
    else before = middle;
  }
  return start;
}
