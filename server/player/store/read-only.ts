// A disk that takes nothing: what stands on it is still shown, from a copy of the database that nothing is written to (V2-330).

import { existsSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Sqlite } from "../../platform/sqlite.ts";
import {
  makeForThisRun,
  placesForARun,
  refusalOf,
} from "../../platform/taking.ts";

/** Where the database is opened. */
export interface StorePlace {
  readonly dir: string;
  /** Why nothing can be changed, in a sentence; null where everything can. */
  readonly readOnly: string | null;
  /** To be called once the store is up to date. */
  close(database: Sqlite): void;
  /** What was made for this run goes. */
  end(): Promise<void>;
}

const sentence =
  "The disk of this player takes nothing: it shows what it has, and nothing can be changed.";

/** SQLite opens no journalled database where it may not write, be it to read alone: it gets a copy elsewhere. */
export async function placeOfStore(dataDir: string): Promise<StorePlace> {
  const database = path.join(dataDir, "vitrine.db");
  if (!existsSync(database) || refusalOf(dataDir) === null)
    return {
      ...{ dir: dataDir, readOnly: null },
      close: () => undefined,
      end: async () => undefined,
    };
  const dir = await copyElsewhere(database);
  return {
    ...{ dir, readOnly: sentence },
    // What would be gone with the next start is refused now.
    close: (copy) => void copy.pragma("query_only = ON"),
    end: () => rm(dir, { recursive: true, force: true }),
  };
}

/** In the first place that has room for all of it. */
async function copyElsewhere(database: string): Promise<string> {
  let refusal: unknown = new Error("There is no place for a copy of it.");
  for (const place of placesForARun()) {
    const dir = makeForThisRun(place);
    try {
      for (const ending of ["", "-wal"])
        if (existsSync(database + ending))
          await copyFile(
            database + ending,
            path.join(dir, `vitrine.db${ending}`),
          );
      return dir;
    } catch (error) {
      refusal = error;
      await rm(dir, { recursive: true, force: true });
    }
  }
  throw refusal;
}
