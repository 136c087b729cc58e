// Reorders, adds, removes and times the items of a playlist; no item is lost without being removed.

import { assetLimits } from "../../../server/core/asset-limits.ts";
import type { PlaylistItemV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { randomId } from "../place/random-id.ts";
import type { ListOf } from "../undo/three-way-merge.ts";

export type Items = readonly PlaylistItemV2[];

/** How items are identified when a change meets other changes (V2-432). */
export const itemList: ListOf<PlaylistItemV2> = {
  idOf: ({ item_id }) => item_id,
  isEqual: (one, other) =>
    one.item_id === other.item_id &&
    one.asset_id === other.asset_id &&
    one.duration === other.duration,
};

/** From one position to another; positions out of range change nothing. */
export function moved(items: Items, from: number, to: number): Items {
  const item = items[from];
  if (!item || to < 0 || to >= items.length || from === to) return items;
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, item);
}

/** An id that the player keeps. */
export function makeItemId(): string {
  return randomId();
}

/** Before the position, or at the end. */
export function inserted(
  items: Items,
  assetIds: readonly string[],
  place: number,
  makeId: () => string,
): Items {
  const added = assetIds.map((asset_id) => ({
    ...{ item_id: makeId(), asset_id, duration: null },
  }));
  return items.toSpliced(Math.min(place, items.length), 0, ...added);
}

export function withoutItems(items: Items, ids: ReadonlySet<string>): Items {
  return items.filter(({ item_id }) => !ids.has(item_id));
}

export function timed(
  items: Items,
  ids: ReadonlySet<string>,
  duration: number | null,
): Items {
  return items.map((item) =>
    ids.has(item.item_id) ? { ...item, duration } : item,
  );
}

/**
 * `90`, `1:30` and `1:00:30` in seconds; null for an empty text, which uses the asset's duration. Undefined for an invalid text.
 */
export function lengthFromText(text: string): number | null | undefined {
  const written = text.trim();
  if (written === "") return null;
  if (!/^\d+(:[0-5]?\d){0,2}$/.test(written)) return undefined;
  const seconds = written
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds <= assetLimits.durationSeconds ? seconds : undefined;
}

/** As people type it: `90`, or `1:30`. */
export function lengthToText(seconds: number | null): string {
  if (seconds === null) return "";
  if (seconds < 60) return String(seconds);
  const two = (part: number) => String(part).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
