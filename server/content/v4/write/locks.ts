// One order in which all writers lock rows on PostgreSQL, so that no two wait for each other; SQLite has one writer anyway.

import type { Row } from "../../../platform/database/database.ts";
import type { Dialect } from "../sql/dialect.ts";
import { named, sql, trusted, type Sql } from "../../sql.ts";

/** Everybody locks tables in this order, and the rows of a table in the order of their ids (V4-273). */
export type LockedTable = "screens" | "playlists" | "labels" | "assets";

/** `keep`: it is not deleted meanwhile. `own`: besides, nobody else writes what belongs to it. */
export type Lock = "keep" | "own";

export interface OwnerLock {
  readonly table: LockedTable;
  /** The column of the linking table that names it. */
  readonly column: string;
  readonly lock: Lock;
}

/** Whose rows are locked before a row that links them is written, by the linking table. */
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

export interface Locking {
  readonly dialect: Dialect;
  readonly team: string;
  readonly runQuery: (of: Sql) => Promise<readonly Row[]>;
}

/** The rows of this table that a condition chooses; answers their ids, and null on SQLite. */
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
