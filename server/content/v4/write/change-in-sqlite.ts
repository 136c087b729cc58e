// Changes one row with its entry in the activity log on SQLite, which writes one after the other: the less each takes, the better.

import type { Database } from "../../../platform/database/database.ts";
import { activityInsert } from "../../activity/activity.ts";
import { joined, named, sql, statementOf } from "../../sql.ts";
import type { ContentTables } from "../../tables.ts";
import { dialects } from "../sql/dialect.ts";
import { updateStatement } from "../sql/write-query.ts";
import { notedColumns, notesOfUpdate, plainRow } from "./note-writes.ts";
import {
  createComposing,
  slottedDialect,
  slottedWhere,
  type ChangeRow,
  type RowChange,
} from "./row-change.ts";

const dialect = dialects.sqlite;
const composedFor = createComposing(dialect, (change) => [
  rowBefore(change),
  updateStatement(
    slottedDialect(dialect, change),
    ...([change.table, change.alias, change.changes] as const),
    { where: slottedWhere(change), returned: [] },
  ),
]);

export function createChangeInSqlite({
  write,
}: Pick<Database<ContentTables>, "write">): ChangeRow {
  return (change, noteContext) => {
    const [read, update] = composedFor(change)({});
    if (!read || !update) throw new Error("Two statements were composed.");
    return write(async (run) => {
      const [row] = await run(read);
      if (!row) return null;
      await run(update);
      const notes = notesOfUpdate(
        change.table,
        [row],
        [{ ...row, ...plainRow(change.changes) }],
        [...change.changes.keys()],
      );
      if (notes.length > 0)
        await run(statementOf(activityInsert(noteContext(), notes), "sqlite"));
      return String(row["row_key"]);
    });
  };
}

function rowBefore(change: RowChange) {
  const { table, alias, changes } = change;
  const columns = new Set([...changes.keys(), ...notedColumns(table)]);
  return sql`SELECT ${named(table.key)} AS row_key, ${joined([...columns].map(named), ", ")}
    FROM ${named(table.name)} AS ${named(alias)} WHERE ${slottedWhere(change)}`;
}
