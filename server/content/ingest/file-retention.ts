// Bytes and the rows that need them: held while a row is about to be written, removed when no row is left (V4-214).

import { sql, type Kysely } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { Aside } from "../../platform/files/file-part.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { ContentTables } from "../tables.ts";
import { moment } from "./leases.ts";

export interface FileRetention {
  /** Keeps the bytes and holds them for this holder, until it has pointed a row at them. */
  keep(aside: Aside, holder: string): Promise<void>;
  /** The same for an upload, whose asset is about to be made under this id. */
  keepUpload(aside: Aside, assetId: string): Promise<void>;
  /** Within the transaction that points rows at what was held. */
  release(transaction: Kysely<ContentTables>, holder: string): Promise<void>;
  /** What was held and is not needed after all goes with the next sweep. */
  giveUp(holder: string): Promise<void>;
  giveUpUpload(assetId: string): Promise<void>;
  /** Removes the files of what was deleted, as soon as nobody else needs them. */
  sweepDropped(): Promise<number>;
  /** Removes whatever is older than this and needed by nobody; answers how many files went. */
  sweep(olderThanMs: number): Promise<number>;
}

const hashesAtOnce = 200;

export function createFileRetention(
  database: Database<ContentTables>,
  store: FileStore,
): FileRetention {
  const { kysely, kind } = database;
  const now = moment(kind);

  /** First the claim, then the bytes: between the two nobody can take them for left over. */
  async function keepWith(
    aside: Aside,
    claim: (transaction: Kysely<ContentTables>) => Promise<unknown>,
  ): Promise<void> {
    try {
      await database.transaction(async (transaction) => {
        await transaction
          .insertInto("stored_files")
          .values({ hash: aside.hash, kept_at: now })
          .onConflict((on) => on.column("hash").doUpdateSet({ kept_at: now }))
          .execute();
        await claim(transaction);
      });
      await store.keep(aside);
    } catch (error) {
      await store.discard(aside);
      throw error;
    }
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

  const isNeeded = sql<boolean>`(
    EXISTS (SELECT 1 FROM asset_intakes WHERE source_hash = stored_files.hash)
    OR EXISTS (SELECT 1 FROM asset_intakes WHERE file_hash = stored_files.hash)
    OR EXISTS (SELECT 1 FROM asset_intakes WHERE preview_hash = stored_files.hash)
    OR EXISTS (SELECT 1 FROM uploads WHERE source_hash = stored_files.hash)
    OR EXISTS (SELECT 1 FROM file_holds WHERE hash = stored_files.hash)
    OR EXISTS (SELECT 1 FROM screen_pictures WHERE hash = stored_files.hash)
  )`;

  /** In one transaction with the file itself: whoever wants to keep the same bytes waits for its end. */
  function removeUnneeded(hash: string): Promise<boolean> {
    return database.transaction(async (transaction) => {
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
      // A statement of its own, so that it sees what was committed while the lock was waited for.
      const gone = await transaction
        .deleteFrom("stored_files")
        .where("hash", "=", hash)
        .where(sql<boolean>`NOT ${isNeeded}`)
        .returning("hash")
        .execute();
      // Windows keeps a file that is being read: the next sweep takes it.
      if (gone.length > 0) await store.remove(hash).catch(() => undefined);
      return gone.length > 0;
    });
  }

  async function removeAll(hashes: readonly string[]): Promise<number> {
    let removed = 0;
    for (const hash of hashes) if (await removeUnneeded(hash)) removed += 1;
    return removed;
  }

  async function sweepDropped(): Promise<number> {
    // Taken off the list first: what is dropped once more meanwhile is looked at once more.
    const rows = await database.writeOne({
      ...{ text: "DELETE FROM dropped_files RETURNING hash", values: [] },
    });
    return removeAll(rows.map(({ hash }) => String(hash)));
  }

  /** Holds of workers that are gone, and uploads whose asset never came to be. */
  async function dropStaleClaims(olderThanMs: number): Promise<void> {
    const limit = sql<number>`${now} - ${sql.lit(olderThanMs)}`;
    await kysely
      .deleteFrom("file_holds")
      .where("held_at", "<=", limit)
      // The clock may have been set ahead while its worker works (V4-329).
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

  /** Kept, or seen for the first time, longer ago than this by the database's clock. */
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
    const rows = await kysely
      .selectFrom("stored_files")
      .select("hash")
      .where("hash", "in", [...hashes])
      .where("kept_at", "<=", sql<number>`${now} - ${sql.lit(olderThanMs)}`)
      .where(sql<boolean>`NOT ${isNeeded}`)
      .execute();
    return rows.map(({ hash }) => hash);
  }

  return {
    keep: (aside, holder) =>
      keepWith(aside, (transaction) =>
        transaction
          .insertInto("file_holds")
          .values({ holder, hash: aside.hash, held_at: now })
          .onConflict((on) =>
            on.columns(["holder", "hash"]).doUpdateSet({ held_at: now }),
          )
          .execute(),
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
      // Instances that share the folder need not agree on the time, nor with the machine that dates files.
      await store.sweepStill(olderThanMs, performance.now());
      await dropStaleClaims(olderThanMs);
      let removed = await sweepDropped();
      const kept = await store.list();
      for (let from = 0; from < kept.length; from += hashesAtOnce) {
        const some = kept.slice(from, from + hashesAtOnce);
        removed += await removeAll(await unneededAmong(some, olderThanMs));
      }
      return removed;
    },
  };
}
