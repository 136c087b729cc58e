// Reads lists: a page in one query, a long list in pieces, with a count on request.

import type {
  Database,
  Piece,
  Row,
  Statement,
} from "../../platform/database/database.ts";
import type { Table } from "../catalogue.ts";
import type { Reads } from "../replica/read-replica.ts";
import type { ContentTables } from "../tables.ts";
import { limits } from "./parse/request-limits.ts";
import type { Level, Condition, Embedding } from "./plan/plan.ts";
import { planRead, type PlanContext } from "./plan/plan-read.ts";
import type { Composer } from "./sql/query.ts";
import { badRange } from "../http/v4-errors.ts";
import type { RequestV4 } from "./parse/request.ts";
import { refuseUnlessOne } from "./respond/response.ts";
import { statementOf, type Sql } from "../sql.ts";
import { writtenIn } from "./sql/zone.ts";

// Estimates whether a read is certainly quick or may scan every row.

/** A page of a list in its default order, or rows selected by key: an index leads to them. */
const lightPage = 200;

function isLight(level: Level): boolean {
  if (level.order.length > 0 || !level.conditions.every(isPlain)) return false;
  const isPage =
    level.conditions.length === 0 &&
    level.window.limit !== null &&
    level.window.limit + level.window.offset <= lightPage;
  return (
    (isPage || level.conditions.some(namesRows)) &&
    level.outputs.every(({ kind }) => kind !== "count") &&
    level.embeddings.every(isLightEmbedding)
  );
}

/** Its rows are found by the key that relates them. */
function isLightEmbedding({ level, isInner }: Embedding): boolean {
  return (
    !isInner &&
    level.conditions.every(isPlain) &&
    level.embeddings.every(isLightEmbedding)
  );
}

function isPlain(condition: Condition): boolean {
  switch (condition.kind) {
    case "compare":
    case "in":
    case "is":
      return condition.expression.path.length === 0;
    default:
      return false;
  }
}

function namesRows(condition: Condition): boolean {
  const isExact =
    (condition.kind === "compare" && condition.operator === "=") ||
    (condition.kind === "in" && condition.values.length <= lightPage);
  return isExact && condition.expression.column.name === "id";
}

/** A repeated request is the same object, so that anything derived from it can be cached by it. */
export interface TableRequest {
  readonly context: PlanContext;
  readonly table: Table;
  readonly request: RequestV4;
}

/** One list of rows, as JSON texts: whole, or in pieces if it is long. */
export interface ReadResult {
  readonly offset: number;
  readonly count: number;
  readonly total: number | null;
  readonly rows: readonly string[] | AsyncGenerator<readonly string[]>;
}

/** Long lists are read from the database itself: a replica that breaks off would cut them off (V4-403). */
export type Read = (
  tableRequest: TableRequest,
  isHead: boolean,
  reads: Reads,
) => Promise<ReadResult>;

/** The database queries of a request. */
interface ReadPlan {
  readonly level: Level;
  readonly isLight: boolean;
  readonly isCounted: boolean;
  readonly isAggregate: boolean;
  /** Reads one row more than are sent at once, if there are that many. */
  readonly first: Statement;
  /** On PostgreSQL one statement is answered faster than two of one transaction; without rows it has no total. */
  readonly firstWithTotal: Statement | null;
}

const maxAtOnce = limits.rowsAtOnce + 1;

export function createReading(
  database: Database<ContentTables>,
  composer: Composer,
): Read {
  const plans = new WeakMap<TableRequest, ReadPlan>();
  const statement = (of: Sql) => statementOf(of, database.kind);

  function planOf(tableRequest: TableRequest): ReadPlan {
    const cached = plans.get(tableRequest);
    if (cached) return cached;
    const { context, table, request } = tableRequest;
    let isOfThisMoment = false;
    const now = (): number => {
      isOfThisMoment = true;
      return context.now();
    };
    const level = planRead({ ...context, now }, table, request);
    const { limit, offset } = level.window;
    const window = { offset, limit: Math.min(limit ?? maxAtOnce, maxAtOnce) };
    const { count } = request.prefer;
    const isAggregate = level.outputs.some(({ kind }) => kind === "count");
    const isCounted = count !== null && count !== "none";
    const firstRows = { ...level, window };
    const plan: ReadPlan = {
      ...{ level, isLight: isLight(level), isCounted, isAggregate },
      first: statement(composer.rows(firstRows)),
      firstWithTotal:
        database.kind === "postgres" && isCounted && !isAggregate
          ? statement(composer.rowsWithTotal(firstRows))
          : null,
    };
    if (!isOfThisMoment) plans.set(tableRequest, plan);
    return plan;
  }

  async function totalOf({ level }: ReadPlan, reads: Reads): Promise<number> {
    return totalIn(await reads.readHeavy(statement(composer.count(level))));
  }

  /** The total, if requested, and the first rows: both of the same moment. */
  async function firstOf(
    plan: ReadPlan,
    reads: Reads,
  ): Promise<readonly [total: number | null, rows: readonly Row[]]> {
    const { level, first, isLight, isCounted, isAggregate } = plan;
    if (plan.firstWithTotal) {
      const rows = await reads.readHeavy(plan.firstWithTotal);
      if (rows.length > 0) return [totalIn(rows), rows];
    }
    if (isCounted && !isAggregate) {
      const counting = statement(composer.count(level));
      const [counted = [], rows = []] = await reads.readTogether([
        counting,
        first,
      ]);
      return [totalIn(counted), rows];
    }
    const rows = await (isLight ? reads.read(first) : reads.readHeavy(first));
    return [isCounted ? 1 : null, rows];
  }

  async function read(
    tableRequest: TableRequest,
    isHead: boolean,
    reads: Reads,
  ): Promise<ReadResult> {
    const plan = planOf(tableRequest);
    const { request } = tableRequest;
    const { level } = plan;
    const { limit, offset } = level.window;
    if (isHead && !plan.isAggregate) {
      const all = await totalOf(plan, reads);
      if (plan.isCounted) refusePastEnd(offset, all);
      const count = Math.max(0, Math.min(limit ?? Infinity, all - offset));
      refuseUnlessOne(request.form, count);
      return { offset, count, total: plan.isCounted ? all : null, rows: [] };
    }
    const [total, rows] = await firstOf(plan, reads);
    if (total !== null) refusePastEnd(offset, total);
    if (rows.length === maxAtOnce) return longRead(plan, request);
    refuseUnlessOne(request.form, rows.length);
    return { offset, count: rows.length, total, rows: bodiesOf(level, rows) };
  }

  async function longRead(
    { level, isCounted }: ReadPlan,
    request: RequestV4,
  ): Promise<ReadResult> {
    const { limit, offset } = level.window;
    const pieces = database.readInPieces(
      [composer.count(level), composer.rows(level)].map(statement),
      limits.rowsInPiece,
    );
    const ahead = await pieces.next();
    const all = totalIn(ahead.done ? [] : ahead.value.rows);
    const count = Math.max(0, Math.min(limit ?? Infinity, all - offset));
    try {
      refuseUnlessOne(request.form, count);
    } catch (error) {
      await pieces.return(undefined);
      throw error;
    }
    return {
      ...{ offset, count },
      total: isCounted ? all : null,
      rows: bodiesInPieces(level, pieces),
    };
  }

  return read;
}

function totalIn([row]: readonly Row[]): number {
  return Number(row?.["total"] ?? 0);
}

function refusePastEnd(offset: number, total: number): void {
  if (offset > total)
    throw badRange(
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
      total,
    );
}

function bodiesOf({ zone }: Level, rows: readonly Row[]): readonly string[] {
  return rows.map((row) => writtenIn(zone, String(row["body"])));
}

async function* bodiesInPieces(
  level: Level,
  pieces: AsyncGenerator<Piece>,
): AsyncGenerator<readonly string[]> {
  for await (const { rows } of pieces) yield bodiesOf(level, rows);
}
