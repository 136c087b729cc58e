// Lock order of all writers on PostgreSQL, which prevents deadlocks; SQLite has one writer anyway.

import type { Row } from "../../../platform/database/database.ts";
import type { Dialect } from "../sql/dialect.ts";
import { named, sql, trusted, type Sql } from "../../sql.ts";

/** All writers lock tables in this order, and the rows of a table in the order of their ids (V4-273). */
export type LockedTable = "screens" | "playlists" | "labels" | "assets";

/** `keep`: prevents deletion. `own`: also prevents other writes of rows that belong to it. */
export type Lock = "keep" | "own";

export interface OwnerLock {
  readonly table: LockedTable;
  /** The column of the linking table that references it. */
  readonly column: string;
  readonly lock: Lock;
}

/** The rows to lock before writing a row that links them, by linking table. */
export const ownersOf: Readonly<Record<string, readonly OwnerLock[]>> = {
  label_screen: [
    { table: "screens", column: "screen_id", lock: "keep" },
    { table: "labels", column: "label_id", lock: "own" },
  ],
  label_playlist: [
    { table: "playlists", column: "playlist_id", lock: "own" },
    { table: "labels", column: "label_id", lock: "keep" },
  ],
  playlist_items: [
    { table: "playlists", column: "playlist_id", lock: "own" },
    { table: "assets", column: "asset_id", lock: "keep" },
  ],
};

/**
 * Tables of which even a single row is written only once its owners are locked. Of `label_screen`, a trigger numbers the screen of
 * each link (V4-273), and waits for the screen's other writers while it holds the link. The others are part of a playlist in
 * version 3: one that is compared with If-Match gets no row in between, which the change would remove unseen (V3-157).
 */
const guarded: ReadonlySet<string> = new Set([
  ...["label_screen", "playlist_items", "label_playlist"],
]);

export function needsOwners(
  table: string,
  isOneRow: boolean,
  { kind }: Dialect,
): boolean {
  return !isOneRow || (kind === "postgres" && guarded.has(table));
}

export interface Locking {
  readonly dialect: Dialect;
  readonly team: string;
  readonly runQuery: (of: Sql) => Promise<readonly Row[]>;
}

/** Locks the rows of this table that a condition selects; returns their ids, and null on SQLite. */
export async function lockRows(
  { dialect, team, runQuery }: Locking,
  table: LockedTable,
  lock: Lock,
  areMeant: Sql,
): Promise<readonly string[] | null> {
  if (dialect.kind === "sqlite") return null;
  const strength = trusted(lock === "own" ? "NO KEY UPDATE" : "KEY SHARE");
  const rows = await runQuery(
    sql`SELECT id FROM ${named(table)} WHERE team_id = ${team} AND ${areMeant} ORDER BY id FOR ${strength}`,
  );
  return rows.map(({ id }) => String(id));
}

/**
 * Locks the numbers of screens (V3-120) in the order of their ids: before a writer of links whose statements number several screens one
 * after the other, and after it has locked the owners.
 */
export async function lockScreenChanges(
  { dialect, team, runQuery }: Locking,
  areMeant: Sql,
): Promise<void> {
  if (dialect.kind === "sqlite") return;
  await runQuery(
    sql`SELECT screen_id FROM screen_changes WHERE team_id = ${team} AND ${areMeant} ORDER BY screen_id FOR NO KEY UPDATE`,
  );
}
