// Version 3 answers: one row, none, or a list, however long, in flat memory (V3-9).

import type { Response } from "express";
import { Failure } from "../../../core/failure.ts";
import type { Row } from "../../../platform/database/database.ts";
import { formFrom } from "../../v4/parse/accept.ts";
import { streamBody } from "../../v4/respond/response.ts";
import { statementOf, sql, type Sql } from "../../sql.ts";
import type { V3 } from "./v3.ts";

/** Rows that are read before an answer begins; longer lists are sent while they are read. */
const rowsAtOnce = 500;

export function sendText(
  response: Response,
  status: number,
  text: string,
): void {
  // Written as text, so that addresses of files in it are made out for who asked.
  response
    .status(status)
    .setHeader("Content-Type", "application/json; charset=utf-8")
    .end(text);
}

/** A row that is not there is 404, whatever kind the id is of. */
export function sendFound(response: Response, text: string | null): void {
  if (text === null) throw notFound();
  sendText(response, 200, text);
}

export function notFound(): Failure {
  return new Failure("not-found", "Not found.");
}

/** Rows with a column `body`; the query has no LIMIT of its own. Is a row made of many others, nobody waits for it. */
export async function sendList(
  { database, dialect, store }: Pick<V3, "database" | "dialect" | "store">,
  response: Response,
  query: Sql,
  isHeavy = false,
): Promise<void> {
  const first = await database[isHeavy ? "readHeavy" : "read"](
    statementOf(sql`${query} LIMIT ${rowsAtOnce + 1}`, dialect.kind),
  );
  if (first.length <= rowsAtOnce) {
    sendText(response, 200, `[${bodiesOf(first).join(",")}]`);
    return;
  }
  response
    .status(200)
    .setHeader("Content-Type", "application/json; charset=utf-8");
  if (response.req.method === "HEAD") response.end();
  else await streamList({ database, dialect, store }, response, query);
}

async function streamList(
  { database, dialect, store }: Pick<V3, "database" | "dialect" | "store">,
  response: Response,
  query: Sql,
): Promise<void> {
  const pieces = database.readInPieces(
    { text: "SELECT 1 AS ahead", values: [] },
    statementOf(query, dialect.kind),
    rowsAtOnce,
  );
  await pieces.next();
  await streamBody(
    response,
    formFrom(undefined),
    bodiesIn(pieces),
    store.newAside,
  );
}

async function* bodiesIn(
  pieces: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly string[]> {
  for await (const rows of pieces) yield bodiesOf(rows);
}

function bodiesOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => String(row["body"]));
}
