// Positions on the schedule's time axis: drawn, moved and resized windows, in steps that a pointer can hit.

import { dayMs } from "../../../server/core/wall-clock.ts";
import type { WeeklyWindow } from "../predicates/weekly-windows.ts";
import type { WallPiece } from "../components/screen-time/week.ts";

/** The visible days. */
export interface Axis {
  /** Counted from 1970. */
  readonly firstDay: number;
  readonly days: number;
}

/** Milliseconds of wall time from the start of the axis. */
export type Place = number;

export function lengthOf({ days }: Axis): number {
  return days * dayMs;
}

export function placeOf(
  { firstDay }: Axis,
  day: number,
  timeMs: number,
): Place {
  return (day - firstDay) * dayMs + timeMs;
}

export function dayAndTimeOf(
  { firstDay }: Axis,
  place: Place,
): { readonly day: number; readonly timeMs: number } {
  const day = Math.floor(place / dayMs);
  return { day: firstDay + day, timeMs: place - day * dayMs };
}

export function snapped(place: Place, stepMs: number): Place {
  return Math.round(place / stepMs) * stepMs;
}

/** One occurrence of a window on the axis; cut off at both ends of the axis. */
export interface Occurrence {
  /** Index of its window in the playlist. */
  readonly index: number;
  /** Counts the occurrences of one window. */
  readonly ordinal: number;
  readonly weekday: number;
  readonly from: Place;
  readonly until: Place;
  /** Whether its start and its end are on the axis, and can be dragged. */
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
}

export function occurrencesOf(
  windows: readonly WeeklyWindow[],
  axis: Axis,
): readonly Occurrence[] {
  return windows.flatMap((window, index) =>
    showingsOf(window, axis).map((showing, ordinal) => ({
      ...showing,
      index,
      ordinal,
    })),
  );
}

function showingsOf(
  window: WeeklyWindow,
  axis: Axis,
): readonly Omit<Occurrence, "index" | "ordinal">[] {
  const axisLength = lengthOf(axis);
  // An occurrence that began on the day before may extend into the first day.
  const days = Array.from({ length: axis.days + 1 }, (_, at) => at - 1);
  return days.flatMap((at) => {
    const weekday = weekdayOf(axis.firstDay + at);
    if (!window.days.includes(weekday)) return [];
    const from = at * dayMs + window.fromMs;
    const until = from + durationOf(window);
    if (until <= 0 || from >= axisLength) return [];
    return [
      {
        ...{ weekday, hasStart: from >= 0, hasEnd: until <= axisLength },
        ...{ from: Math.max(0, from), until: Math.min(axisLength, until) },
      },
    ];
  });
}

function durationOf({ fromMs, untilMs }: WeeklyWindow): number {
  return untilMs > fromMs ? untilMs - fromMs : untilMs + dayMs - fromMs;
}

function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** From one position to another, on a day of its own; never longer than a day. */
export function drawn(axis: Axis, a: Place, b: Place): WeeklyWindow | null {
  const from = Math.max(0, Math.min(a, b));
  const until = Math.min(lengthOf(axis), Math.max(a, b), from + dayMs);
  if (until <= from) return null;
  const { day, timeMs } = dayAndTimeOf(axis, from);
  return windowOf([weekdayOf(day)], timeMs, until - from);
}

/** Moves the whole window; a window of one day can move to another day, others stay on theirs. */
export function movedBy(window: WeeklyWindow, byMs: number): WeeklyWindow {
  const { days, fromMs } = window;
  const to = fromMs + byMs;
  if (days.length === 1) {
    const dayBy = Math.floor(to / dayMs);
    const day = ((((days[0] ?? 0) + dayBy) % 7) + 7) % 7;
    return windowOf([day], to - dayBy * dayMs, durationOf(window));
  }
  const clamped = Math.min(dayMs - minMs, Math.max(0, to));
  return windowOf(days, clamped, durationOf(window));
}

/** A shorter window can no longer be grabbed. */
const minMs = 60_000;

export function stretched(
  window: WeeklyWindow,
  edge: "start" | "end",
  byMs: number,
): WeeklyWindow {
  const length = durationOf(window);
  if (edge === "end") {
    const nextUntilMs = Math.min(dayMs, Math.max(minMs, length + byMs));
    return windowOf(window.days, window.fromMs, nextUntilMs);
  }
  const end = window.fromMs + length;
  const from = Math.min(
    Math.max(0, window.fromMs + byMs, end - dayMs),
    end - minMs,
    dayMs - minMs,
  );
  return windowOf(window.days, from, end - from);
}

function windowOf(
  days: readonly number[],
  fromMs: number,
  lengthMs: number,
): WeeklyWindow {
  const end = fromMs + lengthMs;
  // Around the clock from another hour than midnight means all day.
  if (lengthMs >= dayMs) return { days, fromMs: 0, untilMs: dayMs };
  return { days, fromMs, untilMs: end > dayMs ? end - dayMs : end };
}

/** Where a piece of wall time lies on the axis; null if outside. */
export function stretchOf(
  axis: Axis,
  { day, fromMs, untilMs }: WallPiece,
): { readonly from: Place; readonly until: Place } | null {
  const from = Math.max(0, placeOf(axis, day, fromMs));
  const until = Math.min(lengthOf(axis), placeOf(axis, day, untilMs));
  return from < until ? { from, until } : null;
}
