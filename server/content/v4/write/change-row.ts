// Changes one row with its entry in the activity log on PostgreSQL, without a transaction of several statements: each round trip to
// the database costs more than the change.

import type {
  Database,
  Row,
} from "../../../platform/database/database.ts";
import {
  activityInsertFrom,
  type Note,
  type NoteContext,
} from "../../activity/activity.ts";
import {
  isHiddenField,
  maxChanges,
  shownField,
} from "../../activity/changes.ts";
import { maxValueLength } from "../../../core/log-values.ts";
import type { Column, Table } from "../../catalogue.ts";
import {
  allOf,
  joined,
  literal,
  named,
  sql,
  statementOf,
  trusted,
  type Sql,
} from "../../sql.ts";
import type { ContentTables } from "../../tables.ts";
import type { NewRow } from "../plan/plan-write.ts";
import type { Value } from "../plan/values.ts";
import { dialects } from "../sql/dialect.ts";
import { updateStatement } from "../sql/write-query.ts";
import {
  notedColumns,
  notesOfUpdate,
  plainRow,
  thingOf,
} from "./note-writes.ts";

export interface RowChange {
  readonly table: Table;
  readonly alias: string;
  /** Selects one row at most. */
  readonly where: Sql;
  readonly changes: NewRow;
}

/** Returns the key of the row; null if it has to be done in a transaction, or nothing is selected. */
export type ChangeRow = (
  context: NoteContext,
  change: RowChange,
) => Promise<string | null>;

const dialect = dialects.postgres;

export function createChangeRow({
  read,
  writeOne,
}: Pick<Database<ContentTables>, "read" | "writeOne">): ChangeRow {
  /**
   * All transactions with a smaller number have ended, and so had made the identifiers of their entries. Entries sort by identifiers,
   * and that of a change in a single statement is made before the statement finds the row: if the row is from such a transaction, it
   * is greater than that of any earlier change.
   */
  let ended: bigint | null = null;

  function learn({ first_open: open }: Row, ownVersion?: unknown): void {
    const first = BigInt(String(open));
    // Then nothing else was under way, and this is over by now.
    const isOwn =
      ownVersion !== undefined &&
      BigInt.asUintN(32, first) === BigInt(String(ownVersion));
    const next = isOwn ? first + 1n : first;
    if (ended === null || next > ended) ended = next;
  }

  async function changeAtOnce(
    context: NoteContext,
    change: RowChange,
  ): Promise<string | null> {
    const all = ended === null ? null : changeAndNote(context, change, ended);
    if (all === null) return null;
    const [row] = await writeOne(statementOf(all, "postgres"));
    if (!row) return null;
    learn(row, row["version"]);
    return String(row["row_key"]);
  }

  async function changeIfSame(
    context: NoteContext,
    change: RowChange,
  ): Promise<string | null> {
    const { table, changes } = change;
    const [row] = await read(statementOf(rowAndVersion(change), "postgres"));
    if (!row) return null;
    learn(row);
    const [note] = notesOfUpdate(
      table,
      [row],
      [{ ...row, ...plainRow(changes), ...storedJson(changes, row) }],
      [...changes.keys()],
    );
    const all = changeVersion(context, change, String(row["version"]), note);
    const [written] = await writeOne(statementOf(all, "postgres"));
    return written ? String(written["row_key"]) : null;
  }

  return async (context, change) =>
    (await changeAtOnce(context, change)) ??
    (await changeIfSame(context, change));
}

/** Number of the first transaction that has not ended. */
const firstOpen = trusted(
  "CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS first_open",
);

/** Null for columns whose entry takes more than SQL. */
function changeAndNote(
  context: NoteContext,
  { table, alias, where, changes }: RowChange,
  ended: bigint,
): Sql | null {
  const thing = thingOf(table);
  if (thing === null || changes.size > maxChanges) return null;
  const { kind, nameColumn } = thing;
  const shown: Sql[] = [];
  const arePlain: Sql[] = [];
  for (const [name, value] of changes) {
    const column = table.columns.get(name);
    const json = column && jsonBefore(column);
    if (!json || isHiddenField(name)) return null;
    shown.push(shownChange(column, json, value));
    if (isText(column)) arePlain.push(isPlain(before(name)));
  }
  const newName = changes.get(nameColumn);
  if (newName === undefined) arePlain.push(isPlain(before(nameColumn)));
  const version = sql`${named(alias)}.xmin`;
  const written = updateStatement(dialect, table, alias, changes, {
    from: sql`${named(table.name)} AS before`,
    where: allOf([
      where,
      sql`${before(table.key)} = ${named(alias)}.${named(table.key)}`,
      // After waiting for somebody else, only the row to be changed is a newer one.
      sql`before.xmin = ${version}`,
      // Numbers of transactions start over after four billion: they are compared by their distance to the present one.
      sql`age(before.xmin) > age(${ended.toString()}::xid8::xid)`,
      ...arePlain,
    ]),
    returned: [
      sql`CAST(${version} AS text) AS version`,
      sql`coalesce(${before(nameColumn)}, '') AS name`,
      sql`concat_ws(',', ${joined(shown, ", ")}) AS changes`,
    ],
  });
  const entry = activityInsertFrom(
    context,
    {
      ...{ kind, what: "changed", id: trusted("row_key") },
      name: newName === undefined ? trusted("name") : textOf(newName),
      changes: trusted("'[' || changes || ']'"),
    },
    trusted("written WHERE changes <> ''"),
  );
  return sql`WITH written AS (${written}), noted AS (${entry}) SELECT row_key, version, ${firstOpen} FROM written`;
}

function before(column: string): Sql {
  return sql`before.${named(column)}`;
}

/** As JSON, NULL where the value is; null for types whose values take more than this. */
function jsonBefore({ name, type }: Column): Sql | null {
  switch (type) {
    case "text":
    case "enum":
      return sql`to_json(${before(name)})::text`;
    case "integer":
    case "flag":
      return sql`${before(name)}::text`;
    case "level":
      return sql`(${before(name)} > 0)::text`;
    default:
      return null;
  }
}

function isText({ type }: Column): boolean {
  return type === "text" || type === "enum";
}

/** Neither to be cut nor an address with something to hide (V4-381, V4-382). */
function isPlain(text: Sql): Sql {
  return sql`(${text} IS NULL OR (char_length(${text}) <= ${trusted(String(maxValueLength))} AND ${text} !~ '[?#@]'))`;
}

/** NULL where the value stays as it is. */
function shownChange(column: Column, json: Sql, value: Value | null): Sql {
  const { name } = column;
  const after = JSON.stringify(shownField(name, value?.value));
  return sql`CASE WHEN ${isOther(column, value)}
    THEN ${literal(`{"field":${JSON.stringify(name)},"before":`)} || coalesce(${json}, 'null') || ${`,"after":${after}}`}::text END`;
}

function isOther({ name, type }: Column, value: Value | null): Sql {
  if (value === null) return sql`${before(name)} IS NOT NULL`;
  const stored = type === "level" ? sql`(${before(name)} > 0)` : before(name);
  return dialect.isDistinct(stored, dialect.stored(value));
}

function textOf(value: Value | null): string {
  return value?.type === "text" ? value.value : "";
}

/** With the new values of JSON in the form in which they will be stored. */
function rowAndVersion({ table, alias, where, changes }: RowChange): Sql {
  const columns = new Set([...changes.keys(), ...notedColumns(table)]);
  const shown = [
    sql`${named(table.key)} AS row_key, CAST(xmin AS text) AS version, ${firstOpen}`,
    ...[...columns].map(named),
    ...jsonOf(changes).map(
      ([name, value]) => sql`${dialect.stored(value)} AS ${named(after(name))}`,
    ),
  ];
  return sql`SELECT ${joined(shown, ", ")} FROM ${named(table.name)} AS ${named(alias)} WHERE ${where}`;
}

function jsonOf(changes: NewRow): readonly (readonly [string, Value])[] {
  return [...changes].flatMap(([name, value]) =>
    value?.type === "json" ? [[name, value] as const] : [],
  );
}

function storedJson(changes: NewRow, row: Row): Row {
  return Object.fromEntries(
    jsonOf(changes).map(([name]) => [name, row[after(name)]]),
  );
}

function after(name: string): string {
  return `after ${name}`;
}

function changeVersion(
  context: NoteContext,
  { table, alias, where, changes }: RowChange,
  version: string,
  note: Note | undefined,
): Sql {
  const written = updateStatement(dialect, table, alias, changes, {
    where: allOf([where, sql`CAST(xmin AS text) = ${version}`]),
    returned: [],
  });
  if (!note) return written;
  const entry = activityInsertFrom(context, note, trusted("written"));
  return sql`WITH written AS (${written}), noted AS (${entry}) SELECT row_key FROM written`;
}
