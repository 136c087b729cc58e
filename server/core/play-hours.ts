// Hours of an asset: weekdays and times of day at which it may play (V2-95).

import { dayMs, type WallTime } from "./wall-clock.ts";
/** Weekdays and times of day by the screen's own clock. A window over midnight belongs to the day it starts on. */
export interface PlayHours {
  /** 1 Monday to 7 Sunday, each at most once; all seven if none were given. */
  readonly days: readonly number[];
  /** Milliseconds since midnight, including the first and excluding the second; both null: all day. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** A window that ends where it starts, or earlier, continues over midnight and belongs to the day it starts on (V2-95). */
export function isInHours(
  { days, fromMs, untilMs }: PlayHours,
  { timeMs, weekday }: Pick<WallTime, "timeMs" | "weekday">,
): boolean {
  const from = fromMs ?? 0;
  const until = untilMs ?? dayMs;
  if (from < until)
    return timeMs >= from && timeMs < until && days.includes(weekday || 7);
  if (timeMs >= from && days.includes(weekday || 7)) return true;
  return (
    timeMs < until && days.includes(weekday === 1 ? 7 : (weekday || 7) - 1)
  );
}
