// Local changes in SQLite: what a person changed in synced assets and playlists, stored as the change is made (V2-560 to V2-563).

import {
  fieldsOf,
  isEqual,
  sourceField,
  type AllLocalChanges,
  type LocalChanges,
} from "../../../core/sync-plan/sync-plan.ts";
import type { Asset } from "../../../core/asset.ts";
import type { Playlist } from "../../../core/playlist.ts";
import {
  localItem,
  type AssetFacts,
  type PlaylistFacts,
  type DesiredItem,
} from "../../../core/sync-plan/desired-content.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../../event-emitter.ts";
import { factsOfAsset, factsOfPlaylist, jsonFrom } from "./sync-rows.ts";

export type SyncedKind = "asset" | "playlist";

/** Changes of one asset or playlist, as they are listed. */
export interface ListedChanges {
  readonly connectionId: string;
  readonly kind: SyncedKind;
  /** The local identifier. */
  readonly id: string;
  /** Null if it neither exists here nor is wanted by the service. */
  readonly name: string | null;
  readonly isDeleted: boolean;
  readonly fields: readonly string[];
}

/** Everything except the listeners takes part in the transaction it is called in. */
export interface LocalChangeStore {
  /** `requestedName`: the name that was requested, if another one was given. */
  assetChanged(before: Asset, after: Asset, requestedName?: string): void;
  sourceReplaced(assetId: string): void;
  playlistChanged(
    before: Playlist,
    after: Playlist,
    requestedName?: string,
  ): void;
  deleted(kind: SyncedKind, id: string): void;
  /** Restored from the trash, it is no longer deleted; other changes remain recorded. */
  restored(kind: SyncedKind, id: string): void;
  /** Its bytes were deleted with it. */
  dropSource(connectionId: string, remoteId: string): void;
  of(connectionId: string, kind: SyncedKind): AllLocalChanges;
  list(): readonly ListedChanges[];
  /** Discards all changes, or the selected fields; returns false if there was nothing to discard. */
  giveUp(id: string, isMeant: ((field: string) => boolean) | null): boolean;
  /** Discards all changes of a connection; returns false if there was nothing to discard. */
  giveUpAll(connectionId: string): boolean;
  /** For stores from before local changes were recorded: infers them from what differs from the applied plan. */
  inferOld(
    assets: () => readonly Asset[],
    playlists: () => readonly Playlist[],
  ): void;
  /** Called after the transaction, with the connection whose asset or playlist was changed, deleted, restored or discarded. */
  onEdited(listener: (connectionId: string) => void): () => void;
  /** Called after the transaction: something may have to be set to what the service wants. */
  onGivenUp(listener: (connectionId: string) => void): () => void;
}

const deletedField = "deleted";
const tables = { asset: "sync_assets", playlist: "sync_playlists" } as const;

interface SyncedRow {
  readonly account_id: string;
  readonly remote_id: string;
  readonly applied: string;
}

interface ChangeRow {
  readonly account_id: string;
  readonly kind: SyncedKind;
  readonly remote_id: string;
  readonly id: string;
  readonly field: string;
  readonly value: string;
}

export function createLocalChanges(database: Sqlite): LocalChangeStore {
  const edited = createAnnouncement<string>();
  const givenUp = createAnnouncement<string>();
  const select = (kind: SyncedKind) =>
    database.prepare<[string], SyncedRow>(
      `SELECT account_id, remote_id, applied FROM ${tables[kind]} WHERE id = ?`,
    );
  const synced = { asset: select("asset"), playlist: select("playlist") };
  const put = database.prepare(
    `INSERT INTO sync_local_changes (account_id, kind, remote_id, id, field, value) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, kind, remote_id, field) DO UPDATE SET value = excluded.value`,
  );
  const drop = database.prepare<[SyncedKind, string, string], ChangeRow>(
    "DELETE FROM sync_local_changes WHERE kind = ? AND id = ? AND field = ? RETURNING *",
  );
  const dropOfRemote = database.prepare(
    "DELETE FROM sync_local_changes WHERE account_id = ? AND kind = 'asset' AND remote_id = ? AND field = ?",
  );
  const ofConnection = database.prepare<[string, SyncedKind], ChangeRow>(
    "SELECT * FROM sync_local_changes WHERE account_id = ? AND kind = ?",
  );
  const all = database.prepare<
    [],
    ChangeRow & { readonly name: string | null }
  >(
    `SELECT changes.*, coalesce(
         assets.name, playlists.name, bin.name,
         sync_assets.applied ->> 'name', sync_playlists.applied ->> 'name') AS name
       FROM sync_local_changes AS changes
       LEFT JOIN assets ON changes.kind = 'asset' AND assets.id = changes.id
       LEFT JOIN playlists ON changes.kind = 'playlist' AND playlists.id = changes.id
       LEFT JOIN bin ON bin.kind = changes.kind AND bin.id = changes.id
       LEFT JOIN sync_assets ON changes.kind = 'asset' AND sync_assets.id = changes.id
       LEFT JOIN sync_playlists ON changes.kind = 'playlist' AND sync_playlists.id = changes.id
       ORDER BY changes.account_id, changes.kind, changes.remote_id, changes.field`,
  );
  const dropAll = database.prepare<[string]>(
    "DELETE FROM sync_local_changes WHERE account_id = ?",
  );
  const ofId = database.prepare<[string], ChangeRow>(
    "SELECT * FROM sync_local_changes WHERE id = ?",
  );

  /** Listeners read what was written, so they are called after the transaction. */
  function emitSoon(
    announcement: { emit(connectionId: string): void },
    connectionId: string,
  ): void {
    queueMicrotask(() => announcement.emit(connectionId));
  }

  function putField(
    kind: SyncedKind,
    id: string,
    {
      account_id: connectionId,
      remote_id: remoteId,
    }: Omit<SyncedRow, "applied">,
    field: string,
    value: unknown,
  ): void {
    const text = JSON.stringify(value ?? null);
    put.run(connectionId, kind, remoteId, id, field, text);
  }

  /** A value that is set back to what the service wants is no longer a local change (V2-561). */
  function noteFields(
    kind: SyncedKind,
    id: string,
    row: SyncedRow,
    before: AssetFacts | PlaylistFacts,
    after: AssetFacts | PlaylistFacts,
    requestedName: string | undefined,
    stored: (field: string, value: unknown) => unknown = (_field, value) =>
      value,
  ): void {
    const applied = jsonFrom(row.applied) as AssetFacts | PlaylistFacts;
    const theirs = fieldsOf(applied);
    const was = fieldsOf(before);
    for (const [field, value] of fieldsOf(after)) {
      if (isEqual(value, was.get(field))) continue;
      const isTheirs =
        isEqual(value, theirs.get(field)) ||
        (field === "name" && requestedName === theirs.get(field));
      if (isTheirs) drop.run(kind, id, field);
      else putField(kind, id, row, field, stored(field, value));
    }
    emitSoon(edited, row.account_id);
  }

  /** Items by local identifiers, which outlive those of the service. */
  function itemsHere({ items }: Playlist): unknown {
    return items.map(({ assetId, durationSeconds }) => ({
      ...{ assetId, durationSeconds },
    }));
  }

  const remoteIdOf = (assetId: string): string | undefined =>
    synced.asset.get(assetId)?.remote_id;

  return {
    assetChanged: (before, after, requestedName) => {
      const row = synced.asset.get(after.id);
      if (!row) return;
      const [was, is] = [factsOfAsset(before), factsOfAsset(after)];
      noteFields("asset", after.id, row, was, is, requestedName);
    },
    sourceReplaced: (assetId) => {
      const row = synced.asset.get(assetId);
      if (!row) return;
      putField("asset", assetId, row, sourceField, true);
      emitSoon(edited, row.account_id);
    },
    playlistChanged: (before, after, requestedName) => {
      const row = synced.playlist.get(after.id);
      if (!row) return;
      const [was, is] = [before, after].map((one) =>
        factsOfPlaylist(one, remoteIdOf),
      ) as [PlaylistFacts, PlaylistFacts];
      noteFields(
        "playlist",
        after.id,
        row,
        was,
        is,
        requestedName,
        (field, value) => (field === "items" ? itemsHere(after) : value),
      );
    },
    deleted: (kind, id) => {
      const row = synced[kind].get(id);
      if (!row) return;
      putField(kind, id, row, deletedField, true);
      emitSoon(edited, row.account_id);
    },
    restored: (kind, id) => {
      const row = drop.get(kind, id, deletedField);
      if (row) emitSoon(givenUp, row.account_id);
    },
    dropSource: (connectionId, remoteId) => {
      dropOfRemote.run(connectionId, remoteId, sourceField);
    },
    of: (connectionId, kind) => {
      const changes = new Map<
        string,
        { isDeleted: boolean; readonly fields: Map<string, unknown> }
      >();
      for (const row of ofConnection.all(connectionId, kind)) {
        const known = changes.get(row.remote_id) ?? {
          ...{ isDeleted: false, fields: new Map<string, unknown>() },
        };
        changes.set(row.remote_id, known);
        if (row.field === deletedField) known.isDeleted = true;
        else known.fields.set(row.field, jsonFrom(row.value));
      }
      return changes satisfies ReadonlyMap<string, LocalChanges>;
    },
    list: () => {
      const listed = new Map<string, ListedChanges>();
      for (const row of all.all()) {
        const { account_id: connectionId, kind, id, name, field } = row;
        const key = `${kind} ${id}`;
        const known = listed.get(key) ?? {
          ...{ connectionId, kind, id, name, isDeleted: false, fields: [] },
        };
        listed.set(
          key,
          field === deletedField
            ? { ...known, isDeleted: true }
            : { ...known, fields: [...known.fields, field] },
        );
      }
      return [...listed.values()];
    },
    giveUp: (id, isMeant) => {
      const rows = ofId.all(id).filter(({ field }) => isMeant?.(field) ?? true);
      for (const { kind, field } of rows) drop.run(kind, id, field);
      for (const connectionId of new Set(rows.map((row) => row.account_id)))
        emitSoon(givenUp, connectionId);
      return rows.length > 0;
    },
    giveUpAll: (connectionId) => {
      const { changes } = dropAll.run(connectionId);
      if (changes > 0) emitSoon(givenUp, connectionId);
      return changes > 0;
    },
    inferOld: (assets, playlists) => {
      for (const kind of ["asset", "playlist"] as const) {
        const old = database.prepare<[], SyncedRow & { readonly id: string }>(
          `SELECT * FROM ${tables[kind]} WHERE knows_changes = 0`,
        );
        const rows = old.all();
        if (rows.length === 0) continue;
        const there: readonly (Asset | Playlist)[] =
          kind === "asset" ? assets() : playlists();
        const byId = new Map(there.map((one) => [one.id, one]));
        for (const row of rows) {
          const { id } = row;
          const one = byId.get(id);
          if (!one) putField(kind, id, row, deletedField, true);
          else inferFields(kind, one, row);
        }
        database.exec(
          `UPDATE ${tables[kind]} SET knows_changes = 1 WHERE knows_changes = 0`,
        );
      }
    },
    onEdited: edited.on,
    onGivenUp: givenUp.on,
  };

  function inferFields(
    kind: SyncedKind,
    one: Asset | Playlist,
    row: SyncedRow,
  ): void {
    const applied = jsonFrom(row.applied) as AssetFacts & PlaylistFacts;
    const isPlaylist = "items" in one;
    const now = isPlaylist
      ? factsOfPlaylist(one, remoteIdOf)
      : factsOfAsset(one);
    const theirs = fieldsOf(withoutMissing(applied, row.account_id));
    for (const [field, value] of fieldsOf(now)) {
      if (isEqual(value, theirs.get(field))) continue;
      const stored = isPlaylist && field === "items" ? itemsHere(one) : value;
      putField(kind, one.id, row, field, stored);
    }
    if (!isPlaylist && one.uri.startsWith("upload:"))
      putField(kind, one.id, row, sourceField, true);
  }

  /** Items that disappeared because their asset was deleted locally are no change of the playlist. */
  function withoutMissing(
    facts: AssetFacts & PlaylistFacts,
    connectionId: string,
  ): AssetFacts & PlaylistFacts {
    if (!Array.isArray(facts.items)) return facts;
    const select = database
      .prepare<[string], string>(
        "SELECT remote_id FROM sync_assets JOIN assets USING (id) WHERE account_id = ?",
      )
      .pluck();
    const known = new Set(select.all(connectionId));
    const all: readonly DesiredItem[] = facts.items;
    const items = all.filter(
      ({ assetId }) => assetId.startsWith(localItem) || known.has(assetId),
    );
    return { ...facts, items };
  }
}
