// Retention of stored files: held while a row is about to reference them, removed when no row is left (V4-214).

import { setTimeout as pause } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import { moment } from "../../platform/database/database-now.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { StorageAwayError } from "../files/storage-away.ts";
import { createPeriodicTask } from "../files/periodic-task.ts";
import { fileColumns } from "../files/service-files.ts";
import type { ContentTables } from "../tables.ts";
import type { StoredFiles } from "../files/stored-files.ts";

export interface FileRetention {
  /**
   * Stores the bytes and holds them for this holder until it has written a row that references them. If they cannot be stored, they
   * are discarded, unless they are a partial file that is continued when the storage is available again.
   */
  keep(aside: Aside, holder: string, isPartialFile?: boolean): Promise<void>;
  /** The same for an upload, whose asset is about to be created under this id. */
  keepUpload(aside: Aside, assetId: string): Promise<void>;
  /** Within the transaction that writes the rows that reference the held bytes. */
  release(transaction: Kysely<ContentTables>, holder: string): Promise<void>;
  /** Held bytes that are not needed after all; the next sweep removes them. */
  giveUp(holder: string): Promise<void>;
  giveUpUpload(assetId: string): Promise<void>;
  /** Removes the files of deleted assets as soon as no other row needs them. */
  sweepDropped(): Promise<number>;
  /** Removes files older than this that no row needs; returns how many were removed. */
  sweep(olderThanMs: number): Promise<number>;
}

const hashesAtOnce = 200;
const objectLeaseMs = 120_000;
/** Marks, instead of the time at which it was stored, an object that is being deleted: minus this, minus the time. */
const deletionMark = -1e15;
/** A storage that did not answer may delete the object as long as this afterwards. */
const deletionMs = 600_000;
/** For as long as a deletion takes at most. */
const maxClaims = 60;
const claimPauseMs = 100;
/** A larger difference is a clock that was set, not one that drifts. */
const clockStepMs = 60_000;
/** Until when no unneeded object is deleted after a restore, as the row of a task that never runs. */
export const restoredTask = "restored-objects";
/** Holder of the files that a restored database does not know, which are held into the future. */
export const restoredHolder = "restored";
/** As long as backups are kept: the damaged database may still be recovered by hand. */
export const restoredHoldMs = 7 * 24 * 3_600_000;

export function createFileRetention(
  database: Database<ContentTables>,
  store: StoredFiles,
  monotonic: () => number = () => performance.now(),
  objectPauseMs = 24 * 3_600_000,
): FileRetention {
  const { kysely, kind } = database;
  const now = moment(kind);
  const after = (ms: number) => sql<number>`${now} + ${sql.lit(ms)}`;

  /** The mark of a deletion that began this long ago. */
  const markOf = (ms: number) =>
    sql<number>`${sql.lit(deletionMark)} - (${after(-ms)})`;
  /** A mark from later than now is from before the clock was set back. */
  const isBeingDeleted = sql<boolean>`(stored_files.kept_at < ${markOf(deletionMs)}
    AND stored_files.kept_at >= ${markOf(-clockStepMs)})`;

  /** The hold comes before the bytes: otherwise a sweep could take the bytes for unneeded in between. */
  async function keepWith(
    aside: Aside,
    claim: (transaction: Kysely<ContentTables>) => Promise<unknown>,
    isPartialFile = false,
  ): Promise<void> {
    try {
      for (let tries = 1; !(await claimBytes(aside.hash, claim)); tries += 1) {
        if (tries > maxClaims)
          throw new StorageAwayError(
            new Error("These bytes are being deleted."),
          );
        await pause(claimPauseMs);
      }
      await store.keep(aside);
    } catch (error) {
      if (!(isPartialFile && error instanceof StorageAwayError))
        await store.discard(aside);
      throw error;
    }
  }

  /** False while the object with these bytes is being deleted. */
  function claimBytes(
    hash: string,
    claim: (transaction: Kysely<ContentTables>) => Promise<unknown>,
  ): Promise<boolean> {
    return database.transaction(async (transaction) => {
      const rows = await transaction
        .insertInto("stored_files")
        .values({ hash, kept_at: now })
        .onConflict((on) =>
          on
            .column("hash")
            .doUpdateSet({ kept_at: now })
            .where(sql<boolean>`NOT ${isBeingDeleted}`),
        )
        .returning("hash")
        .execute();
      if (rows.length > 0) await claim(transaction);
      return rows.length > 0;
    });
  }

  const dropAll = (hashes: readonly string[]) =>
    hashes.length === 0
      ? undefined
      : kysely
          .insertInto("dropped_files")
          .values(hashes.map((hash) => ({ hash })))
          .onConflict((on) => on.doNothing())
          .execute();

  const hasNoAsset = sql<boolean>`NOT EXISTS (
    SELECT 1 FROM assets WHERE assets.id = uploads.asset_id
  )`;

  const isNeeded = sql<boolean>`(${sql.raw(
    Object.entries({ ...fileColumns, file_holds: ["hash"] })
      .flatMap(([table, columns]) =>
        columns.map(
          (column) =>
            `EXISTS (SELECT 1 FROM ${table} WHERE ${column} = stored_files.hash)`,
        ),
      )
      .join(" OR "),
  )})`;

  /** So that nobody who stores the same bytes meanwhile relies on them. */
  async function lockRow(
    transaction: Kysely<ContentTables>,
    hash: string,
  ): Promise<void> {
    await transaction
      .insertInto("stored_files")
      .values({ hash, kept_at: 0 })
      .onConflict((on) => on.doNothing())
      .execute();
    if (kind === "postgres")
      await transaction
        .selectFrom("stored_files")
        .select("hash")
        .where("hash", "=", hash)
        .forUpdate()
        .execute();
  }

  const removeUnneeded = (hash: string): Promise<boolean> =>
    store.isLocal ? removeFile(hash) : removeObject(hash);

  /** In one transaction with the file itself: a writer that wants to store the same bytes waits until it ends. */
  function removeFile(hash: string): Promise<boolean> {
    return database.transaction(async (transaction) => {
      await lockRow(transaction, hash);
      // A statement of its own, so that it sees what was committed while it waited for the lock.
      const gone = await transaction
        .deleteFrom("stored_files")
        .where("hash", "=", hash)
        .where(sql<boolean>`NOT ${isNeeded}`)
        .returning("hash")
        .execute();
      // Windows cannot delete a file that is being read: the next sweep does.
      if (gone.length > 0) await store.remove(hash).catch(() => undefined);
      return gone.length > 0;
    });
  }

  /**
   * Outside of a transaction, since it takes a while: a writer of the same bytes waits for the row. If the storage does not answer,
   * it might still delete the object later, so the row stays for a while.
   */
  async function removeObject(hash: string): Promise<boolean> {
    // Throws while the storage is unavailable: it is asked for nothing that it might do later.
    await store.sizeOf(hash);
    const [marked] = await database.transaction(async (transaction) => {
      await lockRow(transaction, hash);
      return (
        transaction
          .updateTable("stored_files")
          .set({ kept_at: markOf(0) })
          .where("hash", "=", hash)
          // An earlier request that was not answered might take effect after this one.
          .where(sql<boolean>`NOT ${isBeingDeleted}`)
          .where(sql<boolean>`NOT ${isNeeded}`)
          .returning("kept_at")
          .execute()
      );
    });
    if (!marked) return false;
    await store.remove(hash).catch(async (error: unknown) => {
      if (error instanceof StorageAwayError && error.isRefusal)
        await kysely
          .updateTable("stored_files")
          .set({ kept_at: now })
          .where("hash", "=", hash)
          .where("kept_at", "=", marked.kept_at)
          .execute();
      throw error;
    });
    await kysely
      .deleteFrom("stored_files")
      .where("hash", "=", hash)
      .where("kept_at", "=", marked.kept_at)
      .execute();
    return true;
  }

  async function sweepDropped(): Promise<number> {
    if (!store.isLocal && (await isJustRestored())) return 0;
    // Removed from the list first: a file dropped again meanwhile is checked again.
    const rows = await database.writeOne({
      ...{ text: "DELETE FROM dropped_files RETURNING hash", values: [] },
    });
    let removed = 0;
    const failures: unknown[] = [];
    for (const { hash } of rows)
      try {
        if (await removeUnneeded(String(hash))) removed += 1;
      } catch (error) {
        failures.push(error);
        await dropAll([String(hash)]);
      }
    if (failures.length > 0) throw failures[0];
    return removed;
  }

  let lastSweep: { readonly ms: number; readonly at: number } | null = null;
  /** Until then, in monotonic milliseconds, dates look older than they are. */
  let isSetAheadUntil = -Infinity;

  /** If the database's clock is set ahead, nothing is old until it has been so by a clock that is never set (V4-341). */
  async function noteClock(olderThanMs: number): Promise<void> {
    const { rows } = await sql<{ ms: number }>`SELECT ${now} AS ms`.execute(
      kysely,
    );
    const sweep = { ms: Number(rows[0]?.ms), at: monotonic() };
    const passedMs = sweep.at - (lastSweep ?? sweep).at;
    const aheadMs = sweep.ms - (lastSweep ?? sweep).ms - passedMs;
    lastSweep = sweep;
    if (aheadMs > clockStepMs) isSetAheadUntil = sweep.at + olderThanMs;
  }

  /** Dates from before the database's clock was set back count from now (V4-341). */
  async function countClaimsFromNow(): Promise<void> {
    await kysely
      .updateTable("uploads")
      .set({ received_at: now })
      .where("received_at", ">", after(clockStepMs))
      .execute();
    const furthest = sql<number>`(CASE holder WHEN ${sql.lit(restoredHolder)}
      THEN ${after(restoredHoldMs)} ELSE ${now} END)`;
    await kysely
      .updateTable("file_holds")
      .set({ held_at: furthest })
      .where("held_at", ">", sql<number>`${furthest} + ${sql.lit(clockStepMs)}`)
      .execute();
  }

  /** Holds of workers that died, and uploads whose asset was never created. */
  async function dropStaleClaims(olderThanMs: number): Promise<void> {
    await countClaimsFromNow();
    const limit = after(-olderThanMs);
    await kysely
      .deleteFrom("file_holds")
      .where("held_at", "<=", limit)
      // The clock may be set forward while the worker is running (V4-329).
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM asset_intakes
        WHERE asset_id = file_holds.holder AND lease_owner IS NOT NULL)`,
      )
      .execute();
    await kysely
      .deleteFrom("uploads")
      .where("received_at", "<=", limit)
      .where(hasNoAsset)
      .execute();
  }

  /** Those stored, or first seen, longer ago than this by the database's clock. */
  async function unneededAmong(
    hashes: readonly string[],
    olderThanMs: number,
  ): Promise<readonly string[]> {
    if (hashes.length === 0) return [];
    await kysely
      .insertInto("stored_files")
      .values(hashes.map((hash) => ({ hash, kept_at: now })))
      .onConflict((on) => on.doNothing())
      .execute();
    await database.transaction((transaction) =>
      transaction
        .updateTable("stored_files")
        .set({ kept_at: now })
        .where("hash", "in", [...hashes])
        .where("kept_at", ">", after(clockStepMs))
        .execute(),
    );
    const rows = await kysely
      .selectFrom("stored_files")
      .select("hash")
      .where("hash", "in", [...hashes])
      .where("kept_at", "<=", after(-olderThanMs))
      .where(sql<boolean>`NOT ${isNeeded}`)
      .execute();
    return rows.map(({ hash }) => hash);
  }

  /** Those that were unneeded at the last list, too, and still are; the others are noted. */
  async function unneededObjectsAmong(
    hashes: readonly string[],
  ): Promise<readonly string[]> {
    if (hashes.length === 0) return [];
    const sinceDay = sql<number>`-(${after(-objectPauseMs * 0.9)})`;
    const ofThese = () =>
      kysely.updateTable("stored_files").where("hash", "in", [...hashes]);
    await kysely
      .insertInto("stored_files")
      .values(hashes.map((hash) => ({ hash, kept_at: now })))
      .onConflict((on) => on.doNothing())
      .execute();
    // Needed again, or noted before the clock was set back.
    await ofThese()
      .set({ kept_at: now })
      .where("kept_at", "<", 0)
      .where("kept_at", ">", deletionMark)
      .where(sql<boolean>`(${isNeeded} OR kept_at < -(${after(clockStepMs)}))`)
      .execute();
    const rows = await kysely
      .selectFrom("stored_files")
      .select("hash")
      .where("hash", "in", [...hashes])
      .where(
        sql<boolean>`(kept_at < 0 AND kept_at >= ${sinceDay}
          OR kept_at < ${sql.lit(deletionMark)} AND NOT ${isBeingDeleted})`,
      )
      .where(sql<boolean>`NOT ${isNeeded}`)
      .execute();
    await ofThese()
      .set({ kept_at: sql<number>`-${now}` })
      .where("kept_at", ">=", 0)
      .where(sql<boolean>`NOT ${isNeeded}`)
      .execute();
    return rows.map(({ hash }) => hash);
  }

  /** Continues after `progress`; false from `hold` ends it early. */
  async function removeListed(
    unneeded: (hashes: readonly string[]) => Promise<readonly string[]>,
    progress = "",
    hold: (progress: string) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<number> {
    let removed = 0;
    let some: string[] = [];
    let reached = progress;
    /** False when another instance took over. */
    const removeSome = async (): Promise<boolean> => {
      for (const hash of await unneeded(some)) {
        if (await removeUnneeded(hash)) removed += 1;
        if (!(await hold(reached))) return false;
      }
      reached = some.at(-1) ?? reached;
      some = [];
      return hold(reached);
    };
    for await (const hash of store.list()) {
      if (hash <= progress || some.push(hash) < hashesAtOnce) continue;
      if (!(await removeSome())) return removed;
    }
    await removeSome();
    return removed;
  }

  /** For a week, objects that the restored database does not know are kept (V4-301). */
  async function isJustRestored(): Promise<boolean> {
    const row = await kysely
      .selectFrom("periodic_tasks")
      .select("name")
      .where("name", "=", restoredTask)
      .where("due_at", ">", now)
      .executeTakeFirst();
    return row !== undefined;
  }

  const objectPass = createPeriodicTask({
    ...{ database, name: "unneeded-objects", leaseMs: objectLeaseMs },
    pauseMs: objectPauseMs,
  });

  /** Lists of objects cost money: one instance reads them once a day, and removes what was unneeded the day before (V4-355). */
  async function sweepStored(olderThanMs: number): Promise<number> {
    if (store.isLocal)
      return removeListed((hashes) => unneededAmong(hashes, olderThanMs));
    if (await isJustRestored()) return 0;
    const progress = await objectPass.take();
    if (progress === null) return 0;
    try {
      const removed = await removeListed(
        unneededObjectsAmong,
        progress,
        objectPass.hold,
      );
      await objectPass.finish();
      return removed;
    } finally {
      await objectPass.release();
    }
  }

  return {
    keep: (aside, holder, isPartialFile) =>
      keepWith(
        aside,
        (transaction) =>
          transaction
            .insertInto("file_holds")
            .values({ holder, hash: aside.hash, held_at: now })
            .onConflict((on) =>
              on.columns(["holder", "hash"]).doUpdateSet({ held_at: now }),
            )
            .execute(),
        isPartialFile,
      ),
    keepUpload: (aside, assetId) =>
      keepWith(aside, (transaction) =>
        transaction
          .insertInto("uploads")
          .values({
            asset_id: assetId,
            source_hash: aside.hash,
            received_at: now,
          })
          .execute(),
      ),
    release: async (transaction, holder) => {
      await transaction
        .deleteFrom("file_holds")
        .where("holder", "=", holder)
        .execute();
    },
    giveUp: async (holder) => {
      const rows = await kysely
        .deleteFrom("file_holds")
        .where("holder", "=", holder)
        .returning("hash")
        .execute();
      await dropAll(rows.map(({ hash }) => hash));
    },
    giveUpUpload: async (assetId) => {
      const rows = await kysely
        .deleteFrom("uploads")
        .where("asset_id", "=", assetId)
        .where(hasNoAsset)
        .returning("source_hash")
        .execute();
      await dropAll(rows.map((row) => row.source_hash));
    },
    sweepDropped,
    sweep: async (olderThanMs) => {
      // Instances that share the folder need not agree on the time, nor with the machine that sets file times.
      await store.sweepStill(olderThanMs, monotonic());
      const failures: unknown[] = [];
      // What cannot be deleted does not keep anything else.
      const removed = await sweepDropped().catch((error: unknown) => {
        failures.push(error);
        return 0;
      });
      await noteClock(olderThanMs);
      const isSetAhead = monotonic() < isSetAheadUntil;
      if (!isSetAhead) await dropStaleClaims(olderThanMs);
      const more = isSetAhead ? 0 : await sweepStored(olderThanMs);
      if (failures.length > 0) throw failures[0];
      return removed + more;
    },
  };
}
