// An asset's state in one word, and when that word next changes by itself.

import type { AssetView } from "../api/asset-view.ts";
import { isInHours } from "../../../server/core/play-hours.ts";
import { wallClockOf } from "../../../server/core/wall-clock.ts";
import { isOpenEnded } from "../components/no-end-date.ts";

export type AssetState =
  | "playing"
  | "problem"
  | "processing"
  | "disabled"
  | "in-playlists"
  | "undated"
  | "not-yet"
  | "expired"
  | "outside-hours"
  | "not-due"
  | "active"
  | "ready";

/** What is seen on the screen takes precedence over every schedule; a broken asset is never called scheduled. */
export function assetStateAt(
  asset: AssetView,
  isShowing: boolean,
  moment: number,
  listed: "in-none" | "not-due" | "due",
  zone: string,
): AssetState {
  if (isShowing) return "playing";
  if (asset.problem !== null) return "problem";
  if (asset.isProcessing) return "processing";
  if (!asset.isEnabled) return "disabled";
  const { startsAt, endsAt } = asset;
  const isUndated = startsAt === null || endsAt === null;
  if (isUndated && listed === "in-none") return "undated";
  if (startsAt !== null && moment < startsAt) return "not-yet";
  if (endsAt !== null && moment >= endsAt) return "expired";
  if (asset.hours !== null) {
    const wall = wallClockOf(zone).wallTimeAt(moment);
    if (!isInHours(asset.hours, wall)) return "outside-hours";
  }
  // Without both dates, or with "playlists only", it has no slot in the default rotation, and follows the playlists it is in.
  const isFollowing = isUndated || asset.isPlaylistOnly;
  if (isFollowing && listed !== "due") return "not-due";
  return isUndated ? "in-playlists" : "active";
}

/** Where nothing plays: whether it can be put on a screen. */
export function storedStateOf(
  asset: Pick<AssetView, "problem" | "isProcessing">,
): AssetState {
  if (asset.problem !== null) return "problem";
  return asset.isProcessing ? "processing" : "ready";
}

/** The next start or end of any asset; null when none is ahead. */
export function nextEdgeAfter(
  assets: readonly AssetView[],
  moment: number,
): number | null {
  let next = Infinity;
  let hasTimed = false;
  const consider = (edge: number | null): void => {
    if (edge !== null && edge > moment && edge < next) next = edge;
  };
  for (const asset of assets) {
    consider(asset.startsAt);
    consider(asset.endsAt);
    hasTimed ||= isTimed(asset);
  }
  // Hours and playlists change at whole minutes.
  if (hasTimed) consider(nextMinuteAfter(moment));
  return next === Infinity ? null : next;
}

const minuteMs = 60_000;

function nextMinuteAfter(moment: number): number {
  return (Math.floor(moment / minuteMs) + 1) * minuteMs;
}

/** Its state may change at other moments than its dates. */
function isTimed({
  hours,
  isPlaylistOnly,
  startsAt,
  endsAt,
}: AssetView): boolean {
  return (
    hours !== null || isPlaylistOnly || startsAt === null || endsAt === null
  );
}

/** The dates worth showing: a start that is still ahead, and an end that is one. */
export function datesWorthReading(
  asset: Pick<AssetView, "startsAt" | "endsAt">,
  moment: number,
): { readonly from: number | null; readonly until: number | null } {
  const until =
    asset.endsAt !== null && !isOpenEnded(asset.endsAt, moment)
      ? asset.endsAt
      : null;
  const isStartAhead = asset.startsAt !== null && asset.startsAt > moment;
  return {
    from: isStartAhead || until !== null ? asset.startsAt : null,
    until,
  };
}
