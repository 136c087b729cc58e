// Conditional changes of version 3: single rows have an ETag, and PATCH, PUT and DELETE honor If-Match (V3-150 to V3-152).

import type { Request, Response } from "express";
import { conditionOf, requireMatch, tagOfRow } from "../../http/if-match.ts";
import { named, sql, trusted } from "../../sql.ts";
import { notFound, sendText } from "./responses.ts";
import { lockOf, type RunQuery, type V3 } from "./v3.ts";

type TaggedTable = "assets" | "playlists" | "labels" | "screens";

export interface TaggedRow {
  readonly table: TaggedTable;
  readonly team: string;
  /** As stored. */
  readonly id: string;
}

/** Of a screen, what people set; its state changes with every report of its player. */
const settingsOfScreen = [
  ...["id", "name", "location", "timezone", "coords", "is_enabled"],
  ...["groups", "config"],
];

function tagOf(table: TaggedTable, body: string): string {
  if (table !== "screens") return tagOfRow(body);
  const screen = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return tagOfRow(JSON.stringify(settingsOfScreen.map((name) => screen[name])));
}

/** A missing row is 404. */
export function sendTagged(
  response: Response,
  table: TaggedTable,
  body: string | null,
): void {
  if (body === null) throw notFound();
  response.setHeader("ETag", tagOf(table, body));
  sendText(response, 200, body);
}

/**
 * Call within the transaction, before it changes the row: locks the row, so that nobody changes it in between. Throws 404 for a
 * missing row, 400 for a malformed condition, and 412 where the row is another by now.
 */
export async function meetCondition(
  v3: V3,
  runQuery: RunQuery,
  request: Pick<Request, "headers">,
  { table, team, id }: TaggedRow,
  bodyOf: () => Promise<string | null>,
): Promise<void> {
  const condition = conditionOf(request.headers["if-match"]);
  if (condition === null) return;
  await runQuery(
    sql`SELECT id FROM ${named(table)} WHERE team_id = ${team} AND id = ${id}${trusted(lockOf(v3))}`,
  );
  // A statement of its own sees what the other writer left.
  const body = await bodyOf();
  if (body === null) throw notFound();
  requireMatch(condition, tagOf(table, body));
}
