// Playback log: newest first, filtered by screen, asset, playlist and time, as JSON or CSV (V3-54).

import {
  playbackQueryV3,
  type PlaybackQueryV3,
} from "../../../contract/v3/v3.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import type { Methods } from "../../http/routes.ts";
import { csvHead, csvLine } from "../../v4/parse/csv.ts";
import { joined, named, sql, statementOf, type Sql } from "../../sql.ts";
import { acceptedFormat, sendText } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { playbackRows } from "../operation/views.ts";

export function createPlaybacks({ readsFor, dialect }: V3): Methods {
  return {
    GET: async (request, response) => {
      const query = judged(playbackQueryV3, { ...request.query });
      const isCsv =
        (query.format ?? acceptedFormat(request.headers.accept)) === "csv";
      const { limit, offset } = query;
      const reads = await readsFor(response);
      const rows = await reads.readHeavy(
        statementOf(
          playbackRows(
            dialect,
            teamOf(response),
            sql`${conditionsOf(query)} ORDER BY b.started_at DESC, b.id DESC LIMIT ${limit} OFFSET ${offset}`,
          ),
          dialect.kind,
        ),
      );
      const bodies = rows.map((row) => String(row["body"]));
      response.setHeader("Vary", "Accept");
      if (!isCsv) {
        sendText(response, 200, `[${bodies.join(",")}]`);
        return;
      }
      response
        .status(200)
        .setHeader("Content-Type", "text/csv; charset=utf-8")
        .end(csvHead(headRow) + bodies.map(csvLine).join(""));
    },
  };
}

/** An empty table has a header row, too. */
const headRow = JSON.stringify({
  ...{ id: 0, screen_id: 0, asset_id: 0, playlist_id: 0 },
  ...{ started_at: 0, ended_at: 0, duration: 0 },
});

function conditionsOf(query: PlaybackQueryV3): Sql {
  const conditions: Sql[] = [];
  for (const name of ["screen_id", "asset_id", "playlist_id"] as const)
    if (query[name] !== undefined)
      conditions.push(sql`AND b.${named(name)} = ${query[name]}`);
  if (query.start !== undefined)
    conditions.push(sql`AND b.started_at >= ${query.start}`);
  if (query.end !== undefined)
    conditions.push(sql`AND b.started_at < ${query.end}`);
  return joined(conditions, " ");
}
