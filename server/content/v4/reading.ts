// Reading a list: a page at once, a long one in pieces, counted where that is asked.

import type { Database, Row } from "../../platform/database.ts";
import type { Table } from "../catalogue.ts";
import type { ContentTables } from "../tables.ts";
import { limits } from "./limits.ts";
import type { Level } from "./plan.ts";
import { planRead, type PlanContext } from "./plan-read.ts";
import type { Composer } from "./query.ts";
import { badRange } from "./refusal.ts";
import type { RequestV4 } from "./request.ts";
import { refuseUnlessOne } from "./response.ts";
import { statementOf, type Sql } from "./sql.ts";
import { isLight } from "./weight.ts";

export interface Asking {
  readonly context: PlanContext;
  readonly table: Table;
  readonly request: RequestV4;
}

/** One list of rows, as JSON texts: whole, or in pieces where it is long. */
export interface ReadResult {
  readonly offset: number;
  readonly count: number;
  readonly total: number | null;
  readonly rows: readonly string[] | AsyncGenerator<readonly string[]>;
}

export type Read = (asking: Asking, isHead: boolean) => Promise<ReadResult>;

export function createReading(
  database: Database<ContentTables>,
  composer: Composer,
): Read {
  const statement = (of: Sql) => statementOf(of, database.kind);
  const heavy = (of: Sql): Promise<readonly Row[]> =>
    database.readHeavy(statement(of));
  const ask = (level: Level, of: Sql): Promise<readonly Row[]> =>
    isLight(level) ? database.read(statement(of)) : heavy(of);

  async function totalOf(level: Level): Promise<number> {
    const [row] = await heavy(composer.count(level));
    return Number(row?.["total"] ?? 0);
  }

  async function read(
    { context, table, request }: Asking,
    isHead: boolean,
  ): Promise<ReadResult> {
    const level = planRead(context, table, request);
    const { limit, offset } = level.window;
    const isCounted =
      request.prefer.count !== null && request.prefer.count !== "none";
    const isAggregate = level.outputs.some(({ kind }) => kind === "count");
    const total = isCounted ? (isAggregate ? 1 : await totalOf(level)) : null;
    if (total !== null && offset > total)
      throw badRange(
        `An offset of ${offset} was requested, but there are only ${total} rows.`,
        total,
      );
    if (isHead && !isAggregate) {
      const all = total ?? (await totalOf(level));
      const count = Math.max(0, Math.min(limit ?? Infinity, all - offset));
      refuseUnlessOne(request.form, count);
      return { offset, count, total, rows: [] };
    }
    const most = limits.rowsAtOnce + 1;
    const first = bodiesOf(
      await ask(
        level,
        composer.rows({
          ...level,
          window: { offset, limit: Math.min(limit ?? most, most) },
        }),
      ),
    );
    if (first.length < most) {
      refuseUnlessOne(request.form, first.length);
      return { offset, count: first.length, total, rows: first };
    }
    return longRead(level, request, total);
  }

  async function longRead(
    level: Level,
    request: RequestV4,
    total: number | null,
  ): Promise<ReadResult> {
    const { limit, offset } = level.window;
    const pieces = database.readInPieces(
      statement(composer.count(level)),
      statement(composer.rows(level)),
      limits.rowsInPiece,
    );
    const ahead = await pieces.next();
    const rows = ahead.done ? [] : ahead.value;
    const all = Number(rows[0]?.["total"] ?? 0);
    const count = Math.max(0, Math.min(limit ?? Infinity, all - offset));
    try {
      refuseUnlessOne(request.form, count);
    } catch (error) {
      await pieces.return(undefined);
      throw error;
    }
    return {
      ...{ offset, count },
      total: total === null ? null : all,
      rows: bodiesInPieces(pieces),
    };
  }

  return read;
}

function bodiesOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => String(row["body"]));
}

async function* bodiesInPieces(
  pieces: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly string[]> {
  for await (const rows of pieces) yield bodiesOf(rows);
}
