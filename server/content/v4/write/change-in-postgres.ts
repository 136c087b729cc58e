// Changes one row with its entry in the activity log on PostgreSQL, without a transaction of several statements: each round trip to
// the database costs more than the change.

import type { Database, Row } from "../../../platform/database/database.ts";
import {
  activityColumns,
  activityInsertFrom,
  activityInto,
  activityRow,
  type NoteContext,
} from "../../activity/activity.ts";
import {
  isHiddenField,
  maxChanges,
  shownField,
} from "../../activity/changes.ts";
import { maxValueLength } from "../../../core/log-values.ts";
import type { Column } from "../../catalogue.ts";
import { createMemory } from "../../lru-cache.ts";
import {
  allOf,
  joined,
  listed,
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
import { dialects, type Dialect } from "../sql/dialect.ts";
import { updateStatement } from "../sql/write-query.ts";
import {
  notedColumns,
  notesOfUpdate,
  plainRow,
  thingOf,
} from "./note-writes.ts";
import {
  createComposing,
  otherSlot,
  rowIdOf,
  Slot,
  slottedDialect,
  slottedWhere,
  type ChangeRow,
  type RowChange,
} from "./row-change.ts";

const dialect = dialects.postgres;
const composedFor = createComposing(dialect, (change) => [
  changeAndNote(change),
]);

export function createChangeInPostgres({
  read,
  writeOne,
}: Pick<Database<ContentTables>, "read" | "writeOne">): ChangeRow {
  /**
   * All transactions with a smaller number have ended, and so had made the identifiers of their entries. Entries sort by identifiers,
   * and that of a change in a single statement is made before the statement finds the row: if the row is from such a transaction, or
   * from an earlier change here, it is greater than that of any earlier change.
   */
  let ended: bigint | null = null;
  const ownVersions = createMemory<string>(maxOwnVersions);
  const inTurn = createTurns();

  function learn({ first_open: open }: Row): void {
    const first = BigInt(String(open));
    if (ended === null || first > ended) ended = first;
  }

  /** Of a change that is committed by now; null if there was none. */
  function keyOfWritten(id: string, row: Row | undefined): string | null {
    if (!row) return null;
    learn(row);
    ownVersions.set(id, String(row["version"]));
    return String(row["row_key"]);
  }

  async function changeAtOnce(
    id: string,
    change: RowChange,
    noteContext: () => NoteContext,
  ): Promise<string | null> {
    const thing = thingOf(change.table);
    if (ended === null || thing === null || !isSimple(change)) return null;
    const newName = change.changes.get(thing.nameColumn);
    const entry = activityRow(noteContext(), {
      ...{ kind: thing.kind, what: "changed", id: null },
      name: newName?.type === "text" ? newName.value : "",
    });
    const [all] = composedFor(change)({
      ...Object.fromEntries(entry.entries()),
      ...{ ended: String(ended), own: ownVersions.get(id) ?? "" },
    });
    const [row] = all ? await writeOne(all) : [];
    return keyOfWritten(id, row);
  }

  /** The version of the row is compared: who waited for somebody else changes nothing. */
  async function changeIfSame(
    id: string,
    change: RowChange,
    noteContext: () => NoteContext,
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
    const entry =
      note && activityInsertFrom(noteContext(), note, trusted("written"));
    const all = changeOfVersion(change, String(row["version"]), entry);
    const [written] = await writeOne(statementOf(all, "postgres"));
    return keyOfWritten(id, written);
  }

  return (change, noteContext) => {
    const id = rowIdOf(change);
    // Here they wait for each other cheaper than in the database, where only one of them would change the row.
    return inTurn(
      id,
      async () =>
        (await changeAtOnce(id, change, noteContext)) ??
        (await changeIfSame(id, change, noteContext)),
    );
  };
}

const maxOwnVersions = 1_000;

/** Runs work of the same name one after the other. */
function createTurns(): <T>(
  name: string,
  work: () => Promise<T>,
) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name);
    const turn = before ? before.then(work, work) : work();
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}

/** Number of the first transaction that has not ended. */
const firstOpen = trusted(
  "CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS first_open",
);

/** Whether SQL can compose the entry. */
function isSimple({ table, changes }: RowChange): boolean {
  for (const name of changes.keys()) {
    const column = table.columns.get(name);
    if (!column || !jsonBefore(column) || isHiddenField(name)) return false;
  }
  return changes.size <= maxChanges;
}

/** Changes nothing if an earlier value can't be shown as it is. */
function changeAndNote(change: RowChange): Sql {
  const { table, alias, changes } = change;
  const nameColumn = thingOf(table)?.nameColumn ?? "";
  const columns = [...changes.keys()].flatMap(
    (name) => table.columns.get(name) ?? [],
  );
  const isRenamed = changes.has(nameColumn);
  const slotted = slottedDialect(dialect, change);
  const [key, own] = [named(table.key), named(alias)];
  const written = updateStatement(slotted, table, alias, changes, {
    from: sql`${named(table.name)} AS before`,
    where: allOf([
      slottedWhere(change),
      sql`before.${key} = ${own}.${key}`,
      // After waiting for somebody else, only the row to be changed is a newer one.
      sql`before.xmin = ${own}.xmin`,
      // Numbers of transactions start over after four billion: they are compared by their distance to the present one.
      sql`(age(before.xmin) > age(${otherSlot("ended")}::xid8::xid) OR CAST(before.xmin AS text) = ${otherSlot("own")})`,
      ...columns.filter(isText).map(({ name }) => isPlain(before(name))),
      ...(isRenamed ? [] : [isPlain(before(nameColumn))]),
    ]),
    returned: [
      sql`CAST(${own}.xmin AS text) AS version`,
      sql`coalesce(${before(nameColumn)}, '') AS name`,
      sql`concat_ws(',', ${joined(
        columns.map((column) =>
          shownChange(slotted, column, changes.get(column.name) ?? null),
        ),
        ", ",
      )}) AS changes`,
    ],
  });
  return sql`WITH written AS (${written}),
    noted AS (${activityInto} SELECT ${entryOf(isRenamed)} FROM written WHERE changes <> '')
    SELECT row_key, version, ${firstOpen} FROM written`;
}

/** In the order of the columns of the log. */
function entryOf(isRenamed: boolean): Sql {
  const inSql: Readonly<Record<string, Sql>> = {
    resource_id: trusted("row_key"),
    changes: trusted("'[' || changes || ']'"),
    ...(!isRenamed && { name: trusted("name") }),
  };
  return listed(
    activityColumns.map((name, at) => inSql[name] ?? otherSlot(String(at))),
  );
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
function shownChange(
  slotted: Dialect,
  column: Column,
  value: Value | null,
): Sql {
  const { name } = column;
  const after = new Slot(({ change }) => {
    const shown = shownField(name, change.changes.get(name)?.value);
    return `,"after":${JSON.stringify(shown)}}`;
  });
  return sql`CASE WHEN ${isOther(slotted, column, value)}
    THEN ${literal(`{"field":${JSON.stringify(name)},"before":`)} || coalesce(${jsonBefore(column)}, 'null') || ${after}::text END`;
}

function isOther(
  slotted: Dialect,
  { name, type }: Column,
  value: Value | null,
): Sql {
  if (value === null) return sql`${before(name)} IS NOT NULL`;
  const stored = type === "level" ? sql`(${before(name)} > 0)` : before(name);
  return dialect.isDistinct(stored, slotted.stored(value));
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

function changeOfVersion(
  { table, alias, where, changes }: RowChange,
  version: string,
  entry: Sql | undefined,
): Sql {
  const written = updateStatement(dialect, table, alias, changes, {
    where: allOf([where, sql`CAST(xmin AS text) = ${version}`]),
    returned: [trusted("CAST(xmin AS text) AS version")],
  });
  const noted = entry ? sql`, noted AS (${entry})` : trusted("");
  return sql`WITH written AS (${written})${noted} SELECT row_key, version, ${firstOpen} FROM written`;
}
