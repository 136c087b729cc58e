// Rows of a query as CSV of any length in constant memory, safe to open in a spreadsheet.

import type { Response } from "express";
import { csvOf } from "../../../contract/csv.ts";
import type { Row } from "../../../platform/database/database.ts";
import { streamTexts } from "../../v4/respond/response.ts";
import { statementOf, type Sql } from "../../sql.ts";
import type { V3 } from "./v3.ts";

const rowsAtOnce = 500;

export interface CsvTable<Shown extends object> {
  /** Without a LIMIT of its own. */
  readonly rows: Sql;
  readonly columns: readonly (keyof Shown & string)[];
  readonly toRow: (row: Row) => Shown;
}

export async function sendCsv<Shown extends object>(
  { database, dialect, store }: Pick<V3, "database" | "dialect" | "store">,
  response: Response,
  { rows, columns, toRow }: CsvTable<Shown>,
): Promise<void> {
  const pieces = database.readInPieces(
    [statementOf(rows, dialect.kind)],
    rowsAtOnce,
  );
  // An error before the first rows is an ordinary response.
  const first = await pieces.next();
  response.status(200).setHeader("Content-Type", "text/csv; charset=utf-8");
  if (response.req.method === "HEAD") {
    await pieces.return(undefined);
    response.end();
    return;
  }
  await streamTexts(response, texts(), store.newAside);

  async function* texts(): AsyncGenerator<string> {
    yield csvOf(first.done ? [] : first.value.rows.map(toRow), columns);
    if (first.done) return;
    for await (const piece of pieces) yield withoutHead(piece.rows.map(toRow));
  }

  function withoutHead(shown: readonly Shown[]): string {
    return csvOf(shown, columns).slice(csvOf([], columns).length);
  }
}
