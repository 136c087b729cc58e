// A disk that rejects writes: its content is still shown, from a copy of the database that nothing is written to (V2-330). On the
// first start the store is empty, and exists for this run only (V2-753).

import { existsSync, readFileSync, statSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import path from "node:path";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { diskRefusalOf } from "../../platform/outside-error.ts";
import { isFull, isUnwritable } from "../../platform/sqlite/sqlite-copy.ts";
import { damageIn, isDamage } from "../../platform/sqlite/sqlite-damage.ts";
import {
  openSqlite,
  type Sqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import {
  makeFolder,
  makeForThisRun,
  placesForARun,
  refusalOf,
} from "../../platform/files/writable-folder.ts";
import type { Clock } from "../../platform/clock.ts";
import { databaseCopyFile } from "./database-copy.ts";
import {
  createStore,
  expected,
  openStore,
  reasonToRebuild,
  wasThere,
  type OpenStoreOptions,
} from "./open-store.ts";

/** Where the database is opened. */
export interface StorePlace {
  readonly dir: string;
  /** Why nothing can be changed, as a sentence; null where writing works. */
  readonly readOnly: string | null;
  /** No place has space for a copy: the database itself is opened, exclusively, and not changed; or its copy, in memory. */
  readonly isAlone: boolean;
  /** No player has run here: the next start creates the store (V2-753). */
  readonly isFirst: boolean;
  /** Deletes what was made for this run. */
  end(): Promise<void>;
}

const unwritable = playerSentences["store-unwritable"];
const full = playerSentences["store-full"];

export type OpenedStore = StorePlace & { readonly database: Sqlite };

/**
 * Opens it in its place; if its disk rejects writes, found by a test write or while opening, it is opened so that it can be read
 * but not written (V2-330).
 */
export async function openStoreAnywhere(
  options: OpenStoreOptions,
  placesOfCopy: () => readonly string[] = placesForARun,
): Promise<OpenedStore> {
  const { dataDir } = options;
  let refusal = refusalToWrite(dataDir);
  if (refusal === null)
    try {
      return {
        ...{ dir: dataDir, readOnly: null, isAlone: false, isFirst: false },
        database: await openStore(options),
        end: async () => undefined,
      };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
  if (!isRefusal(refusal)) throw refusal;
  const isFirst = !isThere(dataDir) && !wasThere(dataDir);
  const readOnly = isOfFullDisk(refusal) ? full : unwritable;
  const place = await placeElsewhere(dataDir, placesOfCopy());
  const { dir, isAlone } = place;
  const database = isAlone
    ? await openAlone(options)
    : await openStore({ ...options, dataDir: dir, sourcesDir: dataDir });
  // Changes that the next start would not have are rejected now.
  database.pragma("query_only = ON");
  return { ...place, isFirst, readOnly, database };
}

/** Far more than any player has without its history. */
const maxCopyBytes = 256 * 1024 * 1024;

/** In its place; where it is missing or damaged, its copy is opened in memory, since nothing can be rebuilt there (V2-759). */
async function openAlone(options: OpenStoreOptions): Promise<Sqlite> {
  const { dataDir } = options;
  const copy = databaseCopyFile(dataDir);
  if (!existsSync(copy) || statSync(copy).size > maxCopyBytes)
    return isThere(dataDir)
      ? openStore({ ...options, isAlone: true })
      : createStore(":memory:", options);
  const database = isThere(dataDir) ? openIntact(options) : null;
  return database ?? createStore(readFileSync(copy), options);
}

/** Null: it is damaged. */
function openIntact(options: OpenStoreOptions): Sqlite | null {
  if (reasonToRebuild(options) !== null) return null;
  const file = path.join(options.dataDir, "vitrine.db");
  let database: Sqlite | undefined;
  try {
    database = createStore(file, { ...options, isAlone: true });
    // Before it was open, it could not always be read.
    if (damageIn(database, file, expected, options) === null) return database;
  } catch (error) {
    if (!isDamage(error)) {
      database?.close();
      throw error;
    }
  }
  database?.close();
  return null;
}

/** Creates the folder, too: a disk may reject even that. */
function refusalToWrite(dir: string): unknown {
  try {
    makeFolder(dir);
  } catch (error) {
    return error;
  }
  return refusalOf(dir);
}

function isThere(dataDir: string): boolean {
  return existsSync(path.join(dataDir, "vitrine.db"));
}

function isRefusal(error: unknown): boolean {
  return isFull(error) || isUnwritable(error) || diskRefusalOf(error) !== null;
}

function isOfFullDisk(error: unknown): boolean {
  return isFull(error) || diskRefusalOf(error) === "full";
}

/** How often a disk that rejected writes is tried again. */
const retryIntervalMs = 30_000;

/** Calls back once the disk accepts writes again and its database can be opened; the returned function cancels that. */
export function whenDiskTakes(
  { dataDir, binding, clock }: WhenDiskTakesOptions,
  { isAlone }: Pick<StorePlace, "isAlone">,
  act: () => void,
): () => void {
  const file = path.join(dataDir, "vitrine.db");
  const takes = (): boolean =>
    refusalToWrite(dataDir) === null &&
    (isAlone || !isThere(dataDir) || canBeOpened(file, { binding }));
  let cancel = (): void => undefined;
  const tryLater = (): void => {
    cancel = clock.after(retryIntervalMs, () => (takes() ? act() : tryLater()));
  };
  tryLater();
  return () => cancel();
}

interface WhenDiskTakesOptions {
  readonly dataDir: string;
  readonly binding: string | undefined;
  readonly clock: Pick<Clock, "after">;
}

function canBeOpened(file: string, options: SqliteOptions): boolean {
  try {
    openSqlite(file, options).close();
    return true;
  } catch {
    return false;
  }
}

/** SQLite cannot open a database with a journal where it may not write, not even for reading: a copy is made elsewhere. */
async function placeElsewhere(
  dataDir: string,
  places: readonly string[],
): Promise<Pick<StorePlace, "dir" | "isAlone" | "end">> {
  // Without a database, the copy that it would be rebuilt from (V2-327).
  const source = isThere(dataDir)
    ? path.join(dataDir, "vitrine.db")
    : databaseCopyFile(dataDir);
  const dir = await copyElsewhere(source, places);
  return {
    ...{ dir: dir ?? dataDir, isAlone: dir === null },
    end: async () => {
      if (dir !== null) await rm(dir, { recursive: true, force: true });
    },
  };
}

/** In the first place that has space for all of it; null: none has. */
async function copyElsewhere(
  database: string,
  places: readonly string[],
): Promise<string | null> {
  for (const place of places) {
    const dir = makeForThisRun(place);
    try {
      for (const ending of ["", "-wal"])
        if (existsSync(database + ending))
          await copyFile(
            database + ending,
            path.join(dir, `vitrine.db${ending}`),
          );
      return dir;
    } catch {
      await rm(dir, { recursive: true, force: true });
    }
  }
  return null;
}
