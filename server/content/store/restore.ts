// Replaces a damaged database by its latest sound backup: prepared next to it, then moved into place (V4-301).

import { existsSync, statSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { moveFile, putInPlace } from "../../platform/files/replace-file.ts";
import type { Log } from "../../platform/log.ts";
import { openSqlite } from "../../platform/sqlite/sqlite.ts";
import {
  restoredHolder,
  restoredHoldMs,
  restoredTask,
} from "../ingest/file-retention.ts";
import { listBackups } from "./backups.ts";
import { damageOfContent } from "./damage.ts";
import { newestFirst } from "./newest-first.ts";

const restoredSchema = z.object({
  at: z.string(),
  /** What was wrong, as part of a sentence. */
  reason: z.string(),
  /** The day of the backup; null: the database itself, without its damaged journal, or with the sound part of it. */
  backupOf: z.string().nullable(),
  /** Where the damaged files are, relative to the data folder. */
  aside: z.string(),
});
export type Restored = Readonly<z.infer<typeof restoredSchema>>;

export interface RestoreOptions {
  readonly dataDir: string;
  readonly hasObjectStorage?: boolean | undefined;
  readonly binding: string | undefined;
  readonly log: Log | null;
}

/** Each may be as large as the database. */
const maxAside = 2;
const reportName = "report.json";
const folder = "damaged";
/** Larger than any increase since the backup, so that every revision sent to players before is an old one. */
export const revisionStep = 1_000_000;

/** Null when there is nothing sound to restore from; then the damaged file is untouched. */
export async function restore(
  file: string,
  reason: string,
  options: RestoreOptions,
): Promise<Restored | null> {
  const { dataDir, log } = options;
  const target = `${file}.restored`;
  for (const source of await sourcesOf(file, dataDir)) {
    await removeDatabase(target);
    await copyFile(source.file, target);
    const damage = damageOfContent(target, options);
    if (damage !== null) {
      log?.warn("store.source-rejected", { source: source.file, damage });
      continue;
    }
    await makeReady(target, dataDir, options);
    const dir = await layAside(file, dataDir);
    const backupOf = source.day;
    const restored = await report(dir, { reason, backupOf }, dataDir);
    await putInPlace(target, file);
    await dropOlder(dataDir);
    return restored;
  }
  await removeDatabase(target);
  return null;
}

/** Keeps a copy of a journal that SQLite reads only up to the damage, with a report next to it. */
export async function keepJournal(
  file: string,
  reason: string,
  dataDir: string,
): Promise<Restored> {
  const dir = await newAside(dataDir);
  await copyFile(`${file}-wal`, path.join(dir, `${path.basename(file)}-wal`));
  const restored = await report(dir, { reason, backupOf: null }, dataDir);
  await dropOlder(dataDir);
  return restored;
}

async function report(
  dir: string,
  what: Pick<Restored, "reason" | "backupOf">,
  dataDir: string,
): Promise<Restored> {
  const restored = {
    ...{ at: new Date().toISOString(), ...what },
    aside: path.relative(dataDir, dir).replaceAll(path.sep, "/"),
  };
  await writeFile(path.join(dir, reportName), JSON.stringify(restored));
  return restored;
}

interface Source {
  readonly file: string;
  readonly day: string | null;
}

/** Newest first. Without its journal the database is in the state of its last checkpoint. */
async function sourcesOf(
  file: string,
  dataDir: string,
): Promise<readonly Source[]> {
  const backups = (await listBackups(dataDir)).map((backup) => ({
    ...{ file: backup, day: /\d{4}-\d\d-\d\d/.exec(backup)?.[0] ?? null },
  }));
  const isWithJournal = existsSync(file) && existsSync(`${file}-wal`);
  const newest = backups[0];
  const isNewer =
    isWithJournal && (!newest || isNewerThan(file, newest.file, Date.now()));
  return [...(isNewer ? [{ file, day: null }] : []), ...backups];
}

/** A date later than now is from before the clock was set back, and counts as older than any other (V4-342). */
function isNewerThan(file: string, other: string, now: number): boolean {
  const [one, two] = [statSync(file).mtimeMs, statSync(other).mtimeMs];
  return one > now === two > now ? one > two : two > now;
}

/** Reconciles rows and files: files deleted since the backup are fetched again, or reported as lost. */
async function makeReady(
  target: string,
  dataDir: string,
  { hasObjectStorage = false, ...options }: RestoreOptions,
): Promise<void> {
  const kept = path.join(dataDir, "files", "kept");
  const names = (await readdir(kept, { recursive: true }).catch(() => []))
    .map((name) => path.basename(name))
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
  const database = openSqlite(target, options);
  try {
    database.pragma("journal_mode = DELETE");
    const isThere = (table: string): boolean =>
      database
        .prepare("SELECT 1 FROM sqlite_schema WHERE name = ?")
        .get(table) !== undefined;
    database.transaction(() => {
      if (isThere("team_changes"))
        database
          .prepare("UPDATE team_changes SET revision = revision + ?")
          .run(revisionStep);
      if (hasObjectStorage) {
        // Which objects are missing is found as at any other time.
        if (isThere("periodic_tasks"))
          database
            .prepare(
              "INSERT OR REPLACE INTO periodic_tasks (name, due_at) VALUES (?, ?)",
            )
            .run(restoredTask, Date.now() + restoredHoldMs);
        return;
      }
      if (!isThere("file_holds")) return;
      const hold = database.prepare(
        "INSERT OR REPLACE INTO file_holds (holder, hash, held_at) VALUES (?, ?, ?)",
      );
      const until = Date.now() + restoredHoldMs;
      for (const name of names) hold.run(restoredHolder, name, until);
      const isLost = `asset_id IN (SELECT asset_id FROM asset_intakes WHERE file_hash IS NOT NULL
        AND file_hash NOT IN (SELECT hash FROM file_holds WHERE holder = '${restoredHolder}'))`;
      const again = `${isLost} AND asset_id IN (SELECT id FROM assets WHERE source_url IS NOT NULL)`;
      const ofIngests = (where: string): string =>
        `id IN (SELECT asset_id FROM asset_intakes WHERE ${where})`;
      database
        .prepare(
          `UPDATE assets SET status = 'error', processing_error = ? WHERE ${ofIngests(isLost)}`,
        )
        .run(serviceSentences["stored-lost"]);
      database.exec(
        `UPDATE assets SET status = 'none', processing_error = '' WHERE ${ofIngests(again)}`,
      );
      database.exec(
        `UPDATE asset_intakes SET due_at = 0, tries = 0, source_hash = NULL, file_hash = NULL, validator = NULL
         WHERE ${again}`,
      );
    })();
  } finally {
    database.close();
  }
}

async function newAside(dataDir: string): Promise<string> {
  const dir = path.join(dataDir, folder, stampNow());
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return dir;
}

function stampNow(): string {
  return new Date().toISOString().replace(/[:.]/g, "-");
}

async function layAside(file: string, dataDir: string): Promise<string> {
  const dir = await newAside(dataDir);
  for (const ending of ["", "-wal"])
    if (existsSync(file + ending))
      await moveFile(
        file + ending,
        path.join(dir, path.basename(file + ending)),
      );
  // Useless without its database, and wrong next to another.
  await rm(`${file}-shm`, { force: true });
  return dir;
}

/** With its journal, if it exists. */
export async function removeDatabase(file: string): Promise<void> {
  for (const ending of ["", "-wal", "-shm", "-journal"])
    await rm(file + ending, { force: true });
}

/** Newest first. */
async function foldersAside(dataDir: string): Promise<readonly string[]> {
  const dir = path.join(dataDir, folder);
  const names = (await readdir(dir).catch(() => [])).filter((name) =>
    /^\d{4}-[\dTZ-]+$/.test(name),
  );
  return newestFirst(names, stampNow()).map((name) => path.join(dir, name));
}

async function dropOlder(dataDir: string): Promise<void> {
  for (const dir of (await foldersAside(dataDir)).slice(maxAside))
    await rm(dir, { recursive: true, force: true });
}

/** The last restore, as long as its damaged file is kept; otherwise null. */
export async function lastRestored(dataDir: string): Promise<Restored | null> {
  for (const dir of await foldersAside(dataDir)) {
    const text = await readFile(path.join(dir, reportName), "utf8").catch(
      () => "null",
    );
    try {
      return restoredSchema.parse(JSON.parse(text));
    } catch {
      // A power cut may have left half of it.
      continue;
    }
  }
  return null;
}

/** For people, in one sentence. */
export function restoredText({ reason, backupOf, aside }: Restored): string {
  const from =
    backupOf === null
      ? "its state before the damage in its journal"
      : `its backup of ${backupOf}`;
  return `The database was damaged (${reason}) and has been restored from ${from}. The damaged file is kept in ${aside}.`;
}
