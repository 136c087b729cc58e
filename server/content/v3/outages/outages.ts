// Outages of screens: ongoing ones first, then newest first, as a list, or all of them as CSV (V3-84).

import type {
  OutageCause,
  OutageState,
} from "../../../contract/link/screen-report.ts";
import {
  screenOutagesQueryV3,
  type ScreenOutageV3,
} from "../../../contract/v3/v3-outages.ts";
import type { Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { sql, statementOf, type Sql } from "../../sql.ts";
import { sendCsv } from "../operation/csv.ts";
import { acceptedFormat } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { outageConditions } from "./outage-conditions.ts";

const columns = [
  ...(["id", "screen_id", "screen_name", "state", "reason", "cause"] as const),
  ...(["started_at", "ended_at", "duration_seconds"] as const),
] as const;

export function createScreenOutages(v3: V3): Methods {
  const { readsFor, dialect } = v3;
  return {
    GET: async (request, response) => {
      const query = judged(screenOutagesQueryV3, { ...request.query });
      const conditions = outageConditions(dialect, teamOf(response), query);
      response.setHeader("Vary", "Accept");
      if ((query.format ?? acceptedFormat(request.headers.accept)) === "csv") {
        await sendCsv(v3, response, {
          rows: inOrderOfTime(conditions),
          ...{ columns, toRow: outageFrom },
        });
        return;
      }
      const reads = await readsFor(response);
      const rows = await reads.readHeavy(
        statementOf(ongoingFirst(conditions, query), dialect.kind),
      );
      sendJson(response, 200, rows.map(outageFrom));
    },
  };
}

const newestFirst = sql`ORDER BY o.started_at DESC, o.id DESC`;

function inOrderOfTime(conditions: Sql): Sql {
  return sql`SELECT o.*, s.name AS screen_name
    FROM screen_outages o JOIN screens s ON s.id = o.screen_id WHERE ${conditions} ${newestFirst}`;
}

/** Each part is read along an index, as far as it is listed. */
function ongoingFirst(
  conditions: Sql,
  page: { readonly limit: number; readonly offset: number },
): Sql {
  const part = (which: Sql): Sql =>
    sql`SELECT * FROM (SELECT * FROM screen_outages o WHERE ${conditions} AND ${which}
      ${newestFirst} LIMIT ${page.limit + page.offset}) part`;
  return sql`SELECT o.*, s.name AS screen_name
    FROM (${part(sql`o.ended_at IS NULL`)} UNION ALL ${part(sql`o.ended_at IS NOT NULL`)}) o
    JOIN screens s ON s.id = o.screen_id
    ORDER BY CASE WHEN o.ended_at IS NULL THEN 0 ELSE 1 END, o.started_at DESC, o.id DESC
    LIMIT ${page.limit} OFFSET ${page.offset}`;
}

function outageFrom(row: Row): ScreenOutageV3 {
  const text = (name: string): string => String(row[name]);
  const startedMs = Number(row["started_at"]);
  const endedMs = row["ended_at"] === null ? null : Number(row["ended_at"]);
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    ...{ id: text("id"), screen_id: text("screen_id") },
    screen_name: text("screen_name"),
    state: text("state") as OutageState,
    reason: text("reason"),
    cause: text("cause") as OutageCause,
    started_at: at(startedMs),
    ended_at: endedMs === null ? null : at(endedMs),
    duration_seconds: endedMs === null ? null : (endedMs - startedMs) / 1000,
  };
}
