// Timing of polls, downloads and applying: by the connection's hours on the screen's clock, with a poll interval that backs off
// while polling fails.

import { isInHours } from "../play-hours.ts";
import type {
  SyncConnectionInput,
  SyncProblem,
} from "../sync-plan/sync-state.ts";
import { dayMs, wallClockOf } from "../wall-clock.ts";

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** A window that ends where it starts, or earlier, continues over midnight. */
export function mayFetchAt(
  { fetchFromMs, fetchUntilMs }: SyncConnectionInput,
  moment: number,
  zone: string,
): boolean {
  if (fetchFromMs === null && fetchUntilMs === null) return true;
  return isInHours(
    { days: everyDay, fromMs: fetchFromMs, untilMs: fetchUntilMs },
    wallClockOf(zone).wallTimeAt(moment),
  );
}

/**
 * The first moment from this one on at which the clock shows the connection's time; if a clock change skips it, the change itself
 * (V2-346).
 */
export function nightAfter(
  { applyAtMs }: Pick<SyncConnectionInput, "applyAtMs">,
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

export interface PollPace {
  readonly pollSeconds: number;
  /** Problem of the last poll; null: it was answered. */
  readonly problem: SyncProblem["code"] | null;
  readonly failuresInRow: number;
  /** Pause requested by the service; 0 if it did not. */
  readonly retryAfterMs: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

/** Polls are spread around their time, so that the screens of a site do not poll all at once. */
const spread = 0.1;
/** An unavailable service is polled less and less often, yet found again within minutes. */
const maxPauseMs = 300_000;
/** A service that rejects the token does not receive it every minute. */
const refusedPauseMs = 3_600_000;
/** More doublings than any pause needs. */
const maxDoublings = 10;

export function pollPauseMs(pace: PollPace): number {
  const { pollSeconds, problem, failuresInRow, retryAfterMs, random } = pace;
  const spreadBy = 1 + spread * (2 * random - 1);
  const usual = pollSeconds * 1000;
  if (problem === null) return usual * spreadBy;
  if (problem === "unauthorized" || problem === "no-token")
    return Math.max(usual, refusedPauseMs) * spreadBy;
  // Not a moment earlier than requested.
  if (retryAfterMs > 0) return retryAfterMs * (1 + spread * random);
  const doublings = Math.min(maxDoublings, Math.max(0, failuresInRow - 1));
  const grown = usual * 2 ** doublings;
  return Math.min(Math.max(usual, maxPauseMs), grown) * spreadBy;
}
