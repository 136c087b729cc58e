// A week in the screen's time zone: its days, clock changes, and the moment of a position in it.

import {
  dayMs,
  wallClockOf,
  type OffsetSpan,
  type WallClock,
} from "../../../../server/core/wall-clock.ts";

/** A period of wall time that a clock change skips or repeats. */
export interface ClockChange {
  readonly kind: "skipped" | "repeated";
  /** In milliseconds since midnight. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Day {
  /** Counted from 1970. */
  readonly day: number;
  readonly weekday: number;
  readonly changes: readonly ClockChange[];
}

/** A period of one day, as its clock shows it. */
export interface WallPiece {
  readonly day: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

const weekDays = 7;

/** The Monday of a moment's week, as a day counted from 1970. */
export function mondayOf(moment: number, zone: string): number {
  const { day, weekday } = wallClockOf(zone).wallTimeAt(moment);
  return day - ((weekday + 6) % weekDays);
}

export function daysFrom(
  first: number,
  count: number,
  zone: string,
): readonly Day[] {
  return Array.from({ length: count }, (_, index) => {
    const day = first + index;
    const weekday = (((day + 4) % weekDays) + weekDays) % weekDays;
    return { day, weekday, changes: changesOn(day, zone) };
  });
}

/** The first moment at which the clock shows this; where it never does, the moment at which the clock is put forward. */
export function momentOf(day: number, timeMs: number, zone: string): number {
  const local = day * dayMs + timeMs;
  for (const { from, until, offsetMs } of spansAround(day, wallClockOf(zone))) {
    const moment = local - offsetMs;
    if (moment >= until) continue;
    return Math.max(from, moment);
  }
  return local;
}

/** Moves by this much on the wall clock; where that is no step in this direction, by as much in absolute time. */
export function steppedTo(
  moment: number,
  byMs: number,
  { day, timeMs }: { readonly day: number; readonly timeMs: number },
  zone: string,
): number {
  const instant = momentOf(day, timeMs, zone);
  const isStep = (instant - moment) * Math.sign(byMs) > 0;
  return isStep ? instant : moment + byMs;
}

export function wallOf(
  moment: number,
  zone: string,
): { readonly day: number; readonly timeMs: number } {
  const { day, timeMs } = wallClockOf(zone).wallTimeAt(moment);
  return { day, timeMs };
}

function changesOn(day: number, zone: string): readonly ClockChange[] {
  const spans = spansAround(day, wallClockOf(zone));
  return spans.slice(1).flatMap((after, index): ClockChange[] => {
    const before = spans[index];
    if (!before || before.offsetMs === after.offsetMs) return [];
    const ends = after.from + before.offsetMs - day * dayMs;
    const begins = after.from + after.offsetMs - day * dayMs;
    const [fromMs, untilMs] = [Math.min(ends, begins), Math.max(ends, begins)];
    if (fromMs < 0 || fromMs >= dayMs) return [];
    const kind = begins > ends ? "skipped" : "repeated";
    return [{ kind, fromMs, untilMs }];
  });
}

/** Offset spans that a day and its neighbours lie in. */
function spansAround(day: number, clock: WallClock): readonly OffsetSpan[] {
  const end = (day + 2) * dayMs;
  const spans = [clock.spanAt((day - 2) * dayMs)];
  for (;;) {
    const until = spans.at(-1)?.until ?? Infinity;
    if (until >= end) return spans;
    spans.push(clock.spanAt(until));
  }
}

/** From the first moment up to the second, day by day, as the wall clock shows them. */
export function wallPieces(
  from: number,
  until: number,
  zone: string,
): readonly WallPiece[] {
  const clock = wallClockOf(zone);
  const pieces: WallPiece[] = [];
  let at = from;
  while (at < until) {
    const { day, timeMs } = clock.wallTimeAt(at);
    const span = clock.spanAt(at);
    const end = Math.min(until, span.until, at + dayMs - timeMs);
    pieces.push({ day, fromMs: timeMs, untilMs: timeMs + end - at });
    at = end;
  }
  return pieces;
}
