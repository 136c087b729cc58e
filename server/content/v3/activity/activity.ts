// The activity log of the team: newest first and by filters, as pages or as CSV; for administrators (V3-200 to V3-202).

import {
  activityQueryV3,
  type ActivityChangeV3,
  type ActivityPageV3,
  type ActivityQueryV3,
  type ActivityV3,
} from "../../../contract/v3/v3-activity.ts";
import { ulidsFrom } from "../../../core/ulid.ts";
import type { DatabaseKind, Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { allOf, named, sql, statementOf, type Sql } from "../../sql.ts";
import { sendCsv } from "../operation/csv.ts";
import { acceptedFormat } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";

/** Some ten milliseconds, even where nothing matches; the next page continues there. */
const rowsPerRequest = 20_000;

const columns = [
  ...(["at", "actor_kind", "actor_name", "actor_id", "address"] as const),
  ...(["what", "kind", "name", "resource_id", "changes", "count"] as const),
  "id",
] as const;

export function createActivity(v3: V3): Methods {
  const { readsFor, dialect } = v3;
  return {
    GET: async (request, response) => {
      const query = judged(activityQueryV3, { ...request.query });
      const team = teamOf(response);
      response.setHeader("Vary", "Accept");
      const matches = conditionsOf(query, dialect.kind);
      const scanned = rowsOf(team, query);
      if ((query.format ?? acceptedFormat(request.headers.accept)) === "csv") {
        await sendCsv(v3, response, {
          rows: sql`SELECT * FROM (${scanned}) a WHERE ${matches} ORDER BY id DESC`,
          ...{ columns, toRow: tableRowFrom },
        });
        return;
      }
      const { limit } = query;
      const some = sql`(${scanned} ORDER BY id DESC LIMIT ${rowsPerRequest}) a`;
      const reads = await readsFor(response);
      const [found = [], [ends] = []] = await reads.readTogether([
        statementOf(
          sql`SELECT * FROM ${some} WHERE ${matches} ORDER BY id DESC LIMIT ${limit + 1}`,
          dialect.kind,
        ),
        statementOf(
          sql`SELECT count(*) AS count, min(id) AS last FROM ${some}`,
          dialect.kind,
        ),
      ]);
      const entries = found.slice(0, limit).map(entryFrom);
      const wasCut = Number(ends?.["count"] ?? 0) === rowsPerRequest;
      const page: ActivityPageV3 = {
        entries,
        next:
          found.length > limit
            ? (entries.at(-1)?.id ?? null)
            : wasCut
              ? String(ends?.["last"])
              : null,
      };
      sendJson(response, 200, page);
    },
  };
}

/** Without an order of its own. */
function rowsOf(team: string, { cursor, since }: ActivityQueryV3): Sql {
  const conditions = [sql`team_id = ${team}`];
  if (cursor !== undefined) conditions.push(sql`id < ${cursor}`);
  // Identifiers are never older than their entries.
  if (since !== undefined && since >= 0)
    conditions.push(sql`id >= ${ulidsFrom(since)}`);
  return sql`SELECT * FROM service_activity WHERE ${allOf(conditions)}`;
}

function conditionsOf(
  { since, until, actor, kind, resource, text }: ActivityQueryV3,
  database: DatabaseKind,
): Sql {
  const conditions: Sql[] = [];
  if (since !== undefined) conditions.push(sql`at >= ${since}`);
  if (until !== undefined) conditions.push(sql`at < ${until}`);
  if (actor !== undefined)
    conditions.push(
      sql`(actor_id = ${actor} OR actor_name = ${actor} OR actor_kind = ${actor})`,
    );
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (resource !== undefined) conditions.push(sql`resource_id = ${resource}`);
  if (text !== undefined) {
    // In the changes, as JSON writes it.
    const inJson = JSON.stringify(text).slice(1, -1);
    const has = (where: Sql, what: string): Sql => {
      // Both databases fold the case of these letters only.
      const letters = what.replaceAll(/[A-Z]/g, (each) => each.toLowerCase());
      return database === "sqlite"
        ? sql`instr(lower(${where}), ${letters}) > 0`
        : sql`strpos(lower(${where}), ${letters}) > 0`;
    };
    conditions.push(
      sql`(${has(sql`name || ' ' || actor_name || ' ' || coalesce(address, '')`, text)} OR ${has(named("changes"), inJson)})`,
    );
  }
  return allOf(conditions);
}

function entryFrom(row: Row): ActivityV3 {
  const text = (name: string): string => String(row[name]);
  const orNull = (name: string): string | null =>
    row[name] === null ? null : text(name);
  return {
    id: text("id"),
    at: new Date(Number(row["at"])).toISOString(),
    actor_kind: text("actor_kind") as ActivityV3["actor_kind"],
    ...{ actor_id: orNull("actor_id"), actor_name: text("actor_name") },
    address: orNull("address"),
    kind: text("kind") as ActivityV3["kind"],
    what: text("what") as ActivityV3["what"],
    ...{ resource_id: orNull("resource_id"), name: text("name") },
    changes: JSON.parse(text("changes")) as ActivityV3["changes"],
    count: Number(row["count"]),
  };
}

function tableRowFrom(row: Row) {
  const entry = entryFrom(row);
  return { ...entry, changes: entry.changes.map(changeText).join("; ") };
}

/** `name: "Lobby" → "Foyer"` */
function changeText({ field, before, after }: ActivityChangeV3): string {
  return `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
}
