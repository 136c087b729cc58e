// Read-only disk: its content is still shown, from a copy of the database that nothing is written to (V2-330).

import { existsSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import path from "node:path";
import { diskRefusalOf } from "../../platform/outside-error.ts";
import { isFull, isUnwritable } from "../../platform/sqlite/sqlite-copy.ts";
import {
  openSqlite,
  type Sqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import {
  makeForThisRun,
  placesForARun,
  refusalOf,
} from "../../platform/files/writable-folder.ts";
import type { Clock } from "../../platform/clock.ts";
import { openStore, type OpenStoreOptions } from "./open-store.ts";

/** Where the database is opened. */
export interface StorePlace {
  readonly dir: string;
  /** Why nothing can be changed, as a sentence; null where writing works. */
  readonly readOnly: string | null;
  /** No place has space for a copy: the database itself is opened, exclusively, and not changed. */
  readonly isAlone: boolean;
  /** Deletes what was made for this run. */
  end(): Promise<void>;
}

const sentence =
  "This player's disk cannot be written to. It keeps playing, but nothing can be changed.";

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
  const isThere = (): boolean => existsSync(path.join(dataDir, "vitrine.db"));
  if (!isThere() || refusalOf(dataDir) === null)
    try {
      return {
        ...{ dir: dataDir, readOnly: null, isAlone: false },
        database: await openStore(options),
        end: async () => undefined,
      };
    } catch (error) {
      if (!isRefusal(error) || !isThere()) throw error;
    }
  const place = await placeElsewhere(dataDir, placesOfCopy());
  const { dir, isAlone } = place;
  const database = await openStore({ ...options, dataDir: dir, isAlone });
  // Changes that the next start would not have are rejected now.
  database.pragma("query_only = ON");
  return { ...place, database };
}

function isRefusal(error: unknown): boolean {
  return isFull(error) || isUnwritable(error) || diskRefusalOf(error) !== null;
}

/** How often a disk that rejected writes is tried again. */
const retryIntervalMs = 30_000;

/** Calls back once the disk accepts writes again and its database can be opened; the returned function cancels that. */
export function whenDiskTakes(
  { dataDir, binding, clock }: WhenDiskTakesOptions,
  { isAlone }: StorePlace,
  act: () => void,
): () => void {
  const file = path.join(dataDir, "vitrine.db");
  const takes = (): boolean =>
    refusalOf(dataDir) === null && (isAlone || canBeOpened(file, { binding }));
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
): Promise<StorePlace> {
  const dir = await copyElsewhere(path.join(dataDir, "vitrine.db"), places);
  return {
    ...{ dir: dir ?? dataDir, readOnly: sentence, isAlone: dir === null },
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
