// Conversion between a playlist and its rows in SQLite.

import { maxPriority } from "../../contract/v2/v2-playlists.ts";
import { readDuration, readInteger } from "../../contract/v2/v2-values.ts";
import type {
  Playlist,
  PlaylistItem,
  Transition,
} from "../../core/playlist.ts";
import { parsePredicate } from "../../core/predicate/predicate.ts";

export interface PlaylistRow {
  readonly id: string;
  readonly name: string;
  readonly predicate: string;
  readonly priority: number;
  readonly is_enabled: number;
  /** JSON. */
  readonly groups: string;
  readonly transition: string | null;
  readonly is_shuffled: number | null;
  readonly created_at: number;
}

export interface ItemRow {
  readonly id: string;
  readonly playlist_id: string;
  readonly asset_id: string;
  readonly duration_seconds: number | null;
}

/** Both in order. */
export function playlistsFromRows(
  rows: readonly PlaylistRow[],
  itemRows: readonly ItemRow[],
): readonly Playlist[] {
  const items = new Map<string, PlaylistItem[]>();
  for (const row of itemRows) {
    const ownItems = items.get(row.playlist_id) ?? [];
    items.set(row.playlist_id, ownItems);
    ownItems.push({
      id: row.id,
      assetId: row.asset_id,
      durationSeconds: row.duration_seconds,
    });
  }
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    predicate: row.predicate,
    priority: row.priority,
    isEnabled: row.is_enabled === 1,
    groups: JSON.parse(row.groups) as readonly string[],
    transition: row.transition as Transition | null,
    isShuffled: row.is_shuffled === null ? null : row.is_shuffled === 1,
    items: items.get(row.id) ?? [],
    createdAt: row.created_at,
  }));
}

type PlaylistColumns = Readonly<
  Record<
    | "name"
    | "predicate"
    | "priority"
    | "isEnabled"
    | "groups"
    | "transition"
    | "isShuffled",
    string | number | null
  >
>;

export function columnsOfPlaylist(
  playlist: Omit<Playlist, "id" | "items" | "createdAt">,
): PlaylistColumns {
  const { isShuffled } = playlist;
  return {
    name: playlist.name,
    predicate: playlist.predicate,
    priority: playlist.priority,
    isEnabled: Number(playlist.isEnabled),
    groups: JSON.stringify(playlist.groups),
    transition: playlist.transition,
    isShuffled: isShuffled === null ? null : Number(isShuffled),
  };
}

/** Whether this player could have written it; checked for archives from elsewhere (V2-53). */
export function isValidPlaylist(playlist: Playlist): boolean {
  const { id, predicate, priority, transition, createdAt, groups } = playlist;
  return (
    isPlainId(id) &&
    parsePredicate(predicate).problem === null &&
    "value" in readInteger(0, maxPriority)(priority) &&
    [null, "cut", "cross-fade"].includes(transition) &&
    Math.abs(createdAt) <= maxMoment &&
    Array.isArray(groups) &&
    groups.every((group) => typeof group === "string") &&
    playlist.items.every(
      (item) =>
        isPlainId(item.id) &&
        (item.durationSeconds === null ||
          "value" in readDuration(item.durationSeconds)),
    )
  );
}

/** The latest moment that a Date can represent. */
const maxMoment = 8.64e15;

function isPlainId(id: string): boolean {
  return /^[\w-]{1,64}$/.test(id);
}
