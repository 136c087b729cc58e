// Totals of outages by screen, group or month: how many, how long, and of which cause (V3-86).

import type { OutageCause } from "../../../contract/link/screen-report.ts";
import { csvOf } from "../../../contract/csv.ts";
import {
  outageTotalsQueryV3,
  type OutageGrouping,
  type OutageTotalV3,
} from "../../../contract/v3/v3-outages.ts";
import { outageCauses } from "../../../contract/link/screen-report.ts";
import type { Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { joined, sql, statementOf, trusted, type Sql } from "../../sql.ts";
import type { Dialect } from "../../v4/sql/dialect.ts";
import { acceptedFormat } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { monthsIn, type Month } from "./months.ts";
import { outageConditions } from "./outage-conditions.ts";

/** Outages are kept for 400 days after their end; an ongoing one may be older. */
const maxMonths = 36;

export function createOutageTotals({ readsFor, dialect, now }: V3): Methods {
  return {
    GET: async (request, response) => {
      const query = judged(outageTotalsQueryV3, { ...request.query });
      const moment = now();
      // None is under way later than now.
      const until = Math.min(query.until ?? moment, moment);
      const from = query.since ?? 0;
      const months =
        query.by === "month" && from < until
          ? monthsIn(query.timezone, from, until, maxMonths)
          : [];
      const conditions = outageConditions(dialect, teamOf(response), query);
      const statement = totalsOf(dialect, query.by, {
        ...{ conditions, from, until, months, team: teamOf(response) },
      });
      const reads = await readsFor(response);
      const rows = statement
        ? await reads.readHeavy(statementOf(statement, dialect.kind))
        : [];
      const totals = totalsFrom(rows);
      const format = query.format ?? acceptedFormat(request.headers.accept);
      response.setHeader("Vary", "Accept");
      if (format === "json") sendJson(response, 200, totals);
      else
        response
          .status(200)
          .setHeader("Content-Type", "text/csv; charset=utf-8")
          .end(csvOf(totals.map(flatRow), columns));
    },
  };
}

interface Span {
  readonly conditions: Sql;
  readonly from: number;
  readonly until: number;
  readonly months: readonly Month[];
  readonly team: string;
}

/** Null where there is nothing to add up. */
function totalsOf(
  dialect: Dialect,
  by: OutageGrouping,
  { conditions, from, until, months, team }: Span,
): Sql | null {
  const [least, greatest] =
    dialect.kind === "sqlite" ? ["min", "max"] : ["least", "greatest"];
  /** The part of an outage between two moments; the database's clock may have been set back since (L-36). */
  const duration = (begin: Sql, end: Sql): Sql =>
    sql`sum(${trusted(greatest)}(0, ${trusted(least)}(coalesce(o.ended_at, ${end}), ${end}) - ${trusted(greatest)}(o.started_at, ${begin})))`;
  const figures = (begin: Sql, end: Sql): Sql =>
    sql`o.cause, count(*) AS outages, ${duration(begin, end)} AS duration_ms`;
  const whole = figures(number(from), number(until));
  switch (by) {
    case "screen":
      return sql`SELECT t.*, s.name FROM (
          SELECT o.screen_id AS id, ${whole} FROM screen_outages o WHERE ${conditions} GROUP BY o.screen_id, o.cause
        ) t JOIN screens s ON s.id = t.id ORDER BY s.name, t.id`;
    case "group":
      return sql`SELECT l.id, l.name, ${whole} FROM screen_outages o
        LEFT JOIN (SELECT k.screen_id, l.id, l.name FROM label_screen k JOIN labels l ON l.id = k.label_id
          WHERE k.team_id = ${team} AND l.type = 'manual') l ON l.screen_id = o.screen_id
        WHERE ${conditions} GROUP BY l.id, l.name, o.cause
        ORDER BY CASE WHEN l.id IS NULL THEN 1 ELSE 0 END, l.name, l.id`;
    case "month": {
      const parts = months.map((month) => {
        const begin = Math.max(from, month.from);
        const end = Math.min(until, month.until);
        return sql`SELECT ${trusted(`'${month.name}'`)} AS id, ${figures(number(begin), number(end))}
          FROM screen_outages o WHERE ${conditions} AND o.started_at < ${number(month.until)}
          AND (o.ended_at IS NULL OR o.ended_at > ${number(begin)} OR o.started_at >= ${number(begin)}) GROUP BY o.cause`;
      });
      if (parts.length === 0) return null;
      return sql`SELECT t.*, t.id AS name FROM (${joined(parts, " UNION ALL ")}) t ORDER BY t.id`;
    }
  }
}

/** A literal in the statement, as this many bound parameters would exceed the limit of the database. */
function number(value: number): Sql {
  return trusted(String(Math.trunc(value)));
}

/** Rows of one total follow each other. */
function totalsFrom(rows: readonly Row[]): readonly OutageTotalV3[] {
  const totals: OutageTotalV3[] = [];
  for (const row of rows) {
    const id = textOf(row["id"]);
    const outages = Number(row["outages"]);
    const duration_seconds = Number(row["duration_ms"]) / 1000;
    const figures = { outages, duration_seconds };
    const cause = row["cause"] as OutageCause;
    const last = totals.at(-1);
    if (last?.id === id && totals.length > 0)
      totals[totals.length - 1] = {
        ...{ id, name: last.name },
        outages: last.outages + outages,
        duration_seconds: sum(last.duration_seconds, duration_seconds),
        causes: { ...last.causes, [cause]: figures },
      };
    else {
      const name = textOf(row["name"]);
      totals.push({ id, name, ...figures, causes: { [cause]: figures } });
    }
  }
  return totals;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Of seconds with milliseconds, without the digits that decimals add. */
function sum(a: number, b: number): number {
  return Math.round((a + b) * 1000) / 1000;
}

const columns = [
  ...["id", "name", "outages", "duration_seconds"],
  ...outageCauses.flatMap((cause) => [
    ...[`${cause}_outages`, `${cause}_duration_seconds`],
  ]),
];

function flatRow(total: OutageTotalV3): Record<string, string | number | null> {
  const { causes, ...row } = total;
  const cells: Record<string, string | number | null> = { ...row };
  for (const cause of outageCauses) {
    const figures = causes[cause];
    cells[`${cause}_outages`] = figures?.outages ?? 0;
    cells[`${cause}_duration_seconds`] = figures?.duration_seconds ?? 0;
  }
  return cells;
}
