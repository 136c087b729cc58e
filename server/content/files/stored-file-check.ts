// Verifies all stored files in the background: a changed file is fetched again or reported as lost (V4-330).

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";

export interface StoredFileCheckOptions {
  readonly database: Database<ContentTables>;
  readonly store: FileStore;
  readonly log: Log;
  /** Delay from the start to the first pass, and between two passes. */
  readonly pauseMs?: number | undefined;
  /** Assets are to be fetched again, or have changed. */
  readonly onDamaged: () => void;
}

export interface StoredFileCheck {
  stop(): Promise<void>;
}

/** The duration of a pass grows with the number of files; each is still checked every few days. */
const defaultPauseMs = 12 * 3_600_000;
/** 16 MB/s at most: clients and uploads have priority. */
const portionBytes = 4 * 1024 ** 2;
const portionPauseMs = 250;

const lost = "Its file was damaged on the disk of the service: send it again.";

export function startStoredFileCheck(
  options: StoredFileCheckOptions,
): StoredFileCheck {
  const { store, log, pauseMs = defaultPauseMs } = options;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    for (;;) {
      await pause(pauseMs, undefined, { signal, ref: false });
      for (const hash of await store.list())
        await check(hash).catch((error: unknown) => {
          // The disk or the database is unavailable, or the file was removed: the next pass checks again.
          if (!signal.aborted) log.warn("store.check-failed", { hash, error });
        });
      signal.throwIfAborted();
    }
  }

  async function check(hash: string): Promise<void> {
    signal.throwIfAborted();
    const { ino } = await stat(store.pathOf(hash));
    // Twice: memory may have been at fault.
    if ((await isIntact(hash)) || (await isIntact(hash))) return;
    // A file that replaced it meanwhile is checked on its own.
    const isSame = async (): Promise<boolean> =>
      (await stat(store.pathOf(hash))).ino === ino;
    if (!(await isSame())) return;
    await giveUp(hash, options);
    if (await isSame()) await store.setDamagedAside(hash);
    log.error("store.file-damaged", { hash });
    options.onDamaged();
  }

  async function isIntact(hash: string): Promise<boolean> {
    const file = store.pathOf(hash);
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const chunk of createReadStream(file, {
      signal,
    }) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      bytes += chunk.length;
      if (bytes < portionBytes) continue;
      bytes = 0;
      await pause(portionPauseMs, undefined, { signal, ref: false });
    }
    return digest.digest("hex") === hash;
  }

  const running = run().catch((error: unknown) => {
    if (!signal.aborted) log.error("store.check-ended", { error });
  });
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

/** Rows before bytes: whatever is `finished` has its file. */
async function giveUp(
  hash: string,
  { database }: StoredFileCheckOptions,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const ofFile = sql`id IN (SELECT asset_id FROM asset_intakes WHERE file_hash = ${hash})`;
    // A document fetched again would get all its pages twice.
    const isFetched = sql`source_url IS NOT NULL AND type <> 'pdf'`;
    await sql`UPDATE assets SET asset_url = '',
      status = CASE WHEN ${isFetched} THEN 'none' ELSE 'error' END,
      processing_error = CASE WHEN ${isFetched} THEN '' ELSE ${lost} END
      WHERE ${ofFile}`.execute(transaction);
    await sql`UPDATE asset_intakes SET file_hash = NULL, source_hash = NULL, validator = NULL, tries = 0, spent_ms = 0,
      due_at = CASE WHEN asset_id IN (SELECT id FROM assets WHERE status = 'none') THEN 0 END
      WHERE file_hash = ${hash}`.execute(transaction);
    await sql`UPDATE assets SET thumbnail_uri = NULL
      WHERE id IN (SELECT asset_id FROM asset_intakes WHERE preview_hash = ${hash})`.execute(
      transaction,
    );
    await sql`UPDATE asset_intakes SET preview_hash = NULL WHERE preview_hash = ${hash}`.execute(
      transaction,
    );
  });
}
