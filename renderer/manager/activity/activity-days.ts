// A heading for each day in a list of what happened, newest first.

import { wallClockOf } from "../../../server/core/wall-clock.ts";

/** Counted in local calendar days. */
export interface DayLine {
  readonly kind: "day";
  readonly key: string;
  readonly day: number;
}

export interface EventKey {
  readonly kind: "event";
  readonly key: string | number;
}

/** Days in the given time zone. */
export function withDays<Event extends EventKey>(
  events: readonly Event[],
  timeOf: (event: Event) => string,
  zone: string,
): readonly (DayLine | Event)[] {
  const clock = wallClockOf(zone);
  const lines: (DayLine | Event)[] = [];
  let last: number | null = null;
  for (const event of events) {
    const { day } = clock.wallTimeAt(Date.parse(timeOf(event)));
    if (day !== last) lines.push({ kind: "day", key: `day ${day}`, day });
    last = day;
    lines.push(event);
  }
  return lines;
}
