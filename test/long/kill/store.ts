// A player's store on disk: integrity checks, and files that nothing refers to.

import { readdir, readFile, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { sha256 } from "./player-actions.ts";

/** All integrity faults, as sentences. */
export async function faultsOf(dataDir: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  try {
    const reported = database.pragma("integrity_check", { simple: true });
    if (reported !== "ok")
      faults.push(`the database is damaged: ${String(reported)}`);
    const dangling = database.pragma("foreign_key_check") as unknown[];
    if (dangling.length > 0) faults.push("rows point at rows that are gone");
    const rows = database
      .prepare<[], { hash: string; size_bytes: number }>("SELECT * FROM files")
      .all();
    for (const { hash, size_bytes: sizeBytes } of rows) {
      const bytes = await readFile(keptPath(dataDir, hash)).catch(() => null);
      if (bytes === null) faults.push(`the file ${hash} is missing`);
      else if (bytes.length !== sizeBytes || sha256(bytes) !== hash)
        faults.push(`the file ${hash} holds something else`);
    }
  } finally {
    database.close();
  }
  return faults;
}

function keptPath(dataDir: string, hash: string): string {
  return path.join(dataDir, "files/kept", hash.slice(0, 2), hash);
}

/** Files that belong to no row and no backup archive. */
export async function leftOvers(dataDir: string): Promise<readonly string[]> {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  const hashes = new Set(
    database.prepare<[], string>("SELECT hash FROM files").pluck().all(),
  );
  database.close();
  const files = await filesBelow(dataDir);
  // The file by which the running player is stopped; those of killed ones are deleted.
  const runs = files.filter((file) => file.startsWith("running/"));
  return files.filter(
    (file) =>
      !(runs.length === 1 && runs[0] === file) &&
      !/^vitrine\.db(-wal|-shm)?$|^(?:log|spare)\//.test(file) &&
      !/^backups\/[^/]+\.tar\.gz$/.test(file) &&
      !(file.startsWith("files/kept/") && hashes.has(path.basename(file))),
  );
}

/** Dates the files back, as if the machine had been off for this long. */
export async function age(dataDir: string, byMs: number): Promise<void> {
  for (const file of await filesBelow(path.join(dataDir, "files/aside"))) {
    const complete = path.join(dataDir, "files/aside", file);
    const { mtimeMs } = await stat(complete);
    const seconds = (mtimeMs - byMs) / 1000;
    await utimes(complete, seconds, seconds);
  }
}

async function filesBelow(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, "/"));
}
