// Converts times and days to and from the browser's input formats.

import { dayMs } from "../../../server/core/wall-clock.ts";

/** `11:30`, with seconds where there are any; the end of the day is its midnight. */
export function timeToText(timeMs: number): string {
  // "To 14:00" may be stored as up to and including that millisecond.
  const end = timeMs % 1000 === 1 ? timeMs - 1 : timeMs;
  const text = new Date(end % dayMs).toISOString().slice(11, 19);
  return end % 60_000 === 0 ? text.slice(0, 5) : text;
}

export function timeFromText(text: string): number | null {
  if (!/^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)) return null;
  const time = Date.parse(`1970-01-01T${text}Z`);
  return Number.isNaN(time) ? null : time;
}

export function dayToText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function dayFromText(text: string): number | null {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? null : moment / dayMs;
}

/** `2026-11-21T14:00`, for a date and time field. */
export function placeToText(day: number, timeMs: number): string {
  return `${dayToText(day)}T${timeToText(timeMs).slice(0, 5)}`;
}

export function placeFromText(
  text: string,
): { readonly day: number; readonly timeMs: number } | null {
  const [date = "", time = ""] = text.split("T");
  const day = dayFromText(date);
  const timeMs = timeFromText(time);
  return day === null || timeMs === null ? null : { day, timeMs };
}
