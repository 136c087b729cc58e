// One weekly window as the text of its fields, while it is edited: `1,2,3 11:30 14:00`. Pure.

import { dayMs } from "../../../server/core/wall-clock.ts";
import { timeFromText, timeToText } from "./input-formats.ts";
import type { WeeklyWindow } from "./weekly-windows.ts";

export interface WindowParts {
  readonly days: readonly number[];
  /** As the browser's field returns it; empty while it is half typed. */
  readonly from: string;
  readonly until: string;
}

export function partsOfWindow(window: WeeklyWindow): WindowParts {
  const { days, fromMs, untilMs } = window;
  return { days, from: timeToText(fromMs), until: timeToText(untilMs) };
}

export function textOfParts({ days, from, until }: WindowParts): string {
  return [days.join(), from, until].join(" ");
}

export function partsOfText(text: string): WindowParts {
  const [days = "", from = "", until = ""] = text.split(" ");
  return {
    days: days === "" ? [] : days.split(",").map(Number),
    ...{ from, until },
  };
}

/** Null for an invalid time. A time that did not change keeps its milliseconds. */
export function windowOfParts(
  { days, from, until }: WindowParts,
  before: WeeklyWindow,
): WeeklyWindow | null {
  const was = partsOfWindow(before);
  const fromMs = from === was.from ? before.fromMs : timeFromText(from);
  const untilMs = until === was.until ? before.untilMs : timeFromText(until);
  if (fromMs === null || untilMs === null) return null;
  // A window that ends at midnight ends with its day.
  return { days, fromMs, untilMs: untilMs === 0 ? dayMs : untilMs };
}
