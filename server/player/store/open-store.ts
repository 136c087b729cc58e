// Opens the player's database; a damaged one is moved away and rebuilt from the best source available (V2-326).

import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Log } from "../../platform/log.ts";
import {
  damageOf,
  isDamage,
  hasNoTables,
  type Expected,
} from "../../platform/sqlite/sqlite-damage.ts";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import { assertReadableRows } from "../backup/archive-check.ts";
import { playerMigrations } from "../migrations.ts";
import {
  asideName,
  dropOlder,
  layAside,
  madeFile,
  report,
  type Rebuilt,
} from "./damaged-databases.ts";
import { rebuild } from "./rebuild.ts";
import { databaseCopyFile } from "./database-copy.ts";
import { putInPlace } from "../../platform/files/replace-file.ts";

export interface OpenStoreOptions {
  readonly dataDir: string;
  /** Where its copy, its backups and its files are, if not in `dataDir`; they are only read (V2-758). */
  readonly sourcesDir?: string | undefined;
  readonly binding: string | undefined;
  readonly isAlone?: boolean | undefined;
  readonly now: () => number;
  readonly log: Log;
}

export const expected: Expected = {
  /** Without any of these nothing can be shown; the other tables are checked with the file as a whole. */
  tables: ["files", "uploads", "assets", "settings"],
  migrations: playerMigrations,
  read: assertReadableRows,
};

/** SQLite knows no larger pages. */
const maxPageBytes = 65_536;

export async function openStore(options: OpenStoreOptions): Promise<Sqlite> {
  const reason = reasonToRebuild(options);
  if (reason !== null) await rebuildStore(reason, options);
  try {
    return opened(options);
  } catch (error) {
    if (reason !== null || !isDamage(error)) throw error;
    await rebuildStore((error as Error).message, options);
    return opened(options);
  }
}

function opened({ dataDir, ...options }: OpenStoreOptions): Sqlite {
  return createStore(path.join(dataDir, "vitrine.db"), options);
}

/** Creates the file, or what is missing in it. */
export function createStore(
  file: string | Buffer,
  options: SqliteOptions,
): Sqlite {
  const database = openSqlite(file, options);
  try {
    migrateSqlite(database, playerMigrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What is wrong with the database there, as a sentence; null when nothing is, or it cannot be read at all. */
export function reasonToRebuild(options: OpenStoreOptions): string | null {
  const { dataDir, binding } = options;
  const file = path.join(dataDir, "vitrine.db");
  if (!existsSync(file))
    return wasThere(dataDir) ? "The database was missing." : null;
  try {
    const { size } = statSync(file);
    // Evaluated first: opening a database creates a journal next to it.
    const isNew = size <= maxPageBytes && !wasThere(dataDir);
    // A full disk does not accept even the first tables of a new store.
    if (size === 0 || (size <= maxPageBytes && hasNoTables(file, { binding })))
      return isNew ? null : "The database was empty.";
    return damageOf(file, expected, { binding });
  } catch {
    // The file cannot be opened at all: the next attempt to open it reports why.
    return null;
  }
}

/** Whether a player has run here: SQLite itself treats an empty file as a new store. */
export function wasThere(dataDir: string): boolean {
  const filesFolder = path.join(dataDir, "files", "kept");
  return (
    existsSync(databaseCopyFile(dataDir)) ||
    existsSync(path.join(dataDir, "vitrine.db-wal")) ||
    (existsSync(filesFolder) && readdirSync(filesFolder).length > 0)
  );
}

async function rebuildStore(
  reason: string,
  options: OpenStoreOptions,
): Promise<Rebuilt> {
  const { dataDir, sourcesDir = dataDir, now, log } = options;
  const damaged = await layAside(dataDir, now());
  const result = await rebuild(damaged, { ...options, sourcesDir });
  const rebuilt: Rebuilt = {
    ...{ ...result, at: now(), reason },
    aside: asideName(dataDir, damaged),
  };
  await report(damaged.dir, rebuilt);
  await putInPlace(madeFile(damaged.dir), path.join(dataDir, "vitrine.db"));
  await dropOlder(dataDir);
  log.error("store.rebuilt", { ...rebuilt });
  return rebuilt;
}
