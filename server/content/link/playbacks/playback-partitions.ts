// Partitions of the playback log on PostgreSQL, a table per month: created ahead, found, and dropped when the whole month is old
// (V4-385).
//
// They inherit from `playbacks`, which keeps its own rows: those from before there were partitions, and those of odd dates. With
// declarative partitions, an update would have to read or move all existing rows under a lock, a month could only be created once
// none of its rows is in the default partition, and a playback would be unique only together with its time. A migration that adds
// an index or a constraint to `playbacks` has to add it to the tables that inherit as well; columns arrive there by themselves.

import { sql, type Kysely } from "kysely";
import type { Database } from "../../../platform/database/database.ts";
import type { ContentTables } from "../../tables.ts";

/** This month and the next two: an instance may fail to create them for weeks. */
const monthsAhead = 3;
/** Others wait meanwhile for what waits for them. */
const lockTimeoutMs = 2_000;

/** Tables with the columns of `playbacks`. */
export type PlaybackTable = "playbacks";

export interface Partitions {
  /** Where a playback that began at this moment is stored. */
  tableAt(startedMs: number): PlaybackTable;
}

/** As of this transaction. */
export async function findPartitions(
  transaction: Kysely<ContentTables>,
): Promise<Partitions> {
  const names = new Set(await partitionNames(transaction));
  return {
    tableAt: (startedMs) => {
      const { name } = monthAt(startedMs, 0);
      return names.has(name) ? (name as PlaybackTable) : "playbacks";
    },
  };
}

/** Creates those of this month and the next ones that do not exist; returns their names. */
export async function createPartitions(
  database: Database<ContentTables>,
  now: number,
): Promise<readonly string[]> {
  const months = Array.from({ length: monthsAhead }, (_, ahead) =>
    monthAt(now, ahead),
  );
  const missingIn = async (kysely: Kysely<ContentTables>) => {
    const existing = await partitionNames(kysely);
    return months.filter(({ name }) => !existing.includes(name));
  };
  if ((await missingIn(database.kysely)).length === 0) return [];
  return underLock(database, async (transaction) => {
    // Another instance may have created them meanwhile.
    const missing = await missingIn(transaction);
    for (const { name, from, until } of missing)
      await sql`CREATE TABLE ${sql.table(name)} (
        LIKE playbacks INCLUDING ALL,
        CHECK (started_at >= ${sql.lit(from)} AND started_at < ${sql.lit(until)}),
        FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE
      ) INHERITS (playbacks)`.execute(transaction);
    return missing.map(({ name }) => name);
  });
}

/**
 * Drops those whose month ended before this moment; returns their names. One with playbacks that are not in the totals of
 * days is left for later.
 */
export async function dropPartitions(
  database: Database<ContentTables>,
  before: number,
): Promise<readonly string[]> {
  const oldIn = async (kysely: Kysely<ContentTables>) =>
    (await partitionNames(kysely)).filter((name) => untilOf(name) <= before);
  const dropped: string[] = [];
  for (const name of await oldIn(database.kysely))
    await underLock(database, async (transaction) => {
      if (!(await oldIn(transaction)).includes(name)) return;
      const table = sql.table(name);
      await sql`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`.execute(
        transaction,
      );
      const { rows: uncounted } = await sql`
        SELECT 1 FROM ${table} WHERE NOT is_counted LIMIT 1`.execute(
        transaction,
      );
      if (uncounted.length > 0) return;
      await sql`DROP TABLE ${table}`.execute(transaction);
      dropped.push(name);
    });
  return dropped;
}

/** One instance after the other, without waiting long for anybody else. */
function underLock<T>(
  database: Database<ContentTables>,
  work: (transaction: Kysely<ContentTables>) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await sql`SELECT set_config('lock_timeout', ${String(lockTimeoutMs)}, TRUE),
      pg_advisory_xact_lock(hashtextextended('playback partitions', 0))`.execute(
      transaction,
    );
    return work(transaction);
  });
}

async function partitionNames(
  kysely: Kysely<ContentTables>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'playbacks'::regclass ORDER BY relname`.execute(kysely);
  return rows.map(({ name }) => name);
}

interface Month {
  /** `playbacks_2026_05` */
  readonly name: string;
  /** Milliseconds since 1970, UTC; `until` is the start of the next. */
  readonly from: number;
  readonly until: number;
}

function monthAt(moment: number, ahead: number): Month {
  const at = new Date(moment);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + ahead];
  const from = Date.UTC(year, month);
  const until = Date.UTC(year, month + 1);
  const text = new Date(from).toISOString().slice(0, 7);
  return { name: `playbacks_${text.replace("-", "_")}`, from, until };
}

/** Never, for a table that somebody else lets inherit. */
function untilOf(name: string): number {
  const [, year, month] = /^playbacks_(\d{4})_(\d{2})$/.exec(name) ?? [];
  return year && month ? Date.UTC(Number(year), Number(month)) : Infinity;
}
