// Outages of screens, those that go on first, then newest first, as JSON or CSV (V3-84).

import { csvOf } from "../../../contract/csv.ts";
import {
  screenOutagesQueryV3,
  type ScreenOutageV3,
} from "../../../contract/v3/v3-screens.ts";
import type { Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { named, sql, statementOf } from "../../sql.ts";
import { acceptedFormat } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { inTime } from "../operation/views.ts";

const maxListed = 1000;

const columns = [
  ...(["id", "screen_id", "screen_name", "state", "reason"] as const),
  ...(["started_at", "ended_at"] as const),
];

export function createScreenOutages({ database, dialect }: V3): Methods {
  return {
    GET: async (request, response) => {
      const query = judged(screenOutagesQueryV3, { ...request.query });
      const { screen, since, until } = query;
      const ofScreens = screen
        ? sql`AND ${dialect.keysOneOf(named("screen_id"), screen)}`
        : sql``;
      const endsAfter =
        since === undefined
          ? sql``
          : sql`AND (o.ended_at IS NULL OR o.ended_at >= ${since})`;
      const beginsBefore =
        until === undefined ? sql`` : sql`AND o.started_at < ${until}`;
      const rows = await database.readHeavy(
        statementOf(
          sql`SELECT o.id, o.screen_id, s.name AS screen_name, o.state, o.reason, o.started_at, o.ended_at
            FROM screen_outages o JOIN screens s ON s.id = o.screen_id
            WHERE ${inTime(dialect, "o")} o.team_id = ${teamOf(response)} ${ofScreens} ${endsAfter} ${beginsBefore}
            ORDER BY CASE WHEN o.ended_at IS NULL THEN 0 ELSE 1 END, o.started_at DESC, o.id DESC
            LIMIT ${maxListed}`,
          dialect.kind,
        ),
      );
      const outages = rows.map(outageFrom);
      const format = query.format ?? acceptedFormat(request.headers.accept);
      response.setHeader("Vary", "Accept");
      if (format === "json") sendJson(response, 200, outages);
      else
        response
          .status(200)
          .setHeader("Content-Type", "text/csv; charset=utf-8")
          .end(csvOf(outages, columns));
    },
  };
}

function outageFrom(row: Row): ScreenOutageV3 {
  const text = (name: string): string => String(row[name]);
  const moment = (name: string): string =>
    new Date(Number(row[name])).toISOString();
  return {
    ...{ id: text("id"), screen_id: text("screen_id") },
    screen_name: text("screen_name"),
    state: text("state") as ScreenOutageV3["state"],
    reason: text("reason"),
    started_at: moment("started_at"),
    ended_at: row["ended_at"] === null ? null : moment("ended_at"),
  };
}
