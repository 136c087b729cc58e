// Composes SQL for writes: batched inserts, upserts, updates and deletes.

import type { Table } from "../../catalogue.ts";
import { createMemory } from "../../lru-cache.ts";
import type { Dialect } from "./dialect.ts";
import type { Conflict, NewRow } from "../plan/plan-write.ts";
import { joined, named, sql, trusted, type Sql } from "../../sql.ts";
import type { Value } from "../plan/values.ts";

/** A few milliseconds of work; both databases accept more than ten times as many values in a statement. */
const maxValues = 2_500;
/** From this many rows on, each column is bound as one list: the statement is short, and the same for any number of rows. */
const minListed = 5;
const maxListed = 1_000;

/** One row, returned with all of its columns. */
export function insertReturningRow(
  dialect: Dialect,
  table: Table,
  row: NewRow,
): Sql {
  const columns = [...row.keys()];
  const tuple = tupleOf(dialect, table, columns, row);
  return sql`${headOf(table, columns)}VALUES ${tuple} RETURNING *`;
}

/** All rows have the same columns. Statements are composed lazily: that takes as long as executing them. */
export function* insertStatements(
  dialect: Dialect,
  table: Table,
  rows: readonly NewRow[],
  conflict: Conflict | null,
): Generator<Sql, void> {
  const columns = [...(rows[0]?.keys() ?? [])];
  const head = headOf(table, columns);
  if (dialect.listOf && rows.length >= minListed) {
    for (let first = 0; first < rows.length; first += maxListed)
      yield* insertLists(
        dialect,
        { table, head, columns, conflict },
        rows.slice(first, first + maxListed),
      );
    return;
  }
  yield* insertTuples(dialect, { table, head, columns, conflict }, rows);
}

function* insertTuples(
  dialect: Dialect,
  insert: Insert,
  rows: readonly NewRow[],
): Generator<Sql, void> {
  const atOnce = Math.max(1, Math.floor(maxValues / insert.columns.length));
  for (let first = 0; first < rows.length; first += atOnce)
    yield insertStatement(dialect, insert, rows.slice(first, first + atOnce));
}

function* insertLists(
  dialect: Dialect,
  insert: Insert,
  rows: readonly NewRow[],
): Generator<Sql, void> {
  const { table, head, columns, conflict } = insert;
  const lists: Sql[] = [];
  const shown: Sql[] = [];
  for (const name of columns) {
    const values = rows.map((row) => row.get(name) ?? null);
    if (values.every((value) => value === null)) {
      shown.push(trusted("NULL"));
      continue;
    }
    const list = dialect.listOf?.(values);
    if (!list) return yield* insertTuples(dialect, insert, rows);
    const listed = named(`v${lists.push(list)}`);
    const isLevel = table.columns.get(name)?.type === "level";
    shown.push(
      isLevel
        ? sql`CASE ${listed} WHEN TRUE THEN 1 WHEN FALSE THEN 0 END`
        : listed,
    );
  }
  const names = lists.map((_list, at) => named(`v${at + 1}`));
  yield sql`${head}SELECT ${joined(shown, ", ")}
    FROM unnest(${joined(lists, ", ")}) AS listed (${joined(names, ", ")})${conflictClause(table, conflict)}
    RETURNING ${named(table.key)} AS row_key`;
}

interface Insert {
  readonly table: Table;
  readonly head: Sql;
  readonly columns: readonly string[];
  readonly conflict: Conflict | null;
}

/** Clients write the same columns repeatedly. */
const heads = createMemory<Sql>(200);

function headOf(table: Table, columns: readonly string[]): Sql {
  const key = `${table.name} ${columns.join()}`;
  const cached = heads.get(key);
  if (cached) return cached;
  const names = joined(columns.map(named), ", ");
  const head = sql`INSERT INTO ${named(table.name)} (${names}) `;
  heads.set(key, head);
  return head;
}

function insertStatement(
  dialect: Dialect,
  { table, head, columns, conflict }: Insert,
  rows: readonly NewRow[],
): Sql {
  const tuples = rows.map((row) => tupleOf(dialect, table, columns, row));
  return sql`${head}VALUES ${joined(tuples, ", ")}${conflictClause(table, conflict)}
    RETURNING ${named(table.key)} AS row_key`;
}

function tupleOf(
  dialect: Dialect,
  table: Table,
  columns: readonly string[],
  row: NewRow,
): Sql {
  const values = columns.map((name) =>
    newValue(dialect, table, name, row.get(name) ?? null),
  );
  return sql`(${joined(values, ", ")})`;
}

function newValue(
  dialect: Dialect,
  table: Table,
  name: string,
  value: Value | null,
): Sql {
  if (value === null) return trusted("NULL");
  if (table.columns.get(name)?.type === "level")
    return trusted(value.value === true ? "1" : "0");
  return dialect.stored(value);
}

function conflictClause(table: Table, conflict: Conflict | null): Sql {
  if (conflict === null) return trusted("");
  const target = joined(
    [
      ...(conflict.columns.includes("id") ? [] : [table.teamColumn]),
      ...conflict.columns,
    ].map(named),
    ", ",
  );
  if (!conflict.isMerged) return sql` ON CONFLICT (${target}) DO NOTHING`;
  const team = named(table.teamColumn);
  const sets = conflict.sent.map(
    (name) => sql`${named(name)} = excluded.${named(name)}`,
  );
  const changes =
    sets.length > 0 ? joined(sets, ", ") : sql`${team} = excluded.${team}`;
  // Never a row of another team, whatever key was sent.
  return sql` ON CONFLICT (${target}) DO UPDATE SET ${changes} WHERE ${named(table.name)}.${team} = excluded.${team}`;
}

/** Two concurrent merges of the same rows deadlock unless both begin at the same row. */
export function inOrderOf(
  columns: readonly string[],
  rows: readonly NewRow[],
): readonly NewRow[] {
  if (columns.length === 0 || rows.length === 1) return rows;
  const keyed = rows.map((row) => {
    const values = columns.map((name) => {
      const value = row.get(name);
      return value?.type === "text" ? value.value : "";
    });
    return { row, key: values.join("\n") };
  });
  return keyed
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

export function updateStatement(
  dialect: Dialect,
  table: Table,
  alias: string,
  changes: NewRow,
  {
    where,
    returned,
    from,
  }: {
    readonly where: Sql;
    readonly returned: readonly Sql[];
    /** Another table, whose columns conditions and returned values may name. */
    readonly from?: Sql;
  },
): Sql {
  const own = (name: string): Sql =>
    from ? sql`${named(alias)}.${named(name)}` : named(name);
  const sets = [...changes].map(
    ([name, value]) =>
      sql`${named(name)} = ${changedValue(dialect, table, own(name), name, value)}`,
  );
  const others = from ? sql` FROM ${from}` : trusted("");
  return sql`UPDATE ${named(table.name)} AS ${named(alias)} SET ${joined(sets, ", ")}${others} WHERE ${where}
    RETURNING ${joined([sql`${own(table.key)} AS row_key`, ...returned], ", ")}`;
}

/** A level that is already above 0 stays as it is. */
function changedValue(
  dialect: Dialect,
  table: Table,
  stored: Sql,
  name: string,
  value: Value | null,
): Sql {
  const isLevel = table.columns.get(name)?.type === "level";
  return isLevel && value?.value === true
    ? sql`CASE WHEN ${stored} > 0 THEN ${stored} ELSE 1 END`
    : newValue(dialect, table, name, value);
}

export function deleteStatement(table: Table, alias: string, where: Sql): Sql {
  return sql`DELETE FROM ${named(table.name)} AS ${named(alias)} WHERE ${where}
    RETURNING ${named(table.key)} AS row_key`;
}
