// Spans of database statements: the operation and the table; never the text, which may contain names that clients chose.

import type {
  DatabaseKind,
  ObserveStatement,
} from "../../platform/database/database.ts";
import { errorType, type Traces } from "./traces.ts";

const systems: Readonly<Record<DatabaseKind, string>> = {
  sqlite: "sqlite",
  postgres: "postgresql",
};

export interface StatementTraces {
  readonly observe: ObserveStatement;
  /** From now on, spans have the names of these tables. */
  nameTables(names: Iterable<string>): void;
}

/** Statements outside of a request, an ingest or an alert make no span. */
export function createStatementTraces(
  traces: Traces,
  kind: DatabaseKind,
): StatementTraces {
  let tables: ReadonlySet<string> = new Set();
  return {
    nameTables: (names) => {
      tables = new Set(names);
    },
    observe: (text) => {
      if (!traces.current()?.isRecorded) return ignored;
      const { operation, table } = summaryOf(text, tables);
      const summary = table === null ? operation : `${operation} ${table}`;
      const span = traces.beginBelow({
        name: summary,
        kind: "client",
        attributes: {
          "db.system.name": systems[kind],
          "db.operation.name": operation,
          "db.query.summary": summary,
          ...(table !== null && { "db.collection.name": table }),
        },
      });
      return (error) => {
        if (error !== undefined) {
          const type = errorType(error);
          span?.set({ "db.response.status_code": type });
          span?.fail(type);
        }
        span?.end();
      };
    },
  };
}

const ignored = (): void => undefined;

const operations =
  /\b(SELECT|BEGIN|COMMIT|ROLLBACK|SET|DECLARE|FETCH|CLOSE|PRAGMA|NOTIFY|LISTEN)\b/i;
const writes =
  /\b(INSERT|UPDATE|DELETE)(?:\s+(?:INTO|FROM))?\s+"?([a-z_]+)"?/gi;
const sources = /\bFROM\s+"?([a-z_]+)"?/gi;
/** A statement that has no table up to here is not worth more of a search. */
const searchedLength = 20_000;

/** The first write to one of the tables, otherwise the first operation and the first table that it reads. */
export function summaryOf(
  text: string,
  tables: ReadonlySet<string>,
): { readonly operation: string; readonly table: string | null } {
  const searched = text.slice(0, searchedLength);
  for (const [, operation = "", name = ""] of searched.matchAll(writes))
    if (tables.has(name))
      return { operation: operation.toUpperCase(), table: name };
  const operation = operations.exec(searched)?.[1]?.toUpperCase() ?? "_OTHER";
  for (const [, name = ""] of searched.matchAll(sources))
    if (tables.has(name)) return { operation, table: name };
  return { operation, table: null };
}
