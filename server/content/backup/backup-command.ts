// The commands `backup`, `verify` and `restore`, for SQLite and PostgreSQL alike (V4-351 to V4-353).

import { existsSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import { openPostgres } from "../../platform/database/postgres.ts";
import { makePrivateFolder } from "../../platform/files/private-folder.ts";
import { putInPlace } from "../../platform/files/replace-file.ts";
import { packageVersion } from "../../platform/process/package-version.ts";
import { openFolderLock } from "../../platform/sqlite/folder-lock.ts";
import { openSqliteDatabase } from "../../platform/sqlite/sqlite-database.ts";
import type { ContentConfig } from "../config.ts";
import { openServiceFiles } from "../files/service-files.ts";
import { listBackups } from "../store/backups.ts";
import { migrated } from "../store/migrate-store.ts";
import { removeDatabase } from "../store/restore.ts";
import { openStore } from "../store/open-store.ts";
import type { ContentTables } from "../tables.ts";
import { backupFileAt, type BackupFile } from "./backup-file.ts";
import type { BackupSummary, Manifest } from "./backup-format.ts";
import { ownTables } from "./own-tables.ts";
import { hashOf, readBackup, type ReadBackup } from "./read-backup.ts";
import { restoreRows } from "./restore-rows.ts";
import { writeBackup } from "./write-backup.ts";

type Place = Pick<
  ContentConfig,
  "dataDir" | "databaseUrl" | "storage" | "previousStorage"
>;

/** Rows are read and written for as long as a large file takes. */
const slowDatabase = { statementMs: 600_000, idleMs: 600_000, connections: 2 };

/** Resolves with what to print. */
export async function backUpTo(at: string, place: Place): Promise<string> {
  const file = await backupFileAt(at);
  await file.assertNew();
  const { dataDir, databaseUrl } = place;
  const database =
    databaseUrl === undefined
      ? await openExisting(dataDir)
      : await migrated(openPostgres<ContentTables>(databaseUrl, slowDatabase));
  try {
    const { store } = await openServiceFiles(place);
    const summary = await writeBackup(file, {
      ...{ database, store, version: packageVersion(), now: Date.now },
    });
    return `${file.text} contains ${contentOf(summary)}.`;
  } finally {
    await database.close();
  }
}

/** Reads all of it, without a service. */
export async function verifyBackup(at: string): Promise<string> {
  const file = await backupFileAt(at);
  await file.assertExists();
  const { manifest, summary } = await readBackup(file, { file: hashOf });
  return `The backup of ${manifest.createdAt} is complete: ${contentOf(summary)}.`;
}

/** Into a service without content; first the files, then all rows or none. */
export async function restoreFrom(at: string, place: Place): Promise<string> {
  const file = await backupFileAt(at);
  await file.assertExists();
  const { dataDir, databaseUrl } = place;
  makePrivateFolder(dataDir);
  const lock =
    databaseUrl === undefined
      ? openFolderLock(path.join(dataDir, "content.lock"), {})
      : null;
  try {
    if (lock?.tryExclusive() === false)
      throw new Failure(
        "conflict",
        "The service is running on this data folder. Stop it first.",
      );
    const { manifest, summary } =
      databaseUrl === undefined
        ? await restoreSqlite(file, place)
        : await restorePostgres(file, place, databaseUrl);
    return `The backup of ${manifest.createdAt} is restored: ${contentOf(summary)}.`;
  } finally {
    lock?.close();
  }
}

function contentOf({ rows, files, bytes, missing }: BackupSummary): string {
  const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const lost =
    missing.length === 0
      ? ""
      : `; ${missing.length} files were already missing from the service: ${missing.join(", ")}`;
  return `${count} rows and ${files} files (${(bytes / 1e6).toFixed(1)} MB)${lost}`;
}

async function openExisting(dataDir: string): Promise<Database<ContentTables>> {
  // Opening it would create one, and a backup without content.
  if (!existsSync(path.join(dataDir, "content.db")))
    throw new Failure("not-found", `There is no database in ${dataDir}.`);
  return openStore({ dataDir, binding: undefined, log: null });
}

async function restoreSqlite(
  file: BackupFile,
  place: Place,
): Promise<ReadBackup> {
  const { dataDir } = place;
  const target = path.join(dataDir, "content.db");
  const isUsed = [target, `${target}-wal`].some((each) => existsSync(each));
  if (isUsed || (await listBackups(dataDir)).length > 0) throw inUse(dataDir);
  const manifest = await takeFiles(file, place);
  const part = `${target}.restored`;
  await removeDatabase(part);
  try {
    const read = await withRows(file, manifest, part);
    await putInPlace(part, target);
    return read;
  } finally {
    await removeDatabase(part);
  }
}

async function withRows(
  file: BackupFile,
  manifest: Manifest,
  part: string,
): Promise<ReadBackup> {
  const database = openSqliteDatabase<ContentTables>(part);
  try {
    return await restoreRows(file, manifest, database);
  } finally {
    await database.close();
  }
}

async function restorePostgres(
  file: BackupFile,
  place: Place,
  url: string,
): Promise<ReadBackup> {
  const database = openPostgres<ContentTables>(url, slowDatabase);
  try {
    if (await hasTeams(database)) throw inUse("this database");
    const manifest = await takeFiles(file, place);
    return await restoreRows(file, manifest, database);
  } finally {
    await database.close();
  }
}

async function hasTeams({ kysely, kind }: Database<ContentTables>) {
  const tables = await ownTables(kysely, kind);
  if (!tables.some(({ name }) => name === "teams")) return false;
  const team = await kysely.selectFrom("teams").select("id").executeTakeFirst();
  return team !== undefined;
}

function inUse(where: string): Failure {
  return new Failure(
    "conflict",
    `There is already content in ${where}. Restore into an empty data folder or database.`,
  );
}

/** Checks the whole file on the way: rows come only after all its bytes are known to be good. */
async function takeFiles(file: BackupFile, place: Place): Promise<Manifest> {
  const { store } = await openServiceFiles(place);
  const { manifest } = await readBackup(file, {
    file: async (content) => {
      const aside = await store.receive(Readable.from(content), Infinity);
      await store.keep(aside);
      return aside.hash;
    },
  });
  return manifest;
}
