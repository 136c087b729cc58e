// A disk that takes nothing: what stands on it is still shown, from a copy of the database that nothing is written to (V2-330).

import { existsSync } from "node:fs";
import { copyFile, mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { systemCode } from "../../platform/outside-error.ts";
import type { Sqlite } from "../../platform/sqlite.ts";

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
  if (!existsSync(database) || (await isWritable(dataDir)))
    return {
      ...{ dir: dataDir, readOnly: null },
      close: () => undefined,
      end: async () => undefined,
    };
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-read-only-"));
  for (const ending of ["", "-wal"])
    if (existsSync(database + ending))
      await copyFile(database + ending, path.join(dir, `vitrine.db${ending}`));
  return {
    ...{ dir, readOnly: sentence },
    // What would be gone with the next start is refused now.
    close: (copy) => void copy.pragma("query_only = ON"),
    end: () => rm(dir, { recursive: true, force: true }),
  };
}

/** By trying: rights, mounts and a worn card all say no in their own way. */
async function isWritable(dir: string): Promise<boolean> {
  const probe = path.join(dir, ".writable");
  try {
    await (await open(probe, "w")).close();
    await rm(probe, { force: true });
    return true;
  } catch (error) {
    return !/^(EROFS|EACCES|EPERM)$/.test(systemCode(error) ?? "");
  }
}
