// Playlists in SQLite, in order of creation; says when something changed.

import { Failure, fieldFailure } from "../core/failure.ts";
import type { Playlist, PlaylistItem } from "../core/playlist.ts";
import type { Sqlite } from "../platform/sqlite.ts";
import { createAnnouncement } from "./announcement.ts";
import {
  columnsOfPlaylist,
  playlistsFromRows,
  type ItemRow,
  type PlaylistRow,
} from "./playlist-row.ts";

/** What a creation brings. */
export interface PlaylistDraft extends Omit<
  Playlist,
  "id" | "items" | "createdAt"
> {
  readonly items: readonly Omit<PlaylistItem, "id">[];
}

/** A field left out stays as it is; items are replaced as a whole (V2-112). */
export type PlaylistChange = {
  readonly [Field in keyof PlaylistDraft]?: PlaylistDraft[Field] | undefined;
};

export interface Playlists {
  /** In order of creation. */
  all(): readonly Playlist[];
  /** Throws `not-found`. */
  playlist(id: string): Playlist;
  /** One transaction each; `invalid` on `items` when an asset is not there. */
  create(draft: PlaylistDraft): Playlist;
  change(id: string, change: PlaylistChange): Playlist;
  remove(id: string): void;
  onChanged(listener: () => void): () => void;
  /** Its turns are gone with it. */
  assetRemoved(assetId: string): void;
  /** Its tables were written by other means than these. */
  readAgain(): void;
}

export interface PlaylistsOptions {
  readonly database: Sqlite;
  readonly now: () => number;
  /** 32 lower-case hex digits by chance. */
  readonly makeId: () => string;
}

export function createPlaylists(options: PlaylistsOptions): Playlists {
  const { database, now, makeId } = options;
  const changed = createAnnouncement();
  const rows = database.prepare<[], PlaylistRow>(
    "SELECT * FROM playlists ORDER BY created_at, created",
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
  const nameTaken = database
    .prepare<[string, string], number>(
      "SELECT 1 FROM playlists WHERE name = ? AND id <> ?",
    )
    .pluck();
  const assetKnown = database
    .prepare<[string], number>("SELECT 1 FROM assets WHERE id = ?")
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

  /** Only one process writes them; a map keeps the place of what is replaced and puts what is new at the end. */
  let known: Map<string, Playlist> | null = null;
  function byId(): Map<string, Playlist> {
    known ??= new Map(
      playlistsFromRows(rows.all(), items.all()).map((one) => [one.id, one]),
    );
    return known;
  }

  function playlist(id: string): Playlist {
    const found = byId().get(id);
    if (!found) throw notFound(id);
    return found;
  }

  /** The name itself, else with `-1`, `-2` … behind it, as with assets (V2-16). */
  function uniqueName(wished: string, id: string): string {
    let name = wished;
    for (let number = 1; nameTaken.get(name, id) !== undefined; number += 1)
      name = `${wished}-${number}`;
    return name;
  }

  /** What is there already keeps its identifier: whoever plays it does not lose its place. */
  function writeItems(
    id: string,
    wished: PlaylistDraft["items"],
    before: readonly PlaylistItem[],
  ): void {
    const left = new Map<string, string[]>();
    for (const item of before)
      left.set(item.assetId, [...(left.get(item.assetId) ?? []), item.id]);
    dropItems.run(id);
    wished.forEach(({ assetId, durationSeconds }, place) => {
      if (assetKnown.get(assetId) === undefined)
        throw fieldFailure(
          "items",
          `Item ${place + 1}: there is no asset ${assetId}.`,
        );
      const itemId = left.get(assetId)?.shift() ?? makeId();
      insertItem.run(itemId, id, place, assetId, durationSeconds);
    });
  }

  const create = database.transaction((draft: PlaylistDraft): string => {
    const id = makeId();
    // The clock may be set back, and the older plays first all the same.
    const createdAt = Math.max(now(), (newest.get() ?? -Infinity) + 1);
    const name = uniqueName(draft.name, id);
    insert.run({ ...columnsOfPlaylist({ ...draft, name }), id, createdAt });
    writeItems(id, draft.items, []);
    return id;
  });

  const change = database.transaction(
    (id: string, wish: PlaylistChange): void => {
      const before = playlist(id);
      const sent = Object.entries(wish).filter(
        ([, value]) => value !== undefined,
      );
      const after: PlaylistDraft = { ...before, ...Object.fromEntries(sent) };
      const name = uniqueName(after.name, id);
      update.run({ ...columnsOfPlaylist({ ...after, name }), id });
      if (wish.items) writeItems(id, wish.items, before.items);
    },
  );

  const remove = database.transaction((id: string): void => {
    const { changes } = database
      .prepare("DELETE FROM playlists WHERE id = ?")
      .run(id);
    if (changes === 0) throw notFound(id);
  });

  /** It was written: what is kept of it is read again, and of the others nothing. */
  function written(id: string): Playlist {
    const [one] = playlistsFromRows(oneRow.all(id), itemsOfOne.all(id));
    if (!one) throw notFound(id);
    known?.set(id, one);
    changed.tell();
    return one;
  }

  function readAgain(): void {
    known = null;
    changed.tell();
  }

  return {
    all: () => [...byId().values()],
    playlist,
    create: (draft) => written(create.immediate(draft)),
    change: (id, wish) => {
      change.immediate(id, wish);
      return written(id);
    },
    remove: (id) => {
      remove.immediate(id);
      known?.delete(id);
      changed.tell();
    },
    onChanged: changed.on,
    assetRemoved: (assetId) => {
      const isUsed = [...(known?.values() ?? [])].some(({ items: own }) =>
        own.some((item) => item.assetId === assetId),
      );
      if (isUsed || known === null) readAgain();
    },
    readAgain,
  };
}

function notFound(id: string): Failure {
  return new Failure("not-found", `There is no playlist ${id}.`);
}
