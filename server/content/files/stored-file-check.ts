// Verifies all stored files in the background: one that is missing or changed is fetched again or reported (V4-330, V4-333,
// V4-334).

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { ContentTables } from "../tables.ts";
import { inRows } from "./signed-addresses.ts";
import { createPeriodicTask } from "./periodic-task.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface StoredFileCheckOptions {
  readonly database: Database<ContentTables>;
  readonly store: StoredFiles;
  readonly log: Log;
  /** Delay from the first start to the first pass, and between two passes. */
  readonly pauseMs?: number | undefined;
  /** Assets are to be fetched again, or have changed. */
  readonly onDamaged: () => void;
}

export interface StoredFileCheck {
  /** A request found this file missing: checked at once. */
  reportMissing(hash: string): void;
  /** Why nothing is concluded from missing files; otherwise null. */
  problem(): string | null;
  stop(): Promise<void>;
}

/** From the end of a pass on: the more files, the longer a pass takes, and the rarer it is. */
const defaultPauseMs = 12 * 3_600_000;
/** How often to look whether a pass is due, or another instance left one unfinished. */
const maxPollMs = 600_000;
/** Another instance continues a pass whose instance ended. */
const leaseMs = 120_000;
/** 16 MB/s at most: clients and uploads have priority. */
const portionBytes = 4 * 1024 ** 2;
const portionPauseMs = 250;
const rowsAtOnce = 500;
/** A network folder may take a moment to list a file that another machine has just stored. */
const secondCheckMs = 1_000;
/** Each look at an object storage is a request that costs money. */
const objectCheckMs = 15_000;

const damaged = serviceSentences["stored-damaged"];
const missing = serviceSentences["stored-missing"];
const missingObject = serviceSentences["stored-missing-bucket"];
const noneThere =
  "all stored files are missing: mount their disk, or restore their folder or bucket";

export function startStoredFileCheck(
  options: StoredFileCheckOptions,
): StoredFileCheck {
  const { database, store, log, pauseMs = defaultPauseMs } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  const task = createPeriodicTask({
    ...{ database, name: "stored-files", pauseMs, leaseMs },
  });
  let problem: string | null = null;

  async function run(): Promise<void> {
    for (;;) {
      await pause(Math.min(pauseMs, maxPollMs), undefined, {
        ...{ signal, ref: false },
      });
      await runIfDue().catch((error: unknown) => {
        // The database is unavailable or full: the next look tries again.
        if (!signal.aborted) log.warn("store.pass-failed", { error });
      });
    }
  }

  async function runIfDue(): Promise<void> {
    const progress = await task.take();
    if (progress === null) return;
    try {
      if (await checkAll(progress)) await task.finish();
    } finally {
      await task.release();
    }
  }

  /** False when another instance took over. */
  async function checkAll(progress: string): Promise<boolean> {
    await reportMissingRows();
    await restoreReturned();
    // Object storage verifies its bytes itself (V4-355).
    const { folder } = store;
    if (folder === null) return true;
    for (const hash of (await folder.list()).toSorted()) {
      if (hash <= progress) continue;
      if (!(await task.hold(hash))) return false;
      await check(hash, folder).catch((error: unknown) => {
        // The disk or the database is unavailable, or the file was removed: the next pass checks again.
        if (!signal.aborted) log.warn("store.check-failed", { hash, error });
      });
      signal.throwIfAborted();
    }
    return true;
  }

  async function check(hash: string, folder: FileStore): Promise<void> {
    signal.throwIfAborted();
    const file = folder.pathOf(hash);
    const { ino } = await stat(file);
    // Twice: memory may have been at fault.
    if ((await isIntact(hash, file)) || (await isIntact(hash, file))) return;
    // A file that replaced it meanwhile is checked on its own.
    const isSame = async (): Promise<boolean> => (await stat(file)).ino === ino;
    if (!(await isSame())) return;
    await giveUp(hash, damaged, options);
    if (await isSame()) await folder.setDamagedAside(hash);
    log.error("store.file-damaged", { hash });
    options.onDamaged();
  }

  async function isIntact(hash: string, file: string): Promise<boolean> {
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const chunk of createReadStream(file, {
      signal,
    }) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      bytes += chunk.length;
      if (bytes < portionBytes) continue;
      bytes = 0;
      await task.hold(hash);
      await pause(portionPauseMs, undefined, { signal, ref: false });
    }
    return digest.digest("hex") === hash;
  }

  /** Rows and stored files are both read in the order of their hashes. */
  async function reportMissingRows(): Promise<void> {
    const stored = store.list()[Symbol.asyncIterator]();
    let next = await stored.next();
    for (let last = ""; ;) {
      const { rows } = await sql<{ hash: string }>`
        SELECT DISTINCT hash FROM (
          SELECT file_hash AS hash FROM asset_intakes JOIN assets ON id = asset_id
          WHERE file_hash > ${last} AND status = 'finished'
          UNION ALL SELECT preview_hash FROM asset_intakes WHERE preview_hash > ${last}
        ) AS stored ORDER BY hash LIMIT ${sql.lit(rowsAtOnce)}`.execute(
        database.kysely,
      );
      const gone: string[] = [];
      for (const { hash } of rows) {
        while (!next.done && next.value < hash) next = await stored.next();
        if (next.done || next.value !== hash) gone.push(hash);
      }
      await handleMissing(gone);
      if (rows.length < rowsAtOnce) break;
      last = rows.at(-1)?.hash ?? "";
      signal.throwIfAborted();
    }
  }

  async function handleMissing(hashes: readonly string[]): Promise<void> {
    const gone = await missingAmong(hashes);
    if (gone.length === 0) return;
    await pause(secondCheckMs, undefined, { signal, ref: false });
    const stillGone = await missingAmong(gone);
    if (stillGone.length === 0) return;
    // A disk that is away comes back with everything: no asset is given up for it.
    if (await store.isEmpty()) {
      if (problem === null) {
        log.error("store.files-away");
        problem = noneThere;
        watching = watchUntilBack().catch(failed);
      }
      return;
    }
    for (const hash of stillGone) {
      signal.throwIfAborted();
      await giveUp(
        hash,
        store.folder === null ? missingObject : missing,
        options,
      );
      log.error("store.file-missing", { hash });
    }
    options.onDamaged();
  }

  async function watchUntilBack(): Promise<void> {
    const isAway = (): Promise<boolean> =>
      store.isEmpty().catch(() => !signal.aborted);
    while (await isAway())
      await pause(
        store.folder === null ? objectCheckMs : secondCheckMs,
        undefined,
        { signal, ref: false },
      );
    problem = null;
    log.info("store.files-back");
  }

  async function missingAmong(
    hashes: readonly string[],
  ): Promise<readonly string[]> {
    const gone: string[] = [];
    for (const hash of hashes)
      if ((await store.sizeOf(hash)) === null) gone.push(hash);
    return gone;
  }

  /** Files that somebody put back; `isIntact` is checked with all others. */
  async function restoreReturned(): Promise<void> {
    const { kysely } = database;
    const rows = await kysely
      .selectFrom("asset_intakes")
      .innerJoin("assets", "assets.id", "asset_intakes.asset_id")
      .select("file_hash as hash")
      .distinct()
      .where("status", "=", "error")
      .where("processing_error", "in", [missing, missingObject])
      .where("file_hash", "is not", null)
      .execute();
    let hasReturned = false;
    for (const { hash } of rows) {
      if (hash === null || (await store.sizeOf(hash)) === null) continue;
      await kysely
        .updateTable("assets")
        .set({
          ...{ status: "finished", processing_error: "" },
          asset_url: sql<string>`${sql.lit(inRows)} || id`,
        })
        .where("status", "=", "error")
        .where("processing_error", "in", [missing, missingObject])
        .where("id", "in", (query) =>
          query
            .selectFrom("asset_intakes")
            .select("asset_id")
            .where("file_hash", "=", hash),
        )
        .execute();
      log.info("store.file-returned", { hash });
      hasReturned = true;
    }
    if (hasReturned) options.onDamaged();
  }

  const failed = (error: unknown): void => {
    if (!signal.aborted) log.error("store.check-ended", { error });
  };
  let watching: Promise<void> = Promise.resolve();
  let handlingReports: Promise<void> = Promise.resolve();
  const reported = new Set<string>();
  const running = run().catch(failed);
  return {
    reportMissing: (hash) => {
      if (signal.aborted || reported.has(hash)) return;
      reported.add(hash);
      // Requests for many files at once are handled together.
      if (reported.size > 1) return;
      handlingReports = handlingReports
        .then(async () => {
          const hashes = [...reported];
          reported.clear();
          await handleMissing(hashes);
        })
        .catch(failed);
    },
    problem: () => problem,
    stop: async () => {
      stopped.abort();
      await running;
      await handlingReports;
      await watching;
    },
  };
}

/** Assets with this file that are fetched again; a document would get all its pages twice. */
const isFetched = sql`source_url IS NOT NULL AND type <> 'pdf'`;

/** Rows before bytes: whatever is `finished` has its file. What cannot be fetched keeps the hash of a missing file, so that it can be put back. */
async function giveUp(
  hash: string,
  problem: typeof damaged | typeof missing | typeof missingObject,
  { database }: StoredFileCheckOptions,
): Promise<void> {
  const isMissing = problem !== damaged;
  await database.transaction(async (transaction) => {
    await sql`UPDATE assets SET asset_url = '',
      status = CASE WHEN ${isFetched} THEN 'none' ELSE 'error' END,
      processing_error = CASE WHEN ${isFetched} THEN '' ELSE ${problem} END
      WHERE ${isMissing ? sql`status = 'finished'` : sql`TRUE`}
        AND id IN (SELECT asset_id FROM asset_intakes WHERE file_hash = ${hash})`.execute(
      transaction,
    );
    await fetchAgain(
      transaction,
      hash,
      isMissing
        ? sql`asset_id IN (SELECT id FROM assets WHERE status = 'none')`
        : sql`TRUE`,
    );
  });
}

async function fetchAgain(
  transaction: Parameters<
    Parameters<Database<ContentTables>["transaction"]>[0]
  >[0],
  hash: string,
  which: ReturnType<typeof sql>,
): Promise<void> {
  await sql`UPDATE asset_intakes SET file_hash = NULL, source_hash = NULL, validator = NULL, tries = 0, spent_ms = 0,
    due_at = CASE WHEN asset_id IN (SELECT id FROM assets WHERE status = 'none') THEN 0 END
    WHERE file_hash = ${hash} AND ${which}`.execute(transaction);
  await sql`UPDATE assets SET thumbnail_uri = NULL
    WHERE id IN (SELECT asset_id FROM asset_intakes WHERE preview_hash = ${hash})`.execute(
    transaction,
  );
  await sql`UPDATE asset_intakes SET preview_hash = NULL WHERE preview_hash = ${hash}`.execute(
    transaction,
  );
}
