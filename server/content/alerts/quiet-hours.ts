// Quiet hours of an alert rule, by the wall clock of a named time zone (V3-94).

import type { QuietHours } from "../../contract/v3/v3-alerts.ts";
import { wallClockOf } from "../../core/wall-clock.ts";

/** `until` is exclusive; earlier than `from`, it is on the next day. */
export function isQuietAt(hours: QuietHours | null, moment: number): boolean {
  if (hours === null) return false;
  const { timeMs } = wallClockOf(hours.timezone).wallTimeAt(moment);
  const from = timeOfDayMs(hours.from);
  const until = timeOfDayMs(hours.until);
  return from < until
    ? timeMs >= from && timeMs < until
    : timeMs >= from || timeMs < until;
}

function timeOfDayMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * 60_000;
}
