// Playlists in SQLite, in order of creation; notifies listeners of changes.

import { createHash } from "node:crypto";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { maxPlaylistItems } from "../../contract/v2/v2-playlists.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import { freeName, numberedNames } from "../../core/unique-name.ts";
import type { Playlist, PlaylistItem } from "../../core/playlist.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../event-emitter.ts";
import {
  columnsOfPlaylist,
  playlistsFromRows,
  type ItemRow,
  type PlaylistRow,
} from "./playlist-row.ts";

/** Fields given by the caller on creation. */
export interface PlaylistDraft extends Omit<
  Playlist,
  "id" | "items" | "createdAt"
> {
  readonly items: readonly ItemDraft[];
}

/** An identifier that it had, or that is free, is kept; an item without one gets one (V2-432). */
interface ItemDraft extends Omit<PlaylistItem, "id"> {
  readonly id?: string | null;
}

/** An omitted field stays as it is; items are replaced as a whole (V2-112). */
export type PlaylistChange = {
  readonly [Field in keyof PlaylistDraft]?: PlaylistDraft[Field] | undefined;
};

export interface Playlists {
  /** In order of creation. */
  all(): readonly Playlist[];
  /** Throws `not-found`. */
  playlist(id: string): Playlist;
  /** One transaction each; throws `invalid` on `items` when an asset does not exist. */
  create(draft: PlaylistDraft): Playlist;
  /** With a revision of the items: throws `conflict` when the current one differs (V2-431). */
  change(id: string, change: PlaylistChange, itemsRevision?: string): Playlist;
  /** Appends to the current items (V2-430); those that are among them already are left out (V2-811). */
  append(
    id: string,
    items: readonly ItemDraft[],
    itemsRevision?: string,
  ): Playlist;
  remove(id: string): void;
  onChanged(listener: () => void): () => void;
  /** Its playlist items were deleted with it. */
  assetRemoved(assetId: string): void;
  /** The tables were written by other means. */
  readAgain(): void;
  /** These playlists may be new or deleted; the items of these assets are gone. */
  refresh(ids: readonly string[], goneAssets: readonly string[]): void;
}

export interface PlaylistsOptions {
  readonly database: Sqlite;
  readonly now: () => number;
  /** 32 random lower-case hex digits. */
  readonly makeId: () => string;
  readonly edits?: PlaylistEdits | undefined;
}

/** Notified of what a person does to playlists, within the transaction (V2-560). */
export interface PlaylistEdits {
  /** `requested`: the name that was sent, where a different one was given. */
  playlistChanged(before: Playlist, after: Playlist, requested?: string): void;
  deleted(kind: "playlist", id: string): void;
}

export function createPlaylists(options: PlaylistsOptions): Playlists {
  const { database, now, makeId, edits } = options;
  const changed = createAnnouncement();
  const rows = database.prepare<[], PlaylistRow>(
    "SELECT * FROM playlists ORDER BY created_at, id",
  );
  const items = database.prepare<[], ItemRow>(
    "SELECT * FROM playlist_items ORDER BY playlist_id, place",
  );
  const oneRow = database.prepare<[string], PlaylistRow>(
    "SELECT * FROM playlists WHERE id = ?",
  );
  const itemsOfOne = database.prepare<[string], ItemRow>(
    "SELECT * FROM playlist_items WHERE playlist_id = ? ORDER BY place",
  );
  const numbered = database
    .prepare<[string, string, string], string>(
      "SELECT name FROM playlists WHERE name >= ? AND name < ? AND id <> ?",
    )
    .pluck();
  const nameTaken = database
    .prepare<[string, string], number>(
      "SELECT 1 FROM playlists WHERE name = ? AND id <> ?",
    )
    .pluck();
  const assetExists = database
    .prepare<[string], number>("SELECT 1 FROM assets WHERE id = ?")
    .pluck();
  const idTaken = database
    .prepare<[string, string], number>(
      "SELECT 1 FROM playlist_items WHERE id = ? UNION SELECT 1 FROM bin_items WHERE id = ?",
    )
    .pluck();
  const newest = database
    .prepare<[], number | null>("SELECT max(created_at) FROM playlists")
    .pluck();
  const insert = database.prepare(
    `INSERT INTO playlists (id, name, predicate, priority, is_enabled, groups, transition, is_shuffled, created_at)
     VALUES (:id, :name, :predicate, :priority, :isEnabled, :groups, :transition, :isShuffled, :createdAt)`,
  );
  const update = database.prepare(
    `UPDATE playlists SET name = :name, predicate = :predicate, priority = :priority, is_enabled = :isEnabled,
       groups = :groups, transition = :transition, is_shuffled = :isShuffled WHERE id = :id`,
  );
  const dropItems = database.prepare(
    "DELETE FROM playlist_items WHERE playlist_id = ?",
  );
  const insertItem = database.prepare(
    `INSERT INTO playlist_items (id, playlist_id, place, asset_id, duration_seconds)
     VALUES (?, ?, ?, ?, ?)`,
  );

  /** Only one process writes playlists; a map keeps the place of a replaced entry and appends a new one. */
  let cached: Map<string, Playlist> | null = null;
  function byId(): Map<string, Playlist> {
    cached ??= new Map(
      playlistsFromRows(rows.all(), items.all()).map((one) => [one.id, one]),
    );
    return cached;
  }

  function playlist(id: string): Playlist {
    const playlist = byId().get(id);
    if (!playlist) throw notFound(id);
    return playlist;
  }

  /** The name itself, else with `-1`, `-2` … appended, as for assets (V2-16). */
  function uniqueName(requested: string, id: string): string {
    if (nameTaken.get(requested, id) === undefined) return requested;
    const taken = numbered.all(...numberedNames(requested), id);
    return freeName(requested, new Set([requested, ...taken]));
  }

  /** By position: the sent identifiers that can be kept, each for one item. */
  function keptIds(
    requested: readonly ItemDraft[],
    before: readonly PlaylistItem[],
  ): readonly (string | null)[] {
    const assetOf = new Map(before.map((item) => [item.id, item.assetId]));
    const keptItemIds = new Set<string>();
    return requested.map(({ id = null, assetId }) => {
      if (id === null || keptItemIds.has(id)) return null;
      const isKept = assetOf.has(id)
        ? assetOf.get(id) === assetId
        : itemIdPattern.test(id) && idTaken.get(id, id) === undefined;
      if (!isKept) return null;
      keptItemIds.add(id);
      return id;
    });
  }

  /** An existing item keeps its identifier, so that a screen that plays it keeps its position. */
  function writeItems(
    id: string,
    requested: readonly ItemDraft[],
    before: readonly PlaylistItem[],
  ): void {
    const itemIds = keptIds(requested, before);
    const named = new Set(itemIds);
    const left = new Map<string, string[]>();
    for (const item of before)
      if (!named.has(item.id))
        left.set(item.assetId, [...(left.get(item.assetId) ?? []), item.id]);
    dropItems.run(id);
    requested.forEach(({ assetId, durationSeconds }, place) => {
      if (assetExists.get(assetId) === undefined)
        throw fieldFailure(
          "items",
          composeSentence(playerSentences["playlist-asset"], {
            field: `items[${place}].asset_id`,
            value: `"${assetId}"`,
          }),
        );
      const itemId = itemIds[place] ?? left.get(assetId)?.shift() ?? makeId();
      insertItem.run(itemId, id, place, assetId, durationSeconds);
    });
  }

  const create = database.transaction((draft: PlaylistDraft): string => {
    const id = makeId();
    // Even if the clock is set back, the older playlist plays first.
    const createdAt = Math.max(now(), (newest.get() ?? -Infinity) + 1);
    const name = uniqueName(draft.name, id);
    insert.run({ ...columnsOfPlaylist({ ...draft, name }), id, createdAt });
    writeItems(id, draft.items, []);
    return id;
  });

  const change = database.transaction(
    (id: string, changes: PlaylistChange, itemsRevision?: string): void => {
      const before = playlist(id);
      requireRevision(before, itemsRevision);
      const sent = Object.entries(changes).filter(
        ([, value]) => value !== undefined,
      );
      const after: PlaylistDraft = { ...before, ...Object.fromEntries(sent) };
      const name = uniqueName(after.name, id);
      update.run({ ...columnsOfPlaylist({ ...after, name }), id });
      if (changes.items) writeItems(id, changes.items, before.items);
      edits?.playlistChanged(before, stored(id), changes.name);
    },
  );

  const append = database.transaction(
    (
      id: string,
      sent: readonly ItemDraft[],
      itemsRevision?: string,
    ): boolean => {
      const before = playlist(id);
      requireRevision(before, itemsRevision);
      // Sent again, since the response was lost (V2-811).
      const known = new Map(before.items.map((item) => [item.id, item]));
      const added = sent.filter(
        (item) => known.get(item.id ?? "")?.assetId !== item.assetId,
      );
      if (added.length === 0) return false;
      if (before.items.length + added.length > maxPlaylistItems)
        throw fieldFailure(
          "items",
          composeSentence(playerSentences["playlist-full"], {
            limit: maxPlaylistItems,
          }),
        );
      for (const [place, { assetId }] of added.entries())
        if (assetExists.get(assetId) === undefined)
          throw fieldFailure(
            "items",
            composeSentence(playerSentences["playlist-asset"], {
              field: `items[${place}].asset_id`,
              value: `"${assetId}"`,
            }),
          );
      writeItems(id, [...before.items, ...added], before.items);
      edits?.playlistChanged(before, stored(id));
      return true;
    },
  );

  const remove = database.transaction((id: string): void => {
    const { changes } = database
      .prepare("DELETE FROM playlists WHERE id = ?")
      .run(id);
    if (changes === 0) throw notFound(id);
    edits?.deleted("playlist", id);
  });

  function stored(id: string): Playlist {
    const [one] = playlistsFromRows(oneRow.all(id), itemsOfOne.all(id));
    if (!one) throw notFound(id);
    return one;
  }

  /** After a write: reads this playlist into the cache again, and no other. */
  function written(id: string): Playlist {
    const one = stored(id);
    cached?.set(id, one);
    changed.emit();
    return one;
  }

  function readAgain(): void {
    cached = null;
    changed.emit();
  }

  function refresh(
    ids: readonly string[],
    goneAssets: readonly string[],
  ): void {
    if (cached) cached = refreshed(cached, ids, new Set(goneAssets));
    changed.emit();
  }

  function refreshed(
    before: ReadonlyMap<string, Playlist>,
    ids: readonly string[],
    goneAssets: ReadonlySet<string>,
  ): Map<string, Playlist> {
    const all = new Map(before);
    const shorter = [...before.values()].filter(({ items: own }) =>
      own.some(({ assetId }) => goneAssets.has(assetId)),
    );
    for (const id of new Set([...ids, ...shorter.map((one) => one.id)])) {
      const [one] = playlistsFromRows(oneRow.all(id), itemsOfOne.all(id));
      if (one) all.set(id, one);
      else all.delete(id);
    }
    return new Map(
      [...all].sort(
        ([id, one], [otherId, other]) =>
          one.createdAt - other.createdAt || (id < otherId ? -1 : 1),
      ),
    );
  }

  return {
    all: () => [...byId().values()],
    playlist,
    create: (draft) => written(create.immediate(draft)),
    change: (id, changes, itemsRevision) => {
      change.immediate(id, changes, itemsRevision);
      return written(id);
    },
    append: (id, added, itemsRevision) => {
      const isWritten = append.immediate(id, added, itemsRevision);
      return isWritten ? written(id) : playlist(id);
    },
    remove: (id) => {
      remove.immediate(id);
      cached?.delete(id);
      changed.emit();
    },
    onChanged: changed.on,
    assetRemoved: (assetId) => {
      const isUsed = [...(cached?.values() ?? [])].some(({ items: own }) =>
        own.some((item) => item.assetId === assetId),
      );
      if (isUsed || cached === null) readAgain();
    },
    readAgain,
    refresh,
  };
}

/** As `makeId` generates them. */
const itemIdPattern = /^[0-9a-f]{32}$/;

const revisions = new WeakMap<readonly PlaylistItem[], string>();

/** The same items in the same order always give the same revision; any others give a different one. */
export function itemsRevisionOf({ items }: Pick<Playlist, "items">): string {
  const cached = revisions.get(items);
  if (cached !== undefined) return cached;
  const fields = items.map((item) => [
    ...[item.id, item.assetId, item.durationSeconds],
  ]);
  const hash = createHash("sha256")
    .update(JSON.stringify(fields))
    .digest("hex");
  const revision = hash.slice(0, 32);
  revisions.set(items, revision);
  return revision;
}

function requireRevision(
  playlist: Playlist,
  requested: string | undefined,
): void {
  if (requested === undefined || requested === itemsRevisionOf(playlist))
    return;
  throw new Failure(
    "conflict",
    composeSentence(playerSentences["playlist-changed"], { id: playlist.id }),
  );
}

function notFound(id: string): Failure {
  return new Failure(
    "not-found",
    composeSentence(generalSentences["id-unknown"], { kind: "playlist", id }),
  );
}
