// The player's state, read from its database and its disk independently of its own code.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import {
  openSqlite,
  type Sqlite,
} from "../../../../../server/platform/sqlite/sqlite.ts";
import type { AppHere, AssetHere, Here, ItemHere } from "./oracle.ts";

export interface HereReader {
  /** Of one connection; `others` is everything else, by its identifier here. */
  read(connectionId: string): {
    readonly here: Here;
    readonly otherAssets: ReadonlyMap<string, string>;
    readonly otherPlaylists: ReadonlyMap<string, string>;
  };
  /** Remaining rows and files; empty when there are none. */
  orphans(): readonly string[];
  /** SHA-256 of the stored files that no asset, nothing in the trash, no upload and no plan needs. */
  unneededFiles(): readonly string[];
  fileOf(hash: string): string;
  close(): void;
}

interface AssetRow {
  readonly id: string;
  readonly name: string;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly duration_seconds: number;
  readonly is_enabled: number;
  readonly file_hash: string | null;
  readonly extras: string | null;
}

interface AppFileRow {
  readonly path: string;
  readonly file_hash: string;
}

interface PlaylistRow {
  readonly id: string;
  readonly name: string;
  readonly predicate: string;
  readonly priority: number;
  readonly is_enabled: number;
  readonly transition: string | null;
}

interface ItemRow {
  readonly playlist_id: string;
  readonly asset_id: string;
  readonly duration_seconds: number | null;
}

const tables = [
  ...["assets", "playlists", "playlist_items", "bin", "bin_items"],
  ...["sync_accounts", "sync_assets", "sync_playlists", "sync_plans"],
  ...["sync_files", "files", "uploads", "apps", "app_files"],
];

function pagesIn(extras: string | null): readonly number[] | null {
  const { pages = null } = JSON.parse(extras ?? "{}") as {
    readonly pages?: readonly number[];
  };
  return pages;
}

export function openHereReader(dataDir: string): HereReader {
  const database: Sqlite = openSqlite(path.join(dataDir, "vitrine.db"));
  const assets = database.prepare<[], AssetRow>("SELECT * FROM assets");
  const playlists = database.prepare<[], PlaylistRow>(
    "SELECT * FROM playlists ORDER BY created_at, id",
  );
  const items = database.prepare<[], ItemRow>(
    "SELECT * FROM playlist_items ORDER BY playlist_id, place",
  );
  const kept = path.join(dataDir, "files", "kept");
  const fileOf = (hash: string): string =>
    path.join(kept, hash.slice(0, 2), hash);
  const settings = database
    .prepare<[string], string>("SELECT settings FROM apps WHERE hash = ?")
    .pluck();
  const members = database.prepare<[string], AppFileRow>(
    "SELECT path, file_hash FROM app_files WHERE app_hash = ?",
  );
  const unneededFiles = database
    .prepare<[], string>(
      `SELECT hash FROM files
       WHERE hash NOT IN (SELECT file_hash FROM assets WHERE file_hash IS NOT NULL)
         AND hash NOT IN (SELECT file_hash FROM bin WHERE file_hash IS NOT NULL)
         AND hash NOT IN (SELECT hash FROM uploads)
         AND hash NOT IN (SELECT file_hash FROM app_files)
         AND hash NOT IN (
           SELECT file_hash FROM sync_files, sync_plans WHERE instr(wanted, md5) > 0)`,
    )
    .pluck();
  const onDisk = (hash: string): string =>
    existsSync(fileOf(hash)) ? hash : "not on disk";
  const appOf = (hash: string | null): AppHere | null => {
    const found = hash === null ? undefined : settings.get(hash);
    if (hash === null || found === undefined) return null;
    const values = JSON.parse(found) as Readonly<Record<string, string>>;
    return {
      greeting: values["greeting"],
      files: Object.fromEntries(
        members.all(hash).map((row) => [row.path, onDisk(row.file_hash)]),
      ),
    };
  };
  /** Of an app, its parts identify it completely. */
  const bytesOf = (hash: string | null): Pick<AssetHere, "hash" | "app"> => {
    const app = appOf(hash);
    return { app, hash: app || hash === null ? null : onDisk(hash) };
  };
  return {
    fileOf,
    read: (connectionId) => {
      const own = new RegExp(`^${connectionId}-([ap]\\d)$`);
      const remoteId = (id: string): string => own.exec(id)?.[1] ?? id;
      const isOwn = ({ id }: { readonly id: string }): boolean => own.test(id);
      const allAssets = assets.all();
      const allPlaylists = playlists.all();
      const itemsOf = new Map<string, ItemHere[]>();
      for (const row of items.all())
        itemsOf.set(row.playlist_id, [
          ...(itemsOf.get(row.playlist_id) ?? []),
          { asset: remoteId(row.asset_id), seconds: row.duration_seconds },
        ]);
      const names = (
        rows: readonly { readonly id: string; readonly name: string }[],
      ): ReadonlyMap<string, string> =>
        new Map(
          rows.filter((row) => !isOwn(row)).map(({ id, name }) => [id, name]),
        );
      return {
        here: {
          assets: Object.fromEntries(
            allAssets.filter(isOwn).map((row) => [
              remoteId(row.id),
              {
                name: row.name,
                isEnabled: row.is_enabled === 1,
                seconds: row.duration_seconds,
                dates: `${row.starts_at ?? ""}-${row.ends_at ?? ""}`,
                ...bytesOf(row.file_hash),
                pages: pagesIn(row.extras),
              },
            ]),
          ),
          playlists: Object.fromEntries(
            allPlaylists.filter(isOwn).map((row) => [
              remoteId(row.id),
              {
                ...{ name: row.name, predicate: row.predicate },
                isEnabled: row.is_enabled === 1,
                priority: row.priority,
                transition: row.transition,
                items: itemsOf.get(row.id) ?? [],
              },
            ]),
          ),
          order: allPlaylists.filter(isOwn).map(({ id }) => remoteId(id)),
        },
        otherAssets: names(allAssets),
        otherPlaylists: names(allPlaylists),
      };
    },
    orphans: () => [
      ...tables.filter((table) => {
        const count = database
          .prepare<[], number>(`SELECT count(*) FROM ${table}`)
          .pluck();
        return count.get() !== 0;
      }),
      ...readdirSync(kept, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => `file ${name}`),
    ],
    unneededFiles: () => unneededFiles.all(),
    close: () => database.close(),
  };
}
