// Responses of version 3: one row, none, or a list of any length in constant memory (V3-9).

import type { Response } from "express";
import { Failure } from "../../../core/failure.ts";
import type { Piece, Row } from "../../../platform/database/database.ts";
import { formFrom } from "../../v4/parse/accept.ts";
import { streamBody } from "../../v4/respond/response.ts";
import { statementOf, sql, type Sql } from "../../sql.ts";
import type { V3 } from "./v3.ts";

/** Rows read before an answer begins; longer lists are streamed. */
const rowsAtOnce = 500;

export function sendText(
  response: Response,
  status: number,
  text: string,
): void {
  // Sent as text, so that file addresses in it are resolved for the client.
  response
    .status(status)
    .setHeader("Content-Type", "application/json; charset=utf-8")
    .end(text);
}

/** The format of a table that the client prefers. */
export function acceptedFormat(accept: string | undefined): "json" | "csv" {
  const [preferredType = ""] = (accept ?? "").split(",");
  return /^\s*text\/csv\b/i.test(preferredType) ? "csv" : "json";
}

/** A missing row is answered 404, whatever form its id has. */
export function sendFound(response: Response, text: string | null): void {
  if (text === null) throw notFound();
  sendText(response, 200, text);
}

export function notFound(): Failure {
  return new Failure("not-found", "Not found.");
}

/**
 * Rows with a column `body`; the query has no LIMIT of its own. A request whose rows are each made of many others does
 * not hold up the rest. Up to `atOnce` rows are one statement: in pieces, PostgreSQL computes them again, and on one processor.
 */
export async function sendList(
  v3: Pick<V3, "database" | "readsFor" | "dialect" | "store">,
  response: Response,
  query: Sql,
  isHeavy = false,
  atOnce = rowsAtOnce,
): Promise<void> {
  const reads = await v3.readsFor(response);
  const first = await reads[isHeavy ? "readHeavy" : "read"](
    statementOf(sql`${query} LIMIT ${atOnce + 1}`, v3.dialect.kind),
  );
  if (first.length <= atOnce) {
    sendText(response, 200, `[${bodiesOf(first).join(",")}]`);
    return;
  }
  response
    .status(200)
    .setHeader("Content-Type", "application/json; charset=utf-8");
  if (response.req.method === "HEAD") response.end();
  else await streamList(v3, response, query);
}

async function streamList(
  { database, dialect, store }: Pick<V3, "database" | "dialect" | "store">,
  response: Response,
  query: Sql,
): Promise<void> {
  const pieces = database.readInPieces(
    [
      { text: "SELECT 1 AS ahead", values: [] },
      statementOf(query, dialect.kind),
    ],
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
  pieces: AsyncGenerator<Piece>,
): AsyncGenerator<readonly string[]> {
  for await (const { rows } of pieces) yield bodiesOf(rows);
}

function bodiesOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => String(row["body"]));
}
