// Plans a write from request, body and catalogue: checks columns, converts values, enforces the filter guard.

import { parsePredicate } from "../../../core/predicate/predicate.ts";
import { mapInPieces } from "../../../platform/text/incremental.ts";
import type { Json } from "../../../platform/text/json-text.ts";
import type { Column, Table } from "../../catalogue.ts";
import type { Body, BodyRow } from "../parse/body.ts";
import type { Logic } from "../parse/filter-syntax.ts";
import { limits } from "../parse/request-limits.ts";
import {
  badBody,
  badQuery,
  mayNotWrite,
  refusedValue,
  unknownBodyColumn,
  unknownColumn,
} from "../../http/v4-errors.ts";
import type { RequestV4 } from "../parse/request.ts";
import { valueFromJson, type Value } from "./values.ts";

/** A row to be written; null is NULL, a missing column gets the table's default. */
export type NewRow = ReadonlyMap<string, Value | null>;

export interface Conflict {
  readonly columns: readonly string[];
  readonly isMerged: boolean;
  /** The columns that were sent, which are those a merge changes. */
  readonly sent: readonly string[];
}

export interface InsertPlan {
  readonly table: Table;
  readonly rows: readonly NewRow[];
  readonly conflict: Conflict | null;
}

export async function planInsert(
  table: Table,
  request: Pick<RequestV4, "columns" | "onConflict" | "prefer">,
  body: Body,
  now: () => number,
): Promise<InsertPlan> {
  const { columns, prefer } = request;
  const names = columns ?? keysOf(body.rows);
  const insertedColumns = names.map((name) =>
    writableColumn(table, name, "isInserted"),
  );
  const isNullMissing = columns !== null && prefer.missing !== "default";
  return {
    table,
    rows: await mapInPieces(body.rows, limits.rowsPerBatch, (row) =>
      rowFrom(row, insertedColumns, isNullMissing, now),
    ),
    conflict: planConflict(table, request, names),
  };
}

/** All rows must have the same keys, unless `columns` lists those that count. */
function keysOf(rows: readonly BodyRow[]): readonly string[] {
  const names = [...(rows[0]?.keys() ?? [])];
  const isSame = rows.every(
    (row) => row.size === names.length && names.every((name) => row.has(name)),
  );
  if (!isSame) throw badBody("All object keys must match");
  return names;
}

function rowFrom(
  row: BodyRow,
  columns: readonly Column[],
  isNullMissing: boolean,
  now: () => number,
): NewRow {
  const values = new Map<string, Value | null>();
  for (const column of columns) {
    const json = row.get(column.name);
    if (json !== undefined)
      values.set(column.name, checkedValue(column, json, now));
    else if (isNullMissing) values.set(column.name, null);
  }
  return values;
}

/** A valid predicate is stored character by character (V4-41). */
function checkedValue(
  column: Column,
  json: Json,
  now: () => number,
): Value | null {
  const value = valueFromJson(column, json, now);
  if (column.name !== "predicate" || value?.type !== "text") return value;
  const { problem } = parsePredicate(value.value);
  if (problem !== null)
    throw refusedValue(
      "22023",
      `invalid predicate: ${problem.message}`,
      `At character ${problem.position + 1}.`,
    );
  return value;
}

function writableColumn(
  table: Table,
  name: string,
  by: "isInserted" | "isUpdated",
): Column {
  const column = table.columns.get(name);
  if (!column) throw unknownBodyColumn(name, table.name);
  if (!column[by])
    throw mayNotWrite(
      table.name,
      `permission denied for column ${name} of table ${table.name}`,
    );
  return column;
}

function planConflict(
  table: Table,
  { onConflict, prefer }: Pick<RequestV4, "onConflict" | "prefer">,
  sent: readonly string[],
): Conflict | null {
  const columns = onConflict ?? table.primaryKey;
  for (const name of columns)
    if (!table.columns.has(name)) throw unknownColumn(table.name, name);
  if (prefer.resolution === null) return null;
  const isUnique = table.uniqueKeys.some(
    (key) =>
      key.length === columns.length &&
      key.every((name) => columns.includes(name)),
  );
  if (!isUnique)
    throw refusedValue(
      "42P10",
      "there is no unique or exclusion constraint matching the ON CONFLICT specification",
    );
  return { columns, isMerged: prefer.resolution === "merge-duplicates", sent };
}

/** The columns an update sets; may be none. */
export function planUpdate(
  table: Table,
  { columns }: Pick<RequestV4, "columns">,
  body: Body,
  now: () => number,
): NewRow {
  const [row, ...others] = body.rows;
  if (row === undefined || others.length > 0)
    throw badBody("A change must be a single object");
  const names = columns ?? [...row.keys()];
  const updatedColumns = names.map((name) =>
    writableColumn(table, name, "isUpdated"),
  );
  return rowFrom(row, updatedColumns, false, now);
}

/** An update names its rows: a forgotten filter must not empty a table (V4-11). */
export function requireGuard(
  table: Table,
  filters: RequestV4["filters"],
): void {
  const named = new Set(
    filters
      .filter(({ target }) => target.length === 0)
      .flatMap(({ value }) => columnNamedBy(value) ?? []),
  );
  if (table.guards.some((guard) => guard.every((name) => named.has(name))))
    return;
  const ways = table.guards
    .map((guard) => guard.join(" and "))
    .join(", or on ");
  throw badQuery(
    `A filter on ${ways} is required`,
    "It must be a separate filter with eq or in, and not empty.",
  );
}

/** At most one row: selected by its id, or by both rows that it links. */
export function isOneRow(
  { columns, key }: Table,
  filters: RequestV4["filters"],
): boolean {
  const named = new Set(
    filters.flatMap(({ target, value }) => {
      const isOne =
        target.length === 0 &&
        value.kind === "filter" &&
        value.operator === "eq" &&
        value.quantifier === null;
      return isOne ? (columnNamedBy(value) ?? []) : [];
    }),
  );
  const isLink = !columns.has("id") && columns.has("label_id");
  return (
    named.has(key) ||
    (isLink &&
      named.has("label_id") &&
      (named.has("screen_id") || named.has("playlist_id")))
  );
}

function columnNamedBy(logic: Logic): string | null {
  if (logic.kind !== "filter" || logic.isNegated) return null;
  const { field, operator, quantifier, value, list } = logic;
  if (field.json.length > 0 || quantifier === "all") return null;
  const isOne = operator === "eq" && quantifier === null && value !== "";
  const isList =
    (operator === "in" || (operator === "eq" && quantifier === "any")) &&
    list.some((item) => item !== "" && item !== null);
  return isOne || isList ? field.column : null;
}
