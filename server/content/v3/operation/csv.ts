// Rows of a query as CSV of any length in constant memory, safe to open in a spreadsheet.

import { setImmediate } from "node:timers/promises";
import type { Response } from "express";
import { csvOf } from "../../../contract/csv.ts";
import type { Row } from "../../../platform/database/database.ts";
import { streamTexts } from "../../v4/respond/response.ts";
import { sql, statementOf, type Sql } from "../../sql.ts";
import type { V3 } from "./v3.ts";

const rowsAtOnce = 2_000;

export interface CsvTable<Shown extends object> {
  /** Without a LIMIT of its own. */
  readonly rows: Sql;
  readonly columns: readonly (keyof Shown & string)[];
  readonly toRow: (row: Row) => Shown;
  /** Up to so many rows are one statement: in pieces, PostgreSQL computes them on one processor (V3-159). */
  readonly atOnce?: number;
}

export async function sendCsv<Shown extends object>(
  v3: Pick<V3, "database" | "dialect" | "store" | "readsFor">,
  response: Response,
  { rows, columns, toRow, atOnce }: CsvTable<Shown>,
): Promise<void> {
  const { database, dialect, store } = v3;
  const whole =
    atOnce === undefined ? null : await wholeOf(v3, response, rows, atOnce);
  const pieces = whole
    ? slicesOf(whole)
    : rowsIn(
        database.readInPieces([statementOf(rows, dialect.kind)], rowsAtOnce),
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
    yield csvOf(first.done ? [] : first.value.map(toRow), columns);
    if (first.done) return;
    for await (const piece of pieces) yield withoutHead(piece.map(toRow));
  }

  function withoutHead(shown: readonly Shown[]): string {
    return csvOf(shown, columns).slice(csvOf([], columns).length);
  }
}

/** Null where there are more. */
async function wholeOf(
  { readsFor, dialect }: Pick<V3, "readsFor" | "dialect">,
  response: Response,
  rows: Sql,
  atOnce: number,
): Promise<readonly Row[] | null> {
  const reads = await readsFor(response);
  const found = await reads.readHeavy(
    statementOf(sql`${rows} LIMIT ${atOnce + 1}`, dialect.kind),
  );
  return found.length > atOnce ? null : found;
}

/** Other requests run in between. */
async function* slicesOf(
  rows: readonly Row[],
): AsyncGenerator<readonly Row[], void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    yield rows.slice(from, from + rowsAtOnce);
    await setImmediate();
  }
}

async function* rowsIn(
  pieces: AsyncIterable<{ readonly rows: readonly Row[] }>,
): AsyncGenerator<readonly Row[], void> {
  for await (const { rows } of pieces) yield rows;
}
