// When files may be fetched, and when a plan of the mode `tonight` is due, by the clock of the screen.

import { isInHours } from "../asset.ts";
import type { SyncAccountWish } from "../sync-state.ts";
import { dayMs, wallClockOf } from "../wall-clock.ts";

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** A window that ends where or before it starts continues over midnight. */
export function mayFetchAt(
  { fetchFromMs, fetchUntilMs }: SyncAccountWish,
  moment: number,
  zone: string,
): boolean {
  if (fetchFromMs === null && fetchUntilMs === null) return true;
  return isInHours(
    { days: everyDay, fromMs: fetchFromMs, untilMs: fetchUntilMs },
    wallClockOf(zone).wallTimeAt(moment),
  );
}

/** The first moment from this one on at which the clock shows the account's hour; where it leaves that out, the change itself (V2-346). */
export function nightAfter(
  { applyAtMs }: Pick<SyncAccountWish, "applyAtMs">,
  moment: number,
  zone: string,
): number {
  const clock = wallClockOf(zone);
  for (let from = moment; ;) {
    const { until, offsetMs } = clock.spanAt(from);
    const { timeMs } = clock.wallTimeAt(from);
    const due = from + ((applyAtMs - timeMs + dayMs) % dayMs);
    if (due < until) return due;
    const leftOutMs = clock.spanAt(until).offsetMs - offsetMs;
    if (due < until + leftOutMs) return until;
    from = until;
  }
}
