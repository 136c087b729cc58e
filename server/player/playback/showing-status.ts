// What is told of the slide on the glass.

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
} from "../../core/director/verdicts.ts";
import type { Clock } from "../../platform/clock.ts";

/** What the glass shows, and why. Times are wall milliseconds. */
export interface ShowingStatus {
  readonly showing: Showing;
  readonly reason: ShowingReason;
  /** Null for the playlist of the local assets, and for what is in no playlist. */
  readonly playlistId: string | null;
  /** Null for what is none. */
  readonly takeoverId: string | null;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  /** What was last seen of it on the glass; null when nobody has looked yet, or not for a while. */
  readonly verdict: Seen | null;
  /** Since when something else covers the glass; null while nothing does. */
  readonly coveredSinceMs: number | null;
}

/** Three periods of the look at the glass: a verdict older than this is nobody's knowledge any more. */
const maxVerdictAgeMs = 15_000;

export function showingStatusOf(
  visible: VisibleShowing,
  /** The takeover of this moment: when it ends may have become another moment since it came up (V2-662). */
  current: ScreenTakeover | null,
  isAnythingDue: () => boolean,
  verdicts: Verdicts,
  clock: Clock,
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
    verdict && clock.monotonic() - verdict.steady <= maxVerdictAgeMs;
  return {
    ...{ showing, sinceMs, untilMs },
    verdict: isRecent ? verdict : null,
    coveredSinceMs: verdicts.covered?.since ?? null,
    reason: reasonFor(visible, entry !== null || isAnythingDue()),
    takeoverId: takeover?.id ?? null,
    playlistId: entry?.playlistId ?? null,
  };
}
