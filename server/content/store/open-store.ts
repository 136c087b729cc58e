// Opens the content service's SQLite database; a damaged one is restored from its latest backup, or rejected (V4-301).

import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../core/failure.ts";
import {
  openFolderLock,
  type FolderLock,
} from "../../platform/sqlite/folder-lock.ts";
import type { ObserveStatement } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { systemCode } from "../../platform/outside-error.ts";
import {
  openSqliteDatabase,
  type SqliteDatabase,
} from "../../platform/sqlite/sqlite-database.ts";
import { pagesBehindDamage } from "../../platform/sqlite/sqlite-journal.ts";
import type { ContentTables } from "../tables.ts";
import { backupsDir, listBackups } from "./backups.ts";
import { damageOfContent } from "./damage.ts";
import { migrated } from "./migrate-store.ts";
import { createDiskReserve } from "./disk-reserve.ts";
import {
  keepJournal,
  restore,
  restoredText,
  type Restored,
} from "./restore.ts";

export interface OpenStoreOptions {
  readonly dataDir: string;
  /** The files are not in the data folder. */
  readonly hasObjectStorage?: boolean | undefined;
  readonly binding: string | undefined;
  readonly observe?: ObserveStatement | undefined;
  /** Null: nothing is restored, and a damaged database is rejected with a sentence about who restores it. */
  readonly log: Log | null;
}

/** Wait for another instance that is opening it and may be restoring it meanwhile. */
const maxWaitMs = 60_000;

/**
 * Throws a Failure with one sentence that says what to do. Several instances may have it open; only one that is alone
 * replaces it, so that no other continues with a file that no longer exists.
 */
export async function openStore(
  options: OpenStoreOptions,
): Promise<SqliteDatabase<ContentTables>> {
  const { dataDir, binding, log } = options;
  const reserve = createDiskReserve(dataDir);
  reserve.release();
  const lock = openFolderLock(path.join(dataDir, "content.lock"), { binding });
  try {
    const isAlone = log !== null && lock.tryExclusive();
    if (!isAlone) await shared(lock);
    const database = await openSound({ ...options, isAlone });
    if (isAlone) await shared(lock);
    reserve.take();
    const { close } = database;
    return {
      ...database,
      close: async () => {
        await close();
        lock.close();
        // The next start may find the disk full.
        reserve.take();
      },
    };
  } catch (error) {
    lock.close();
    reserve.take();
    throw error;
  }
}

async function shared(lock: FolderLock): Promise<void> {
  if (!(await lock.share(maxWaitMs)))
    throw new Failure(
      "unavailable",
      "Another instance of the service is still opening the database. Stop it, or wait for it.",
    );
}

interface Opening extends OpenStoreOptions {
  /** No other process has it open. */
  readonly isAlone: boolean;
}

async function openSound(
  options: Opening,
): Promise<SqliteDatabase<ContentTables>> {
  const reason = await damageAtStart(options);
  if (reason !== null) await restoreOrRefuse(reason, options);
  else if (options.isAlone) await noteBrokenJournal(options);
  try {
    return await opened(options);
  } catch (error) {
    const damage = reason === null ? damageIn(error) : null;
    if (damage === null) throw error;
    await restoreOrRefuse(damage, options);
    return opened(options);
  }
}

function opened({
  dataDir,
  binding,
  observe,
}: OpenStoreOptions): Promise<SqliteDatabase<ContentTables>> {
  return migrated(
    openSqliteDatabase<ContentTables>(fileIn(dataDir), { binding, observe }),
  );
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, "content.db");
}

async function damageAtStart({
  dataDir,
  binding,
}: OpenStoreOptions): Promise<string | null> {
  const file = fileIn(dataDir);
  const size = existsSync(file) ? statSync(file).size : null;
  if (size === null || size === 0) {
    const wasThere =
      (await listBackups(dataDir)).length > 0 ||
      existsSync(`${file}-wal`) ||
      (size === 0 && hasFiles(dataDir));
    if (!wasThere) return null;
    return size === null ? "it is missing" : "it is empty";
  }
  try {
    return damageOfContent(file, { binding });
  } catch {
    // Not readable by anybody: the next open reports why.
    return null;
  }
}

/** Files of an existing service, in place of whose missing database SQLite would create a new one. */
function hasFiles(dataDir: string): boolean {
  const kept = path.join(dataDir, "files", "kept");
  return existsSync(kept) && readdirSync(kept).length > 0;
}

/** Describes damage that SQLite reports later; a wrong statement is not damage. */
function damageIn(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause)
    if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(systemCode(at) ?? ""))
      return at.message;
  return null;
}

async function restoreOrRefuse(
  reason: string,
  options: Opening,
): Promise<void> {
  const { dataDir, log, isAlone } = options;
  const file = fileIn(dataDir);
  const why = reason.replace(/\.$/, "");
  if (log === null)
    throw new Failure(
      "corrupt",
      `The database ${file} is damaged (${why}). Start the service to restore it from its latest backup.`,
    );
  if (!isAlone)
    throw new Failure(
      "corrupt",
      `The database ${file} is damaged (${why}) and in use by another instance of the service. Stop all instances, then start one to restore it from its latest backup.`,
    );
  const restored = await restore(file, why, options);
  if (restored === null)
    throw new Failure(
      "corrupt",
      `The database ${file} is damaged (${why}) and there is no usable backup in ${backupsDir(dataDir)}. Replace it with a copy of your own, or move it away to start with an empty one.`,
    );
  reportRestored(log, restored);
}

/** Up to the damage the journal is sound; opening the database overwrites the rest. */
async function noteBrokenJournal({ dataDir, log }: Opening): Promise<void> {
  const file = fileIn(dataDir);
  const lost = pagesBehindDamage(`${file}-wal`);
  if (lost === 0 || log === null) return;
  const reason = `${lost} pages cannot be read because its journal is damaged`;
  reportRestored(log, await keepJournal(file, reason, dataDir));
}

function reportRestored(log: Log, restored: Restored): void {
  log.error("store.restored", { ...restored });
  process.stderr.write(`${restoredText(restored)}\n`);
}
