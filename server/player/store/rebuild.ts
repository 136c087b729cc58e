// Rebuilds a database: from the damaged one where its rows are intact, else from a copy, a backup, or what can be read.

import { createReadStream, existsSync, statSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import type { Log } from "../../platform/log.ts";
import {
  areValid,
  damageOf,
  readOut,
} from "../../platform/sqlite/sqlite-damage.ts";
import {
  adoptSqlite,
  examine,
  quoted,
} from "../../platform/sqlite/sqlite-copy.ts";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
} from "../../platform/sqlite/sqlite.ts";
import { assertValidRows } from "../backup/archive-check.ts";
import { momentOfArchive } from "../backup/archive-name.ts";
import { localTables } from "../backup/tables.ts";
import { playerMigrations } from "../migrations.ts";
import { madeFile, type Damaged, type Rebuilt } from "./damaged-databases.ts";
import { historyTables, databaseCopyFile } from "./database-copy.ts";
import { probeMedia } from "../../platform/media/media-probe.ts";
import { createFileRows } from "../library/file-rows.ts";
import {
  readArchive,
  type ArrivingMember,
} from "../../platform/archive/archive.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import {
  databasePath,
  manifestPath,
  membersOfManifest,
  maxManifestBytes,
} from "../backup/manifest.ts";

// Reads only the database from a backup, not the files that follow it in the archive.

/** Rows without their history: far more than any player has. */
const maxDatabaseBytes = 1024 ** 3;

/** Throws when it is not an archive of this player, or its database is not the one its manifest lists. */
async function readDatabaseOf(
  archive: Readable,
  target: string,
): Promise<void> {
  const members = readArchive(archive);
  try {
    const manifest = await bytesOf(
      await next(members, manifestPath),
      maxManifestBytes,
    );
    const listed = membersOfManifest(manifest).get(databasePath);
    const bytes = await bytesOf(
      await next(members, databasePath),
      maxDatabaseBytes,
    );
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (hash !== listed?.sha256) throw damaged();
    await writeFile(target, bytes);
  } finally {
    // The rest of the archive is not needed and not read.
    archive.destroy();
    await members.return(undefined).catch(() => undefined);
  }
}

async function next(
  members: AsyncGenerator<ArrivingMember>,
  name: string,
): Promise<ArrivingMember> {
  const { value } = (await members.next()) as {
    value: ArrivingMember | undefined;
  };
  if (value?.path !== name) throw damaged();
  return value;
}

async function bytesOf(
  { content, sizeBytes }: ArrivingMember,
  maxBytes: number,
): Promise<Buffer> {
  if (sizeBytes > maxBytes) throw damaged();
  return Buffer.concat(await Readable.from(content).toArray());
}

function damaged(): OutsideError {
  return new OutsideError("corrupt", playerSentences["archive-damaged"]);
}

// Repairs rows read from a damaged database: the files they refer to are found in the store, or the reference is removed.

const lost = "The details of its file were lost with a damaged database.";

async function repairRows(database: Sqlite, sourcesDir: string): Promise<void> {
  const rows = createFileRows(database);
  const unknown = database
    .prepare<[], string>(
      `SELECT DISTINCT file_hash FROM assets WHERE file_hash IS NOT NULL
       AND file_hash NOT IN (SELECT hash FROM files)`,
    )
    .pluck()
    .all();
  for (const hash of unknown) {
    const file = path.join(
      ...[sourcesDir, "files", "kept", hash.slice(0, 2), hash],
    );
    const media = existsSync(file) ? await probeMedia(file) : null;
    if (media) rows.add({ ...media, hash, sizeBytes: (await stat(file)).size });
  }
  database
    .prepare(
      `UPDATE assets SET file_hash = NULL, problem = ? WHERE file_hash IS NOT NULL
       AND file_hash NOT IN (SELECT hash FROM files)`,
    )
    .run(lost);
  dropDangling(database);
}

interface Dangling {
  readonly table: string;
  readonly rowid: number | null;
}

/** Deletes rows that refer to missing rows; each pass may leave new ones. */
function dropDangling(database: Sqlite): void {
  for (;;) {
    const dangling = database.pragma("foreign_key_check") as Dangling[];
    if (dangling.length === 0) return;
    for (const { table, rowid } of dangling)
      if (rowid === null) database.exec(`DELETE FROM ${quoted(table)}`);
      else
        database
          .prepare(`DELETE FROM ${quoted(table)} WHERE rowid = ?`)
          .run(rowid);
  }
}

export interface RebuildOptions {
  /** Where the copy, the backups and the files are. */
  readonly sourcesDir: string;
  readonly binding: string | undefined;
  readonly log: Log;
}

export type Made = Pick<Rebuilt, "from" | "assets" | "playlists">;

interface Source {
  readonly from: Rebuilt["from"];
  /** Creates a database at this path; throws when there is nothing to create it from. */
  readonly make: (target: string) => Promise<void>;
}

/** Creates it next to the damaged one; the caller moves it into place. */
export async function rebuild(
  damaged: Damaged,
  options: RebuildOptions,
): Promise<Made> {
  const { log } = options;
  const target = madeFile(damaged.dir);
  for (const { from, make } of await sourcesOf(damaged, options)) {
    try {
      await clear(target);
      await make(target);
      adoptSqlite(target, playerMigrations, options);
      examine(target, options, assertValidRows);
      // An archive contains nothing of the tables that belong to this machine: as in a recovery, those stay (V2-356).
      const ownTables = from === "backup" ? localTables : historyTables;
      const counts = finish(target, damaged, ownTables, options);
      return { from, ...counts };
    } catch (error) {
      // A full or read-only disk fails for every source alike: no source is skipped because of it.
      if (isOfDisk(error)) throw error;
      log.warn("store.source-rejected", { from, error });
    }
  }
  throw new Error("The database is damaged, and a new one cannot be created.");
}

/** Each source is used as a whole: a synced plan is the current one or an earlier one, never a mixture. */
async function sourcesOf(
  { dir, file }: Damaged,
  options: RebuildOptions,
): Promise<readonly Source[]> {
  const { sourcesDir } = options;
  const all = tablesNow(options);
  const ownTables = all.filter((table) => !historyTables.has(table));
  const readRows =
    (repairs: boolean) =>
    async (target: string): Promise<void> => {
      const database = openNew(target, options);
      try {
        const count = file ? readOut(file, database, ownTables, options) : 0;
        if (repairs && count === 0) throw new Error("nothing could be read");
        if (repairs) await repairRows(database, sourcesDir);
      } finally {
        database.close();
      }
    };
  const whole: Source[] =
    file !== null && isReadable(file, ownTables, options)
      ? [{ from: "database", make: readRows(false) }]
      : [];
  const copies: (Source & { at: number })[] = [];
  const databaseCopy = databaseCopyFile(sourcesDir);
  if (existsSync(databaseCopy))
    copies.push({
      ...{ from: "copy", at: statSync(databaseCopy).mtimeMs },
      make: (target) => copyFile(databaseCopy, target),
    });
  const alone = path.join(dir, "without-journal.db");
  await clear(alone);
  if (file !== null && existsSync(`${file}-wal`)) {
    await copyFile(file, alone);
    if (isSoundFile(alone, ownTables, options))
      copies.push({
        ...{ from: "database", at: statSync(file).mtimeMs },
        make: (target) => copyFile(alone, target),
      });
  }
  copies.sort((a, b) => b.at - a.at);
  return [
    ...whole,
    ...copies,
    ...(await backupsOf(sourcesDir)),
    { from: "rest", make: readRows(true) },
    {
      from: "nothing",
      make: async (target) => {
        openNew(target, options).close();
      },
    },
  ];
}

function isReadable(
  file: string,
  tables: readonly string[],
  options: RebuildOptions,
): boolean {
  // If its journal is not a valid one, the latest changes are missing from these rows.
  return (
    isSoundJournal(file, options) &&
    statSync(file).size > 0 &&
    areValid(file, tables, playerMigrations, options)
  );
}

function isSoundJournal(file: string, options: RebuildOptions): boolean {
  return !/journal/.test(damageOf(file, { tables: [] }, options) ?? "");
}

function isSoundFile(
  file: string,
  tables: readonly string[],
  options: RebuildOptions,
): boolean {
  return (
    statSync(file).size > 0 &&
    damageOf(
      file,
      { tables: tables.slice(0, 1), migrations: playerMigrations },
      options,
    ) === null
  );
}

async function backupsOf(sourcesDir: string): Promise<readonly Source[]> {
  const dir = path.join(sourcesDir, "backups");
  const names = (await readdir(dir).catch(() => []))
    .map((name) => ({ name, moment: momentOfArchive(name)?.moment }))
    .filter(({ moment }) => moment !== undefined)
    .sort((a, b) => (b.moment ?? 0) - (a.moment ?? 0));
  return names.map(({ name }) => ({
    from: "backup" as const,
    make: (target) =>
      readDatabaseOf(createReadStream(path.join(dir, name)), target),
  }));
}

/** What the source does not contain is taken from the damaged file, as far as it can be read. */
function finish(
  target: string,
  { file }: Damaged,
  ownTables: ReadonlySet<string>,
  options: RebuildOptions,
): Omit<Made, "from"> {
  const database = openSqlite(target, options);
  try {
    if (file !== null) readOut(file, database, [...ownTables], options);
    resetSentPlays(database);
    // A single file, so that it is moved into place in one step.
    database.pragma("journal_mode = DELETE");
    return {
      assets: countOf(database, "assets"),
      playlists: countOf(database, "playlists"),
    };
  } finally {
    database.close();
  }
}

/** Playbacks that could not be read lose their numbers: new ones with the same numbers must not count as sent (V2-305). */
function resetSentPlays(database: Sqlite): void {
  const newest = "(SELECT coalesce(max(number), 0) FROM plays)";
  database.exec(
    `UPDATE links SET value = json_set(value, '$.sent', ${newest})
     WHERE CASE WHEN json_valid(value) THEN json_extract(value, '$.sent') > ${newest} END`,
  );
}

function countOf(database: Sqlite, table: "assets" | "playlists"): number {
  return database
    .prepare<[], number>(`SELECT count(*) FROM ${table}`)
    .pluck()
    .get() as number;
}

function openNew(file: string, options: RebuildOptions): Sqlite {
  const database = openSqlite(file, options);
  database.pragma("foreign_keys = OFF");
  migrateSqlite(database, playerMigrations);
  return database;
}

function tablesNow(options: RebuildOptions): readonly string[] {
  const model = openSqlite(":memory:", options);
  try {
    migrateSqlite(model, playerMigrations);
    return model
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid",
      )
      .pluck()
      .all();
  } finally {
    model.close();
  }
}

async function clear(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  for (const ending of ["", "-wal", "-shm", "-journal"])
    await rm(file + ending, { force: true });
}

function isOfDisk(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return /^(?:ENOSPC|EDQUOT|EROFS|EACCES|SQLITE_FULL|SQLITE_READONLY)/.test(
    String(code),
  );
}
