// Trash: deleted assets and playlists, stored as they were, so that restoring one leaves nothing changed (V2-280).

import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { Failure } from "../../core/failure.ts";
import { freeName, numberedNames } from "../../core/unique-name.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { Uploads } from "../files/uploads.ts";
import type { Library } from "../library/library.ts";
import type { Playlists } from "../playlists/playlists.ts";

export type TrashKind = "asset" | "playlist";

export interface TrashEntry {
  readonly kind: TrashKind;
  readonly id: string;
  readonly name: string;
  readonly deletedAt: number;
}

export interface TrashSelection {
  readonly assetIds: readonly string[];
  readonly playlistIds: readonly string[];
}

/** A deletion by mistake is noticed within a month (V2-283). */
export const trashRetentionMs = 30 * 86_400_000;

export interface Trash {
  /** Newest first. */
  entries(): readonly TrashEntry[];
  /** All of them or none. Throws `not-found` for one that does not exist. */
  put(selection: TrashSelection): readonly TrashEntry[];
  /**
   * All of them or none; a name that has been taken in the meantime gets a number (V2-16). Throws `not-found`, and `conflict` for
   * one that a recovery has already brought back.
   */
  restore(selection: TrashSelection): readonly TrashEntry[];
  /** Deletes permanently. Throws `not-found`. */
  drop(id: string): Promise<void>;
  /** Permanently deletes everything that went into the trash before this moment. */
  empty(deletedBefore?: number): Promise<void>;
}

export interface TrashOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly playlists: Playlists;
  readonly uploads: Uploads;
  readonly now: () => number;
  readonly edits?: TrashEdits | undefined;
}

/** Notified of what a person deletes and restores, within the transaction (V2-562). */
export interface TrashEdits {
  deleted(kind: TrashKind, id: string): void;
  restored(kind: TrashKind, id: string): void;
}

type Row = Readonly<Record<string, string | number | null>>;

interface EntryRow {
  readonly number: number;
  readonly kind: TrashKind;
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly binned_at: number;
}

const tableOf = { asset: "assets", playlist: "playlists" } as const;

export function createTrash(options: TrashOptions): Trash {
  const { database, library, playlists, uploads, now, edits } = options;
  const all = database.prepare<[], EntryRow>(
    "SELECT * FROM bin ORDER BY number DESC",
  );
  const one = database.prepare<[string, string], EntryRow>(
    "SELECT * FROM bin WHERE kind = ? AND id = ?",
  );
  const keep = database.prepare(
    `INSERT OR REPLACE INTO bin (kind, id, name, value, file_hash, binned_at) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const forget = database.prepare("DELETE FROM bin WHERE kind = ? AND id = ?");

  const put = database.transaction(
    (selection: TrashSelection): readonly TrashEntry[] => {
      const at = now();
      // Playlists first: their items are stored with them, not with the assets.
      for (const [kind, id] of requested(selection)) throwAway(kind, id, at);
      return requested(selection).map(([kind, id]) =>
        entryOf(entryRow(kind, id)),
      );
    },
  );

  function throwAway(kind: TrashKind, id: string, at: number): void {
    const table = tableOf[kind];
    const row = database
      .prepare<[string], Row>(`SELECT * FROM ${table} WHERE id = ?`)
      .get(id);
    if (!row)
      throw new Failure(
        "not-found",
        composeSentence(generalSentences["id-unknown"], { kind, id }),
      );
    database
      .prepare(
        `INSERT OR REPLACE INTO bin_items SELECT id, playlist_id, place, asset_id, duration_seconds
         FROM playlist_items WHERE ${kind}_id = ?`,
      )
      .run(id);
    const hash = row.file_hash ?? null;
    keep.run(kind, id, row.name, JSON.stringify(row), hash, at);
    database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    edits?.deleted(kind, id);
  }

  const restore = database.transaction(
    (selection: TrashSelection): readonly TrashEntry[] =>
      // Assets first: the items of a playlist need theirs.
      [...requested(selection)].reverse().map(([kind, id]) => {
        const entry = entryRow(kind, id);
        restoreEntry(entry);
        return entryOf(entry);
      }),
  );

  function restoreEntry({ kind, id, value }: EntryRow): void {
    const row = JSON.parse(value) as Row;
    const table = tableOf[kind];
    // A recovery may already have brought it back, or given its id to another row.
    if (isThere(table, "id", id))
      throw new Failure(
        "conflict",
        composeSentence(playerSentences["id-taken"], { kind, id }),
      );
    const columns = Object.keys(row).filter(
      (column) => column !== "created" || !isThere(table, column, row.created),
    );
    const name = nameIn(table, String(row.name));
    database
      .prepare(
        `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((column) => `:${column}`).join()})`,
      )
      .run({ ...row, name });
    const bothThere = `asset_id IN (SELECT id FROM assets) AND playlist_id IN (SELECT id FROM playlists)`;
    database
      .prepare(
        `INSERT INTO playlist_items (id, playlist_id, place, asset_id, duration_seconds)
         SELECT id, playlist_id, place, asset_id, duration_seconds FROM bin_items
         WHERE ${kind}_id = ? AND ${bothThere}`,
      )
      .run(id);
    // An item whose other side (asset or playlist) is in the trash too is restored together with that one; an item whose other side
    // no longer exists is dropped.
    const other = kind === "asset" ? "playlist" : "asset";
    database
      .prepare(
        `DELETE FROM bin_items WHERE ${kind}_id = ?
         AND (${bothThere} OR ${other}_id NOT IN (SELECT id FROM bin WHERE kind = '${other}'))`,
      )
      .run(id);
    forget.run(kind, id);
    edits?.restored(kind, id);
  }

  function isThere(table: string, column: string, value: unknown): boolean {
    return (
      database
        .prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?`)
        .get(value) !== undefined
    );
  }

  function nameIn(table: string, requested: string): string {
    if (!isThere(table, "name", requested)) return requested;
    const taken = database
      .prepare<[string, string], string>(
        `SELECT name FROM ${table} WHERE name >= ? AND name < ?`,
      )
      .pluck()
      .all(...numberedNames(requested));
    return freeName(requested, new Set([requested, ...taken]));
  }

  function entryRow(kind: TrashKind, id: string): EntryRow {
    const row = one.get(kind, id);
    if (row) return row;
    throw new Failure(
      "not-found",
      composeSentence(generalSentences["trash-unknown"], { kind, id }),
    );
  }

  /** Returns the hashes that no row needs any more; their bytes may be deleted. */
  const dropAll = database.transaction(
    (entries: readonly EntryRow[]): readonly string[] => {
      for (const { kind, id } of entries) {
        forget.run(kind, id);
        database.prepare(`DELETE FROM bin_items WHERE ${kind}_id = ?`).run(id);
      }
      return library.dropUnneeded();
    },
  );

  const notifying =
    (write: (selection: TrashSelection) => readonly TrashEntry[]) =>
    (selection: TrashSelection) => {
      const entries = write(selection);
      library.notifyChanged(selection.assetIds);
      playlists.readAgain();
      return entries;
    };

  return {
    entries: () => all.all().map(entryOf),
    put: notifying(put.immediate),
    restore: notifying(restore.immediate),
    drop: async (id) => {
      const entries = all.all().filter((entry) => entry.id === id);
      if (entries.length === 0)
        throw new Failure(
          "not-found",
          composeSentence(playerSentences["trash-nothing"], { id }),
        );
      await uploads.forget(dropAll.immediate(entries));
    },
    empty: async (deletedBefore = Infinity) => {
      const entries = all
        .all()
        .filter(({ binned_at }) => binned_at < deletedBefore);
      if (entries.length > 0) await uploads.forget(dropAll.immediate(entries));
    },
  };
}

/** Duplicates in the request are ignored. */
function requested({
  assetIds,
  playlistIds,
}: TrashSelection): [TrashKind, string][] {
  return [
    ...[...new Set(playlistIds)].map((id): [TrashKind, string] => [
      "playlist",
      id,
    ]),
    ...[...new Set(assetIds)].map((id): [TrashKind, string] => ["asset", id]),
  ];
}

function entryOf({ kind, id, name, binned_at }: EntryRow): TrashEntry {
  return { kind, id, name, deletedAt: binned_at };
}
