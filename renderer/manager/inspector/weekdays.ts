// Weekdays of several assets, each switched independently, and their hours: a click does not affect the other six days. Pure.

import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import type { Change } from "../assets/asset-actions.ts";

interface WithDays {
  readonly play_days: readonly number[];
}

/** Undefined where some of them play on it and some do not. */
export function playsOn(
  assets: readonly WithDays[],
  day: number,
): boolean | undefined {
  const isOn = assets[0]?.play_days.includes(day) ?? false;
  return assets.every(({ play_days: days }) => days.includes(day) === isOn)
    ? isOn
    : undefined;
}

/** The last day stays: an asset without any day is disabled, not scheduled. */
export function withDay(
  days: readonly number[],
  day: number,
  isOn: boolean,
): readonly number[] {
  const others = days.filter((other) => other !== day);
  if (isOn) return [...others, day].sort((one, other) => one - other);
  return others.length > 0 ? others : days;
}

// The two times of day of an asset, of which the player accepts both or neither (V2-103). Pure.

/** A time set alone is completed by the start or end of the day, where the asset has no other; cleared, it clears both. */
export function withHours(
  asset: Pick<AssetV2, "play_time_from" | "play_time_to">,
  change: Change,
): Change {
  const { play_time_from: from, play_time_to: to } = { ...asset, ...change };
  if (Object.values(change).includes(null))
    return { play_time_from: null, play_time_to: null };
  return {
    ...(to !== null && from === null && { play_time_from: "00:00:00" }),
    ...(from !== null && to === null && { play_time_to: "23:59:59" }),
    ...change,
  };
}
