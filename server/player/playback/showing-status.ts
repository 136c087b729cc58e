// Status of the current showing, as the API reports it.

import type { Showing } from "../../core/showing.ts";
import {
  reasonFor,
  type VisibleShowing,
  type ScreenTakeover,
  type ShowingReason,
} from "../../core/director/planned-showing.ts";
import {
  verdictOf,
  type Seen,
  type Verdicts,
} from "../../core/director/verification-results.ts";
import type { Clock } from "../../platform/clock.ts";

/** What is on screen, and why. Times are wall-clock milliseconds. */
export interface ShowingStatus {
  readonly showing: Showing;
  readonly reason: ShowingReason;
  /** Null for the playlist of the local assets, and for an asset that is in no playlist. */
  readonly playlistId: string | null;
  /** Null unless it is a takeover. */
  readonly takeoverId: string | null;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  /** Result of the last verification; null when there was none yet, or none recently. */
  readonly verdict: Seen | null;
  /** Since when another window covers the screen; null while none does. */
  readonly coveredSinceMs: number | null;
}

/** Three verification intervals: an older verdict no longer proves anything. */
const maxVerdictAgeMs = 15_000;

export function showingStatusOf(
  visible: VisibleShowing,
  /** The current takeover: its end may have changed since it came on screen (V2-662). */
  current: ScreenTakeover | null,
  isAnythingDue: () => boolean,
  verdicts: Verdicts,
  clock: Clock,
  /** Without a stage, what was verified may have left the screen (V2-727). */
  isStageAway: boolean,
): ShowingStatus {
  const { showing, sinceMs, since, entry } = visible;
  const isCurrent = current && current.id === visible.takeover?.id;
  const takeover = isCurrent ? current : visible.takeover;
  const lasts = showing.durationSeconds;
  const untilMs =
    lasts === null
      ? (takeover?.until ?? null)
      : clock.now() + lasts * 1000 - (clock.monotonic() - since);
  const verdict = verdictOf(verdicts, showing.id);
  const isRecent =
    verdict &&
    !(isStageAway && verdict.verdict === "verified") &&
    clock.monotonic() - verdict.steady <= maxVerdictAgeMs;
  return {
    ...{ showing, sinceMs, untilMs },
    verdict: isRecent ? verdict : null,
    coveredSinceMs: verdicts.covered?.since ?? null,
    reason: reasonFor(visible, entry !== null || isAnythingDue()),
    takeoverId: takeover?.id ?? null,
    playlistId: entry?.playlistId ?? null,
  };
}
