// A playlist of a content service in the fields of version 2, with which the manager's pages work, and its changes back again
// (V3-190, V3-191).

import { defaultDurationSeconds } from "../../core/asset-limits.ts";
import {
  idIn,
  nameOf,
  numberIn,
  rowsIn,
  textIn,
  type Row,
} from "./read-rows.ts";
import type { PlaylistItemV2, PlaylistV2 } from "../v2/v2-playlists.ts";

/** Of a row of version 4: what the functions here read. */
export const playlistColumns = [
  ...["id", "title", "predicate", "is_enabled", "priority", "transitions"],
  ...["created_at", "labels(id,type)"],
  "playlist_items(id,asset_id,duration,position,assets(duration))",
].join();

/** The group of all screens, as version 3 names it (V3-20). */
export const allScreensId = "all-screens";

/** An item of a playlist as it is stored. */
export interface StoredItem {
  readonly id: string;
  readonly assetId: string;
  readonly seconds: number;
  /** What the service stores if no duration is sent (V3-34). */
  readonly assetSeconds: number;
}

/** From a row of version 4, in order. */
export function storedItemsOf(row: Row): readonly StoredItem[] {
  return rowsIn(row, "playlist_items")
    .toSorted(
      (one, other) =>
        (numberIn(one, "position") ?? 0) - (numberIn(other, "position") ?? 0) ||
        (textIn(one, "id") < textIn(other, "id") ? -1 : 1),
    )
    .flatMap((item) => {
      const [id, assetId] = [idIn(item), idIn(item, "asset_id")];
      if (id === null || assetId === null) return [];
      const [asset = {}] = rowsIn(item, "assets");
      return [
        {
          ...{ id, assetId, seconds: numberIn(item, "duration") ?? 0 },
          assetSeconds: numberIn(asset, "duration") ?? defaultDurationSeconds,
        },
      ];
    });
}

/** Null: as long as the asset itself, in whole seconds otherwise. */
function durationOf({ seconds, assetSeconds }: StoredItem): number | null {
  return seconds <= 0 || seconds === assetSeconds
    ? null
    : Math.max(1, Math.round(seconds));
}

/** Without a revision: it can be shown, and is read again before it is changed. Null for what is not a playlist. */
export function playlistFromV4(row: Row): PlaylistV2 | null {
  const groups = rowsIn(row, "labels").flatMap((label) =>
    textIn(label, "type") === "all-screens"
      ? [allScreensId]
      : (idIn(label) ?? []),
  );
  return playlistFrom(row, row, groups, "");
}

/**
 * From rows of both versions, which were read one after the other: version 3 has the tag of what it returned, version 4 its items'
 * identifiers and what version 3 doesn't have. Null if the items have changed in between.
 */
export function playlistFromBoth(
  v3: Row,
  v4: Row,
  revision: string,
): PlaylistV2 | null {
  const shown = rowsIn(v3, "assets");
  const stored = storedItemsOf(v4);
  const isSame =
    shown.length === stored.length &&
    stored.every(({ assetId, seconds }, at) => {
      const one = shown[at] ?? {};
      return one["id"] === assetId && numberIn(one, "duration") === seconds;
    });
  if (!isSame) return null;
  const groups = rowsIn(v3, "groups").flatMap((group) => idIn(group) ?? []);
  return playlistFrom(v3, v4, groups, revision);
}

function playlistFrom(
  row: Row,
  v4: Row,
  groups: readonly string[],
  revision: string,
): PlaylistV2 | null {
  const id = idIn(row);
  if (id === null) return null;
  const { priority } = row;
  const { transitions } = v4;
  return {
    playlist_id: id,
    name: nameOf(row, id),
    predicate: textIn(row, "predicate").trim() || "TRUE",
    // Players know two levels (V4-41).
    priority: priority === true || (numberIn(row, "priority") ?? 0) > 0 ? 1 : 0,
    is_enabled: row["is_enabled"] !== false,
    // Their order means nothing, and the two versions have different ones.
    groups: groups.toSorted(),
    transition:
      typeof transitions === "boolean"
        ? transitions
          ? "cross-fade"
          : "cut"
        : null,
    shuffle: null,
    items: storedItemsOf(v4).map((item) => ({
      ...{ item_id: item.id, asset_id: item.assetId },
      duration: durationOf(item),
    })),
    items_revision: revision,
    created: momentOf(v4["created_at"]),
  };
}

function momentOf(value: unknown): string {
  const moment = typeof value === "string" ? Date.parse(value) : NaN;
  return new Date(Number.isNaN(moment) ? 0 : moment).toISOString();
}

/** As version 3 takes them: a duration that the person did not change stays exactly as it is stored. */
function itemsToV3(
  items: readonly PlaylistItemV2[],
  stored: readonly StoredItem[],
): readonly Row[] {
  const storedById = new Map(stored.map((item) => [item.id, item]));
  return items.map(({ item_id, asset_id: id, duration }) => {
    const item = storedById.get(item_id);
    if (item && durationOf(item) === duration)
      return { id, duration: item.seconds };
    return duration === null ? { id } : { id, duration };
  });
}

/** Names of the fields that both have, in version 2 and in version 3 of the content interface. */
const namesInV3: Readonly<Record<string, string>> = {
  ...{ name: "title", predicate: "predicate", priority: "priority" },
  ...{ is_enabled: "is_enabled", groups: "groups", items: "assets" },
};

/** The body of a write in version 3; fields that it doesn't have are left out. */
export function playlistFieldsToV3(
  fields: Readonly<Record<string, unknown>>,
  stored: readonly StoredItem[],
): Row {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const there = namesInV3[name];
      if (there === undefined) return [];
      if (name === "groups")
        return [[there, (value as readonly string[]).map((id) => ({ id }))]];
      if (name === "items")
        return [[there, itemsToV3(value as readonly PlaylistItemV2[], stored)]];
      return [[there, value]];
    }),
  );
}

/** By our name where it is a field of ours. */
export function playlistFieldFromV3(name: string): string {
  const [ours = name] =
    Object.entries(namesInV3).find(([, there]) => there === name) ?? [];
  return ours;
}

/** As version 4 takes it; undefined where it is not changed. */
export function transitionsToV4(
  transition: unknown,
): boolean | null | undefined {
  if (transition === undefined) return undefined;
  return transition === null ? null : transition === "cross-fade";
}
