// SQLite rows of sync: connections, plans, which connection each asset, playlist and file belongs to, and the columns of synced facts.

import type { Sliced } from "../../../core/slices.ts";
import {
  type AssetFacts,
  type PlaylistFacts,
  type DesiredContent,
  localItem,
} from "../../../core/sync-plan/desired-content.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import type { Asset } from "../../../core/asset.ts";
import type { Playlist } from "../../../core/playlist.ts";
import {
  extrasOf,
  extrasToText,
  type ExtraParts,
} from "../../library/asset-extras.ts";
import type { Columns } from "../../library/asset-row.ts";

export interface StoredConnection {
  readonly id: string;
  /** Settings by the operator and memory of the sync, each as it was saved. */
  readonly value: unknown;
  readonly memory: unknown;
}

export interface StoredPlan {
  readonly id: string;
  /** Hash of the desired state. */
  readonly target: string;
  readonly at: number;
  readonly isCurrent: boolean;
  /** Received, and not applied yet. */
  readonly isWaiting: boolean;
  readonly content: DesiredContent;
}

/** Content received through a connection, by the identifier of the service. */
export interface SyncedItem<Facts> {
  readonly remoteId: string;
  readonly id: string;
  readonly applied: Facts;
}

interface PlanRow {
  readonly id: string;
  readonly target: string;
  readonly at: number;
  readonly is_current: number;
  readonly is_waiting: number;
  readonly wanted: string;
}

interface SyncedItemRow {
  readonly remote_id: string;
  readonly id: string;
  readonly applied: string;
}

interface SyncedItemRows<Facts> {
  /** By the identifier of the service; read in slices if it is not cached. */
  all(connectionId: string): Sliced<ReadonlyMap<string, SyncedItem<Facts>>>;
  put(connectionId: string, remoteId: string, id: string, applied: Facts): void;
  drop(connectionId: string, remoteId: string): void;
}

/** Each takes part in the transaction it is called in. Only one process writes these rows, so what was read is cached. */
export interface SyncRows {
  /** Drops the cache: the tables were written by something else, or a transaction was rolled back. */
  forget(): void;
  connections(): readonly StoredConnection[];
  saveConnection(id: string, value: object): void;
  saveMemory(id: string, memory: object): void;
  dropConnection(id: string): void;
  /** Newest first. */
  plans(connectionId: string): readonly StoredPlan[];
  putPlan(connectionId: string, plan: StoredPlan): void;
  noneIsCurrent(connectionId: string): void;
  dropPlan(id: string): void;
  dropWaiting(connectionId: string): void;
  readonly assets: SyncedItemRows<AssetFacts>;
  readonly playlists: SyncedItemRows<PlaylistFacts>;
  /** SHA-256 by MD5 of every verified file. */
  files(): ReadonlyMap<string, string>;
  /** Null for bytes that no service vouched for. */
  md5Of(hash: string): string | null;
  putFile(md5: string, hash: string): void;
  dropFile(md5: string): void;
}

export function createSyncRows(database: Sqlite): SyncRows {
  const assets = createSyncedItemRows<AssetFacts>(database, "sync_assets");
  const playlists = createSyncedItemRows<PlaylistFacts>(
    database,
    "sync_playlists",
  );
  let filesCache: Map<string, string> | null = null;
  const connections = database.prepare<
    [],
    { id: string; value: string; memory: string }
  >("SELECT id, value, memory FROM sync_accounts ORDER BY place");
  const saveConnection = database.prepare<[string, string]>(
    `INSERT INTO sync_accounts (id, value) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET value = excluded.value`,
  );
  const saveMemory = database.prepare<[string, string]>(
    "UPDATE sync_accounts SET memory = ? WHERE id = ?",
  );
  const dropConnection = database.prepare<[string]>(
    "DELETE FROM sync_accounts WHERE id = ?",
  );
  const plans = database.prepare<[string], PlanRow>(
    "SELECT * FROM sync_plans WHERE account_id = ? ORDER BY number DESC",
  );
  const putPlan = database.prepare(
    `INSERT INTO sync_plans (id, account_id, target, at, is_current, is_waiting, wanted)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const noneIsCurrent = database.prepare(
    "UPDATE sync_plans SET is_current = 0 WHERE account_id = ?",
  );
  const dropPlan = database.prepare("DELETE FROM sync_plans WHERE id = ?");
  const dropWaiting = database.prepare(
    "DELETE FROM sync_plans WHERE account_id = ? AND is_waiting = 1",
  );
  const files = database.prepare<[], { md5: string; file_hash: string }>(
    "SELECT md5, file_hash FROM sync_files",
  );
  const md5Of = database
    .prepare<[string], string>(
      "SELECT md5 FROM sync_files WHERE file_hash = ? LIMIT 1",
    )
    .pluck();
  const putFile = database.prepare(
    `INSERT INTO sync_files (md5, file_hash) VALUES (?, ?)
     ON CONFLICT (md5) DO UPDATE SET file_hash = excluded.file_hash`,
  );
  const dropFile = database.prepare("DELETE FROM sync_files WHERE md5 = ?");
  return {
    connections: () =>
      connections.all().map(({ id, value, memory }) => ({
        id,
        value: jsonFrom(value),
        memory: jsonFrom(memory),
      })),
    saveConnection: (id, value) => {
      saveConnection.run(id, JSON.stringify(value));
    },
    saveMemory: (id, memory) => {
      saveMemory.run(JSON.stringify(memory), id);
    },
    dropConnection: (id) => {
      dropConnection.run(id);
      assets.forget();
      playlists.forget();
    },
    plans: (connectionId) =>
      plans.all(connectionId).map((row) => ({
        id: row.id,
        target: row.target,
        at: row.at,
        isCurrent: row.is_current === 1,
        isWaiting: row.is_waiting === 1,
        content: contentFrom(row.wanted),
      })),
    putPlan: (
      connectionId,
      { id, target, at, isCurrent, isWaiting, content },
    ) => {
      const flags = [Number(isCurrent), Number(isWaiting)];
      const text = JSON.stringify(content);
      putPlan.run(id, connectionId, target, at, ...flags, text);
    },
    noneIsCurrent: (connectionId) => {
      noneIsCurrent.run(connectionId);
    },
    dropPlan: (id) => {
      dropPlan.run(id);
    },
    dropWaiting: (connectionId) => {
      dropWaiting.run(connectionId);
    },
    ...{ assets, playlists },
    forget: () => {
      assets.forget();
      playlists.forget();
      filesCache = null;
    },
    files: () =>
      (filesCache ??= new Map(
        files.all().map((row) => [row.md5, row.file_hash] as const),
      )),
    md5Of: (hash) => md5Of.get(hash) ?? null,
    putFile: (md5, hash) => {
      putFile.run(md5, hash);
      filesCache?.set(md5, hash);
    },
    dropFile: (md5) => {
      dropFile.run(md5);
      filesCache?.delete(md5);
    },
  };
}

/** Number of rows read and parsed at once. */
const rowsAtOnce = 250;

function createSyncedItemRows<Facts extends AssetFacts | PlaylistFacts>(
  database: Sqlite,
  table: "sync_assets" | "sync_playlists",
): SyncedItemRows<Facts> & { forget(): void } {
  const after = database.prepare<[string, string, number], SyncedItemRow>(
    `SELECT remote_id, id, applied FROM ${table} WHERE account_id = ? AND remote_id > ? ORDER BY remote_id LIMIT ?`,
  );
  const put = database.prepare(
    `INSERT INTO ${table} (account_id, remote_id, id, applied, knows_changes) VALUES (?, ?, ?, ?, 1)
     ON CONFLICT (account_id, remote_id) DO UPDATE SET applied = excluded.applied`,
  );
  const drop = database.prepare(
    `DELETE FROM ${table} WHERE account_id = ? AND remote_id = ?`,
  );
  /** By connection. */
  let cache = new Map<string, Map<string, SyncedItem<Facts>>>();
  /** Changes with every write: what was read in the meantime may be outdated. */
  let writes = 0;

  function changed(
    connectionId: string,
    change: (all: Map<string, SyncedItem<Facts>>) => void,
  ): void {
    writes += 1;
    const all = cache.get(connectionId);
    if (all) change(all);
  }

  function* read(
    connectionId: string,
  ): Sliced<ReadonlyMap<string, SyncedItem<Facts>>> {
    const begun = writes;
    const all = new Map<string, SyncedItem<Facts>>();
    for (let last = ""; ;) {
      const rows = after.all(connectionId, last, rowsAtOnce);
      for (const { remote_id: remoteId, id, applied } of rows) {
        const facts = jsonFrom(applied) as Facts;
        all.set(remoteId, { remoteId, id, applied: facts });
        last = remoteId;
      }
      if (rows.length < rowsAtOnce) break;
      yield;
    }
    if (begun !== writes) return yield* read(connectionId);
    cache.set(connectionId, all);
    return all;
  }

  return {
    all: function* (connectionId) {
      return cache.get(connectionId) ?? (yield* read(connectionId));
    },
    put: (connectionId, remoteId, id, applied) => {
      put.run(connectionId, remoteId, id, JSON.stringify(applied));
      changed(connectionId, (all) =>
        all.set(remoteId, { remoteId, id, applied }),
      );
    },
    drop: (connectionId, remoteId) => {
      drop.run(connectionId, remoteId);
      changed(connectionId, (all) => all.delete(remoteId));
    },
    forget: () => {
      writes += 1;
      cache = new Map();
    },
  };
}

/** Rows written by other programs or old versions may contain anything. */
function contentFrom(text: string): DesiredContent {
  const value = jsonFrom(text);
  if (
    !isRecord(value) ||
    !Array.isArray(value["assets"]) ||
    !Array.isArray(value["playlists"])
  )
    return { assets: [], playlists: [] };
  return value as unknown as DesiredContent;
}

/** Parses JSON of a row; whatever a row contains, reading it does not fail. */
export function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function factsOfAsset(asset: Asset): AssetFacts {
  const { name, uri, mimetype, startsAt, endsAt, durationSeconds } = asset;
  const { isEnabled, isPlaylistOnly, presentation, web, metadata } = asset;
  return {
    ...{ name, uri, mimetype, startsAt, endsAt, durationSeconds, isEnabled },
    ...{ isPlaylistOnly, presentation, web, metadata },
  };
}

/** `remoteIdOf` returns the service's identifier of an asset, or null if no service has it. */
export function factsOfPlaylist(
  playlist: Playlist,
  remoteIdOf: (assetId: string) => string | undefined,
): PlaylistFacts {
  const { name, predicate, priority, isEnabled, transition } = playlist;
  return {
    ...{ name, predicate, priority, isEnabled, transition },
    isShuffled: playlist.isShuffled,
    createdAt: playlist.createdAt,
    items: playlist.items.map(({ assetId, durationSeconds }) => ({
      assetId: remoteIdOf(assetId) ?? `${localItem}${assetId}`,
      durationSeconds,
    })),
  };
}

const plainColumns = {
  name: "name",
  uri: "uri",
  mimetype: "mimetype",
  startsAt: "starts_at",
  endsAt: "ends_at",
  durationSeconds: "duration_seconds",
  isEnabled: "is_enabled",
} as const;

/** The columns that a change writes; hours and everything else that a service does not send stays as in `before`. */
export function columnsOfFacts(
  change: Partial<AssetFacts>,
  before: ExtraParts,
): Columns {
  const columns = new Map<string, string | number | null>();
  for (const [field, column] of Object.entries(plainColumns)) {
    const value = change[field as keyof typeof plainColumns];
    if (value !== undefined)
      columns.set(column, typeof value === "boolean" ? Number(value) : value);
  }
  const { presentation, web, metadata, isPlaylistOnly } = change;
  const parts = { presentation, web, metadata, isPlaylistOnly };
  const sent = Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(sent).length > 0)
    columns.set("extras", extrasToText(extrasOf({ ...before, ...sent })));
  return columns;
}
