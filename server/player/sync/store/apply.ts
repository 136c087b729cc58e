// Applies a sync plan to the database in one transaction: writes exactly the rows that the plan names.

import type {
  AssetWrite,
  PlaylistWrite,
  SyncPlan,
} from "../../../core/sync-plan/sync-plan.ts";
import {
  localItem,
  type PlaylistFacts,
} from "../../../core/sync-plan/desired-content.ts";
import { systemCode } from "../../../platform/outside-error.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import { partsFromText } from "../../library/asset-extras.ts";
import { columnsOfPlaylist } from "../../playlists/playlist-row.ts";
import { columnsOfFacts, type SyncRows } from "./sync-rows.ts";
import type { LocalChangeStore } from "./local-changes.ts";

/** Returns what could not be written, by the identifiers of the service: those rows stay as they were. */
export type ApplySync = (
  connectionId: string,
  plan: SyncPlan,
) => readonly string[];

/** Local identifiers differ from the service's: two connections may have the same asset, each under its own rules. */
export function localIdOf(connectionId: string, remoteId: string): string {
  return `${connectionId}-${remoteId}`;
}

/** Must be called inside a transaction. */
export function createSyncApply(
  database: Sqlite,
  rows: SyncRows,
  localChanges: Pick<LocalChangeStore, "dropSource">,
  makeId: () => string,
): ApplySync {
  const dropAsset = database.prepare("DELETE FROM assets WHERE id = ?");
  const dropPlaylist = database.prepare("DELETE FROM playlists WHERE id = ?");
  const extrasOfAsset = database
    .prepare<[string], string | null>("SELECT extras FROM assets WHERE id = ?")
    .pluck();
  const extrasInTrash = database
    .prepare<[string], string | null>(
      "SELECT value ->> 'extras' FROM bin WHERE kind = 'asset' AND id = ?",
    )
    .pluck();
  const lastOrder = database
    .prepare<[], number | null>("SELECT max(play_order) FROM assets")
    .pluck();
  const rename = {
    assets: database.prepare("UPDATE assets SET name = ? WHERE id = ?"),
    playlists: database.prepare("UPDATE playlists SET name = ? WHERE id = ?"),
  };
  const nameOf = {
    assets: database
      .prepare<[string], string>("SELECT name FROM assets WHERE id = ?")
      .pluck(),
    playlists: database
      .prepare<[string], string>("SELECT name FROM playlists WHERE id = ?")
      .pluck(),
  };
  const setFile = database.prepare<[string | null, string]>(
    "UPDATE assets SET file_hash = ?, problem = NULL, is_processing = 0, processing_sent = NULL WHERE id = ?",
  );
  const insertAsset = database.prepare<{ id: string; order: number }>(
    `INSERT INTO assets (id, name, uri, mimetype, duration_seconds, is_enabled, play_order)
     VALUES (:id, '~' || :id, '', '', 0, 0, :order)`,
  );
  // A playlist that had become local content belongs to the service again.
  const insertPlaylist = database.prepare<{ id: string }>(
    `INSERT INTO playlists (id, name, predicate, priority, is_enabled, groups, created_at)
     VALUES (:id, '~' || :id, 'FALSE', 0, 0, '[]', 0) ON CONFLICT DO NOTHING`,
  );
  const itemsOf = database.prepare<[string], { id: string; asset_id: string }>(
    "SELECT id, asset_id FROM playlist_items WHERE playlist_id = ? ORDER BY place",
  );
  const dropItems = database.prepare(
    "DELETE FROM playlist_items WHERE playlist_id = ?",
  );
  const insertItem = database.prepare(
    `INSERT INTO playlist_items (id, playlist_id, place, asset_id, duration_seconds)
     SELECT ?, ?, ?, id, ? FROM assets WHERE id = ?`,
  );
  const inTrash = {
    asset: [
      database.prepare("DELETE FROM bin WHERE kind = 'asset' AND id = ?"),
      database.prepare("DELETE FROM bin_items WHERE asset_id = ?"),
    ],
    playlist: [
      database.prepare("DELETE FROM bin WHERE kind = 'playlist' AND id = ?"),
      database.prepare("DELETE FROM bin_items WHERE playlist_id = ?"),
    ],
  };
  const updates = new Map<string, ReturnType<typeof prepareUpdate>>();
  const prepareUpdate = (table: string, set: string) =>
    database.prepare<(string | number | null)[]>(
      `UPDATE ${table} SET ${set} WHERE id = ?`,
    );

  function update(
    table: "assets" | "playlists",
    id: string,
    columns: ReadonlyMap<string, string | number | null>,
  ): void {
    if (columns.size === 0) return;
    const set = [...columns.keys()].map((column) => `${column} = ?`).join();
    const key = `${table} ${set}`;
    const statement = updates.get(key) ?? prepareUpdate(table, set);
    updates.set(key, statement);
    statement.run(...columns.values(), id);
  }

  /** An asset that is back is not in the trash as well (V2-657). */
  function removeFromTrash(kind: keyof typeof inTrash, id: string): void {
    for (const drop of inTrash[kind]) drop.run(id);
  }

  function writeAsset(
    id: string,
    write: AssetWrite,
    files: ReadonlyMap<string, string>,
  ): void {
    // Folder and hours are local to this player: they come back from the trash along with the asset (V2-682).
    const extras = extrasOfAsset.get(id) ?? extrasInTrash.get(id) ?? null;
    if (write.isNew) removeFromTrash("asset", id);
    // An asset that had become local content belongs to the service again.
    if (write.isNew && extrasOfAsset.get(id) === undefined)
      insertAsset.run({ id, order: (lastOrder.get() ?? -1) + 1 });
    update("assets", id, columnsOfFacts(write.change, partsFromText(extras)));
    if (write.isFileChanged)
      setFile.run(
        write.md5 === null ? null : (files.get(write.md5) ?? null),
        id,
      );
  }

  function writePlaylist(
    connectionId: string,
    id: string,
    { change, isNew, applied }: PlaylistWrite,
  ): void {
    if (isNew) {
      removeFromTrash("playlist", id);
      insertPlaylist.run({ id });
    }
    const all = columnsOfPlaylist({ ...applied, ...change, groups: [] });
    const columns = new Map(
      Object.keys(change)
        .filter((field) => field in playlistColumns)
        .map((field) => {
          const [column, value] = playlistColumn(field, all, change);
          return [column, value];
        }),
    );
    update("playlists", id, columns);
    if (change.items) writeItems(connectionId, id, change.items);
  }

  /** Existing items keep their identifiers, so that their playhead is not lost. */
  function writeItems(
    connectionId: string,
    id: string,
    items: PlaylistFacts["items"],
  ): void {
    const left = new Map<string, string[]>();
    for (const item of itemsOf.all(id))
      left.set(item.asset_id, [...(left.get(item.asset_id) ?? []), item.id]);
    dropItems.run(id);
    for (const [place, { assetId: ref, durationSeconds }] of items.entries()) {
      const assetId = ref.startsWith(localItem)
        ? ref.slice(localItem.length)
        : localIdOf(connectionId, ref);
      const itemId = left.get(assetId)?.shift() ?? makeId();
      insertItem.run(itemId, id, place, durationSeconds, assetId);
    }
  }

  const inSavepoint = database.transaction((write: () => void) => write());

  /** A row that the database rejects does not hold up others (V2-550); any other error concerns all of them. */
  function isWritten(write: () => void): boolean {
    try {
      inSavepoint(write);
      return true;
    } catch (error) {
      if (isOfOneRow(error)) return false;
      throw error;
    }
  }

  return (connectionId, plan) => {
    const idOf = (remoteId: string): string =>
      localIdOf(connectionId, remoteId);
    const files = rows.files();
    const unwritten: string[] = [];
    const namesBefore = new Map<string, string>();
    for (const remoteId of plan.forgetPlaylists) {
      dropPlaylist.run(idOf(remoteId));
      rows.playlists.drop(connectionId, remoteId);
    }
    for (const remoteId of plan.forgetAssets) {
      dropAsset.run(idOf(remoteId));
      rows.assets.drop(connectionId, remoteId);
      localChanges.dropSource(connectionId, remoteId);
    }
    // Two rows that swap names would collide with each other.
    for (const table of ["assets", "playlists"] as const)
      for (const { remoteId, change } of plan[table])
        if (change.name !== undefined) {
          const name = nameOf[table].get(idOf(remoteId));
          if (name !== undefined) namesBefore.set(idOf(remoteId), name);
          rename[table].run(`~${idOf(remoteId)}`, idOf(remoteId));
        }
    const leave = (table: "assets" | "playlists", remoteId: string): void => {
      unwritten.push(remoteId);
      const name = namesBefore.get(idOf(remoteId));
      // If its name has been given to another row, it stays without one for now.
      if (name !== undefined)
        isWritten(() => rename[table].run(name, idOf(remoteId)));
    };
    for (const write of plan.assets) {
      const { remoteId, applied } = write;
      const id = idOf(remoteId);
      const isDone = isWritten(() => {
        writeAsset(id, write, files);
        rows.assets.put(connectionId, remoteId, id, applied);
      });
      if (!isDone) leave("assets", remoteId);
    }
    for (const write of plan.playlists) {
      const { remoteId, applied } = write;
      const id = idOf(remoteId);
      const isDone = isWritten(() => {
        writePlaylist(connectionId, id, write);
        rows.playlists.put(connectionId, remoteId, id, applied);
      });
      if (!isDone) leave("playlists", remoteId);
    }
    return unwritten;
  };
}

/** The error is caused by the values of one row, not by the disk, the file or a lock. */
function isOfOneRow(error: unknown): boolean {
  const code = systemCode(error) ?? "";
  return /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/.test(code);
}

const playlistColumns = {
  name: "name",
  predicate: "predicate",
  priority: "priority",
  isEnabled: "is_enabled",
  transition: "transition",
  isShuffled: "is_shuffled",
  createdAt: "created_at",
} as const;

function playlistColumn(
  field: string,
  all: ReturnType<typeof columnsOfPlaylist>,
  change: Partial<PlaylistFacts>,
): readonly [string, string | number | null] {
  const column = playlistColumns[field as keyof typeof playlistColumns];
  return field === "createdAt"
    ? [column, change.createdAt ?? 0]
    : [column, all[field as keyof typeof all]];
}
