// How long until the next look: the account's own time, and more and more while it fails.

import type { SyncProblem } from "../../../core/sync-state.ts";

export interface Pace {
  readonly pollSeconds: number;
  readonly problem: SyncProblem["code"] | null;
  readonly failuresInRow: number;
  /** The cloud asked for it; 0 when it did not. */
  readonly askedMs: number;
  /** From 0 to before 1. */
  readonly chance: number;
}

/** Looks are spread around their time, so that a site of screens is no crowd. */
const spread = 0.1;
/** A cloud that is away is asked less and less, and found again within minutes. */
const mostPauseMs = 300_000;
/** Who was told that the token is bad is not told so every minute. */
const refusedPauseMs = 3_600_000;
/** More doublings than any pause needs. */
const mostDoublings = 10;

export function pauseMsOf(pace: Pace): number {
  const { pollSeconds, problem, failuresInRow, askedMs, chance } = pace;
  const spreadBy = 1 + spread * (2 * chance - 1);
  const usual = pollSeconds * 1000;
  if (problem === null) return usual * spreadBy;
  if (problem === "unauthorized" || problem === "no-token")
    return Math.max(usual, refusedPauseMs) * spreadBy;
  // Not a moment earlier than asked.
  if (askedMs > 0) return askedMs * (1 + spread * chance);
  const doublings = Math.min(mostDoublings, Math.max(0, failuresInRow - 1));
  const grown = usual * 2 ** doublings;
  return Math.min(Math.max(usual, mostPauseMs), grown) * spreadBy;
}
