// Playbacks of all screens added up by day, screen, group, asset and playlist, from the totals of days (V3-87).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  playbackGroupings,
  playbackReportQueryV3,
  type PlaybackGrouping,
  type PlaybackReportQueryV3,
  type PlaybackTotalV3,
} from "../../../contract/v3/v3-playback-report.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { dayMs } from "../../../core/wall-clock.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import type { Methods } from "../../http/routes.ts";
import { joined, sql, trusted, type Sql } from "../../sql.ts";
import type { Dialect, Member } from "../../v4/sql/dialect.ts";
import { sendCsv } from "../operation/csv.ts";
import { inGroups } from "../operation/group-filter.ts";
import { acceptedFormat, sendList } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { asText, inTime } from "../operation/views.ts";

const usualDays = 31;
/** As of a player's own report (V2-358). */
const maxDays = 400;
/** A total for each of ten thousand screens, and some megabytes. */
const totalsAtOnce = 20_000;

export function createPlaybackReport(v3: V3): Methods {
  const { dialect, now } = v3;
  return {
    GET: async (request, response) => {
      const query = judged(playbackReportQueryV3, { ...request.query });
      const { by } = query;
      const days = daysOf(query, now());
      const rows = totals(dialect, teamOf(response), query, days);
      response.setHeader("Vary", "Accept");
      if ((query.format ?? acceptedFormat(request.headers.accept)) === "csv")
        await sendCsv(v3, response, {
          ...{ rows, columns: columnsOf(by), atOnce: totalsAtOnce },
          toRow: (row) => JSON.parse(String(row["body"])) as PlaybackTotalV3,
        });
      else await sendList(v3, response, rows, true, totalsAtOnce);
    },
  };
}

interface Days {
  readonly from: string;
  readonly to: string;
}

function daysOf(
  query: Pick<PlaybackReportQueryV3, "from" | "to">,
  now: number,
): Days {
  const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  // Somewhere it is tomorrow already.
  const to = query.to ?? textOf(now + dayMs);
  const from = query.from ?? textOf(Date.parse(to) - usualDays * dayMs);
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (count > maxDays)
    throw fieldFailure(
      "from",
      composeSentence(serviceSentences["report-days"], {
        limit: maxDays,
        days: count,
      }),
    );
  return { from, to };
}

/** What a total is grouped by: its column among the totals of days, and its fields with the table of its name. */
const groupings: Readonly<
  Record<
    PlaybackGrouping,
    {
      readonly column: Sql;
      readonly idField: string;
      readonly name?: {
        readonly field: string;
        readonly column: Sql;
        readonly join: Sql;
      };
    }
  >
> = {
  day: { column: trusted("d.day"), idField: "day" },
  screen: {
    column: trusted("d.screen_id"),
    idField: "screen_id",
    name: {
      ...{ field: "screen_name", column: trusted("s.name") },
      join: trusted("LEFT JOIN screens s ON s.id = t.screen"),
    },
  },
  group: {
    column: trusted("g.label_id"),
    idField: "group_id",
    name: {
      ...{ field: "group_name", column: trusted("l.name") },
      join: trusted(`LEFT JOIN labels l ON l.id = t."group"`),
    },
  },
  asset: {
    column: trusted("d.asset_id"),
    idField: "asset_id",
    name: {
      ...{ field: "asset_title", column: trusted("a.title") },
      // A player may name anything.
      join: trusted(
        "LEFT JOIN assets a ON a.id = t.asset AND a.team_id = t.team_id",
      ),
    },
  },
  playlist: {
    column: trusted("nullif(d.playlist_id, '')"),
    idField: "playlist_id",
    name: {
      ...{ field: "playlist_title", column: trusted("p.title") },
      join: trusted(
        "LEFT JOIN playlists p ON p.id = t.playlist AND p.team_id = t.team_id",
      ),
    },
  },
};

/** Each once, in one order. */
function partsOf(by: readonly PlaybackGrouping[]) {
  return playbackGroupings
    .filter((each) => by.includes(each))
    .map((each) => ({ alias: trusted(`"${each}"`), ...groupings[each] }));
}

function columnsOf(
  by: readonly PlaybackGrouping[],
): readonly (keyof PlaybackTotalV3)[] {
  return [
    ...partsOf(by).flatMap(({ idField, name }) =>
      name ? [idField, name.field] : [idField],
    ),
    ...["playbacks", "duration_seconds"],
  ] as (keyof PlaybackTotalV3)[];
}

function totals(
  dialect: Dialect,
  team: string,
  query: PlaybackReportQueryV3,
  { from, to }: Days,
): Sql {
  const parts = partsOf(query.by);
  const oneOf = (column: string, keys: readonly string[] | undefined): Sql =>
    keys ? sql`AND ${dialect.keysOneOf(trusted(column), keys)}` : sql``;
  const groups = query.by.includes("group")
    ? sql`LEFT JOIN (SELECT k.screen_id, k.label_id FROM label_screen k JOIN labels m ON m.id = k.label_id
        WHERE k.team_id = ${team} AND m.type = 'manual') g ON g.screen_id = d.screen_id`
    : sql``;
  const ofGroups = query.group
    ? sql`AND ${inGroups(dialect, team, trusted("d.screen_id"), query.group)}`
    : sql``;
  const grouped = sql`SELECT d.team_id, ${joined(
    parts.map(({ alias, column }) => sql`${column} AS ${alias}`),
    ", ",
  )}, CAST(sum(d.playbacks) AS bigint) AS playbacks, CAST(sum(d.duration_ms) AS bigint) AS duration_ms
    FROM playback_days d ${groups}
    WHERE ${inTime(dialect, "d")} d.team_id = ${team} AND d.day >= ${from} AND d.day <= ${to}
      ${oneOf("d.screen_id", query.screen)} ${oneOf("d.asset_id", query.asset)}
      ${oneOf("d.playlist_id", query.playlist)} ${ofGroups}
    GROUP BY d.team_id, ${joined(
      parts.map(({ column }) => column),
      ", ",
    )}`;
  const plain = (field: string, value: Sql): Member => ({
    ...{ name: field, value, isJson: false },
  });
  const members = [
    ...parts.flatMap(({ alias, idField, name }) => [
      plain(idField, sql`t.${alias}`),
      ...(name ? [plain(name.field, name.column)] : []),
    ]),
    plain("playbacks", trusted("t.playbacks")),
    plain("duration_seconds", seconds),
  ];
  const byDay = query.by.includes("day") ? sql`t.day, ` : sql``;
  return sql`SELECT ${asText(dialect.object(members), dialect)} AS body FROM (${grouped}) t
    ${joined(
      parts.flatMap(({ name }) => (name ? [name.join] : [])),
      " ",
    )}
    ORDER BY ${byDay}t.duration_ms DESC, ${joined(
      parts.map(({ alias }) => sql`t.${alias}`),
      ", ",
    )}`;
}

/** Whole numbers without a decimal point, on both databases. */
const seconds =
  trusted(`CASE WHEN t.duration_ms % 1000 = 0 THEN t.duration_ms / 1000
  ELSE CAST(t.duration_ms AS DOUBLE PRECISION) / 1000 END`);
