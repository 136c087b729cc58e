// The four methods on a table of version 4: plan the request, query the database, return rows for an answer.

import type { Database, Row, Run } from "../../platform/database/database.ts";
import { mapInPieces } from "../../platform/text/incremental.ts";
import {
  activityInsert,
  type Note,
  type NoteContext,
} from "../activity/activity.ts";
import type { Table } from "../catalogue.ts";
import type { ContentTables } from "../tables.ts";
import type { Body } from "./parse/body.ts";
import { copyAssets, type ShareFiles } from "./write/copy-assets.ts";
import { dialects } from "./sql/dialect.ts";
import { limits } from "./parse/request-limits.ts";
import {
  refuseNewRowsOutside,
  refuseRowsOutside,
  type LabelLimits,
} from "./write/label-limits.ts";
import { lockRows, needsOwners, ownersOf } from "./write/locks.ts";
import type { Level } from "./plan/plan.ts";
import { ownColumn, planRead, type PlanContext } from "./plan/plan-read.ts";
import {
  planInsert,
  planUpdate,
  isOneRow,
  requireGuard,
  type Conflict,
  type NewRow,
} from "./plan/plan-write.ts";
import {
  followDelete,
  followInsert,
  followUpdate,
  hasFollowers,
  prepareRows,
  withFollowing,
  type WriteContext,
} from "./write/prepare.ts";
import { createChangeInPostgres } from "./write/change-in-postgres.ts";
import { createChangeInSqlite } from "./write/change-in-sqlite.ts";
import {
  maxNoted,
  notedColumns,
  notesOfInsert,
  notesOfMerge,
  notesOfRemoval,
  notesOfUpdate,
  plainRow,
} from "./write/note-writes.ts";
import { createComposer } from "./sql/query.ts";
import { everything } from "./parse/range.ts";
import { createReading, type TableRequest, type Read } from "./read-list.ts";
import { requireMatch, tagOfRow, type Condition } from "../http/if-match.ts";
import { mayNotWrite, Refusal, refusedValue } from "../http/v4-errors.ts";
import { refuseUnlessOne } from "./respond/response.ts";
import {
  allOf,
  joined,
  named,
  sql,
  statementOf,
  trusted,
  type Sql,
} from "../sql.ts";
import {
  deleteStatement,
  inOrderOf,
  insertReturningRow,
  insertStatements,
  updateStatement,
} from "./sql/write-query.ts";
import type { Value } from "./plan/values.ts";
import { writtenIn } from "./sql/zone.ts";

export interface OperationsOptions {
  readonly database: Database<ContentTables>;
  readonly makeId: () => string;
  /** Converts the secret value of a setting to its stored form. */
  readonly sealSecret: (settingId: string, value: string) => string;
  /** Throws when these rows may not be stored. */
  readonly beforeAssetInsert: (
    rows: readonly Readonly<Record<string, unknown>>[],
  ) => Promise<void>;
  readonly shareFiles: ShareFiles;
}

export interface WriteResult {
  readonly count: number;
  /** Null unless they were requested. */
  readonly rows: readonly string[] | null;
  /** Of an insert: whether at least one row is new. */
  readonly isNew: boolean;
  readonly keys: readonly string[];
}

/** The labels that writes of the request are limited to; null: no limit (V4-362). */
export type LimitedTo = readonly string[] | null;

export interface InsertOptions {
  /** Of the one new row, where it is known before. */
  readonly id: string | undefined;
  readonly limitedTo: LimitedTo;
}

export interface ChangeOptions {
  /** With a condition, rows are written only while it holds (V4-391). */
  readonly condition: Condition | null;
  readonly limitedTo: LimitedTo;
}

export interface Operations {
  readonly read: Read;
  insert(
    tableRequest: TableRequest,
    body: Body,
    options: InsertOptions,
  ): Promise<WriteResult>;
  update(
    tableRequest: TableRequest,
    body: Body,
    options: ChangeOptions,
  ): Promise<WriteResult>;
  remove(
    tableRequest: TableRequest,
    options: ChangeOptions,
  ): Promise<WriteResult>;
  copyAssets(context: PlanContext, body: Body): Promise<readonly string[]>;
}

export function createOperations(options: OperationsOptions): Operations {
  const { database } = options;
  const dialect = dialects[database.kind];
  const composer = createComposer(dialect);
  const changeRow =
    database.kind === "sqlite"
      ? createChangeInSqlite(database)
      : createChangeInPostgres(database);
  const statement = (of: Sql) => statementOf(of, database.kind);
  const queryRunner =
    (run: Run) =>
    (of: Sql): Promise<readonly Row[]> =>
      run(statement(of));
  /** The rows of these keys as the request shows them, in the order of the keys. */
  async function represent(
    run: Run,
    level: Level,
    keys: readonly string[],
  ): Promise<readonly string[]> {
    const found = new Map<string, string>();
    // A count is one row and has no key.
    if (level.outputs.some(({ kind }) => kind === "count"))
      return (await queryRunner(run)(composer.rows({ ...level, keys }))).map(
        (row) => String(row["body"]),
      );
    for (let first = 0; first < keys.length; first += limits.rowsPerBatch) {
      const some = keys.slice(first, first + limits.rowsPerBatch);
      const rows = await queryRunner(run)(
        composer.rows({ ...level, keys: some }),
      );
      for (const row of rows)
        found.set(
          String(row["row_key"]),
          writtenIn(level.zone, String(row["body"])),
        );
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  /** What to show of the written rows: the filters selected them before, and may not match them any more. */
  function representation({
    context,
    table,
    request,
  }: TableRequest): Level | null {
    if (request.prefer.return !== "representation") return null;
    const filters = request.filters.filter(({ target }) => target.length > 0);
    const orders = request.orders.filter(({ target }) => target.length > 0);
    const level = planRead(context, table, {
      ...request,
      ...{ filters, orders, window: everything },
    });
    return {
      ...level,
      conditions: level.conditions.filter(({ kind }) => kind !== "exists"),
    };
  }

  /** A single statement is a transaction by itself, which saves the round trips for BEGIN and COMMIT. */
  function inOne<T>(
    isAlone: boolean,
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    return isAlone ? work(database.writeOne) : database.write(work);
  }

  const noteContext = ({ team, now }: PlanContext): NoteContext => ({
    ...{ team, now: now(), makeId: options.makeId },
  });

  async function note(
    run: Run,
    context: PlanContext,
    ...notes: readonly Note[]
  ): Promise<void> {
    if (notes.length > 0)
      await queryRunner(run)(activityInsert(noteContext(context), notes));
  }

  const limitsOf = (
    run: Run,
    { context: { team } }: TableRequest,
    labelIds: LimitedTo,
  ): LabelLimits | null =>
    labelIds && { dialect, team, labelIds, runQuery: queryRunner(run) };

  const writeContext = (context: PlanContext, run: Run): WriteContext => ({
    ...{ run, dialect, team: context.team, now: context.now() },
    makeId: options.makeId,
    sealSecret: options.sealSecret,
    tableNamed: (name) => {
      const found = context.catalogue.tables.get(name);
      if (!found) throw new Error(`The catalogue lacks the table ${name}.`);
      return found;
    },
  });

  async function insert(
    tableRequest: TableRequest,
    body: Body,
    { id, limitedTo }: InsertOptions,
  ): Promise<WriteResult> {
    const { context, table, request } = tableRequest;
    const plan = await planInsert(table, request, body, context.now);
    const level = representation(tableRequest);
    if (table.name === "assets" && plan.rows.length > 0)
      await options.beforeAssetInsert(
        await mapInPieces(plan.rows, limits.rowsPerBatch, plainRow),
      );
    if (plan.rows.length === 0) {
      refuseUnlessOne(request.form, 0);
      return {
        count: 0,
        rows: level && [],
        isNew: plan.conflict === null,
        keys: [],
      };
    }
    const isAlone =
      limitedTo === null &&
      !needsOwners(table.name, plan.rows.length === 1, dialect) &&
      !hasFollowers(table);
    // With its entry in the activity log.
    const isOneStatement =
      isAlone && dialect.kind === "postgres" && plan.conflict === null;
    const isShownAtOnce =
      isOneStatement && level !== null && showsOwnRow(level);
    return inOne(
      isOneStatement && (level === null || isShownAtOnce),
      async (run) => {
        const write = writeContext(tableRequest.context, run);
        const makeId = makingFirst(id, options.makeId);
        const rows = await prepareRows({ ...write, makeId }, table, plan.rows);
        await refuseNewRowsOutside(
          limitsOf(run, tableRequest, limitedTo),
          ...([table, rows] as const),
        );
        const noted = isOneStatement
          ? activityInsert(noteContext(context), notesOfInsert(table, rows))
          : null;
        if (isShownAtOnce && noted && rows[0])
          return insertAndShow(run, level, rows[0], noted);
        const before = await rowsToMerge(
          run,
          context,
          table,
          plan.conflict,
          rows,
        );
        const keys = await insertRows(run, table, rows, plan.conflict, noted);
        const inserted = new Set(keys);
        const newRows = rows.filter((row) => inserted.has(keyOf(table, row)));
        const isNew = newRows.length > 0;
        if (!noted)
          await note(
            run,
            context,
            ...[
              ...notesOfInsert(table, newRows),
              ...(plan.conflict
                ? notesOfMerge(table, plan.conflict, before, rows)
                : []),
            ],
          );
        await followInsert(write, table, {
          rows: newRows,
          keys,
          sent: new Set(plan.rows.flatMap((row) => [...row.keys()])),
        });
        const shown = level && (await represent(run, level, keys));
        refuseUnlessOne(request.form, keys.length);
        return {
          ...{ count: keys.length, rows: shown, keys },
          isNew: isNew || !plan.conflict?.isMerged,
        };
      },
    );
  }

  /** The rows that an upsert may change, as they are before. */
  async function rowsToMerge(
    run: Run,
    { team }: PlanContext,
    table: Table,
    conflict: Conflict | null,
    rows: readonly NewRow[],
  ): Promise<readonly Row[]> {
    if (!conflict?.isMerged) return [];
    const { columns, sent } = conflict;
    const conditions = columns.map((name) =>
      dialect.keysOneOf(
        // An index is of no use to a cast.
        table.columns.get(name)?.type === "text"
          ? named(name)
          : sql`CAST(${named(name)} AS text)`,
        rows.map((row) => keyText(row.get(name))),
      ),
    );
    const read = new Set([...columns, ...sent, ...notedColumns(table)]);
    return queryRunner(run)(
      sql`SELECT ${named(table.key)} AS row_key, ${joined([...read].map(named), ", ")} FROM ${named(table.name)}
        WHERE ${allOf([sql`${named(table.teamColumn)} = ${team}`, ...conditions])} LIMIT ${maxMerged}`,
    );
  }

  /** Whether everything that is shown of a new row is in the row itself. */
  function showsOwnRow({ table, outputs, embeddings }: Level): boolean {
    return (
      dialect.kind === "postgres" &&
      table.readAs === null &&
      embeddings.length === 0 &&
      outputs.every(({ kind }) => kind === "value")
    );
  }

  /** In one statement. */
  async function insertAndShow(
    run: Run,
    level: Level,
    row: NewRow,
    noted: Sql,
  ): Promise<WriteResult> {
    const { table, zone } = level;
    const insert = insertReturningRow(dialect, table, row);
    const shown = await queryRunner(run)(
      composer.inserted(level, insert, noted),
    );
    return {
      ...{ count: shown.length, isNew: true, keys: keysOf(shown) },
      rows: shown.map(({ body }) => writtenIn(zone, String(body))),
    };
  }

  /** The keys in the order of the rows, which neither SQLite nor PostgreSQL guarantees. */
  async function insertRows(
    run: Run,
    table: Table,
    rows: readonly NewRow[],
    conflict: Conflict | null,
    /** Of one row: written in the same statement. */
    noted: Sql | null,
  ): Promise<readonly string[]> {
    const keys: string[] = [];
    for (const group of alike(inOrderOf(conflict?.columns ?? [], rows)))
      for (const each of insertStatements(dialect, table, group, conflict))
        for (const row of await queryRunner(run)(
          noted ? sql`WITH noted AS (${noted}) ${each}` : each,
        ))
          keys.push(String(row["row_key"]));
    if (keys.length < 2) return keys;
    // On SQLite the last of them would win.
    if (new Set(keys).size < keys.length)
      throw refusedValue(
        "21000",
        "ON CONFLICT DO UPDATE command cannot affect row a second time",
      );
    const places = new Map(rows.map((row, at) => [keyOf(table, row), at]));
    return keys.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }

  interface Chosen {
    readonly level: Level;
    readonly where: Sql;
  }
  const cache = new WeakMap<TableRequest, Chosen>();

  /** The rows to be changed: root filters only, without order and window. */
  function chosenRows(tableRequest: TableRequest): Chosen {
    const cached = cache.get(tableRequest);
    if (cached) return cached;
    const { context, table, request } = tableRequest;
    requireGuard(table, request.filters);
    let isOfThisMoment = false;
    const now = (): number => {
      isOfThisMoment = true;
      return context.now();
    };
    const level = planRead({ ...context, now }, table, {
      select: [],
      filters: request.filters.filter(({ target }) => target.length === 0),
      ...{ orders: [], windows: [], window: everything },
    });
    const chosen = { level, where: composer.where(level) };
    if (!isOfThisMoment) cache.set(tableRequest, chosen);
    return chosen;
  }

  /**
   * Before changing many linking rows, locks the rows they link, in the common order (V4-273). Returns which rows may
   * then be written: a row linked by somebody else meanwhile belongs to an owner that is not locked here.
   */
  async function lockOwners(
    run: Run,
    { table, request }: TableRequest,
    { alias, team }: Level,
    where: Sql,
  ): Promise<Sql> {
    const isOne = isOneRow(table, request.filters);
    if (!needsOwners(table.name, isOne, dialect)) return where;
    const conditions = [where];
    const source = sql`FROM ${named(table.name)} AS ${named(alias)} WHERE ${where}`;
    for (const owner of ownersOf[table.name] ?? []) {
      const column = sql`${named(alias)}.${named(owner.column)}`;
      const areMeant = sql`id IN (SELECT ${column} ${source})`;
      const locking = { dialect, team, runQuery: queryRunner(run) };
      const ids = await lockRows(locking, owner.table, owner.lock, areMeant);
      if (ids !== null && owner.lock === "own")
        conditions.push(dialect.keysOneOf(column, ids));
    }
    return allOf(conditions);
  }

  /**
   * Before changing many rows, locks each of them in the order of their keys (V4-273): in a statement of its own, since
   * one that both locks and changes would see rows as they were before it waited.
   */
  async function lockedIn(
    run: Run,
    tableRequest: TableRequest,
    { alias, team }: Level,
    where: Sql,
    limitedTo: LimitedTo,
  ): Promise<Sql> {
    const { table, request } = tableRequest;
    const isLocked =
      dialect.kind !== "sqlite" && !isOneRow(table, request.filters);
    if (!isLocked && limitedTo === null) return where;
    const key = named(table.key);
    const lock = trusted(dialect.kind === "sqlite" ? "" : " FOR NO KEY UPDATE");
    const keys = keysOf(
      await queryRunner(run)(
        sql`SELECT ${key} AS row_key FROM ${named(table.name)} AS ${named(alias)} WHERE ${where} ORDER BY ${key}${lock}`,
      ),
    );
    const limits = limitsOf(run, tableRequest, limitedTo);
    await refuseRowsOutside(limits, table, keys);
    return allOf([
      sql`${named(table.teamColumn)} = ${team}`,
      dialect.keysOneOf(key, keys),
    ]);
  }

  async function refuseBuiltIn(run: Run, level: Level): Promise<void> {
    const { table, alias } = level;
    if (table.changeableType === null) return;
    const type = ownColumn(table, alias, "type");
    const others: Level = {
      ...level,
      conditions: [
        ...level.conditions,
        {
          kind: "compare",
          expression: type,
          operator: "<>",
          value: { type: "text", value: table.changeableType },
        },
      ],
    };
    const [found] = await queryRunner(run)(composer.count(others));
    if (Number(found?.["total"] ?? 0) > 0)
      throw mayNotWrite(
        table.name,
        `Built-in ${table.name} cannot be changed or deleted`,
      );
  }

  /**
   * Locks the rows and compares: with tags, exactly one row must be selected and have one of them; "any" needs a row. A
   * statement after the lock sees what another writer left.
   */
  async function meet(
    run: Run,
    condition: Condition | null,
    { context, table, request }: TableRequest,
    { alias }: Level,
    where: Sql,
  ): Promise<void> {
    if (condition === null) return;
    const lock = dialect.kind === "postgres" ? " FOR NO KEY UPDATE" : "";
    const key = named(table.key);
    const chosen = sql`SELECT ${key} AS row_key FROM ${named(table.name)} AS ${named(alias)} WHERE ${where} ORDER BY ${key}`;
    const keys = keysOf(await queryRunner(run)(sql`${chosen}${trusted(lock)}`));
    if (condition === "any" && keys.length > 0) return;
    const whole = planRead({ ...context, zone: null }, table, {
      ...{ ...request, filters: [], orders: [], windows: [] },
      ...{ select: [{ kind: "every" as const }], window: everything },
    });
    const [body] = keys.length === 1 ? await represent(run, whole, keys) : [];
    requireMatch(condition, body === undefined ? null : tagOfRow(body));
  }

  function checkChanged({ request }: TableRequest, count: number): void {
    const { maxAffected, handling } = request.prefer;
    if (handling === "strict" && maxAffected !== null && count > maxAffected)
      throw new Refusal(
        400,
        "PGRST124",
        "Query result exceeds max-affected preference constraint",
        { details: `The query affects ${count} rows` },
      );
    refuseUnlessOne(request.form, count);
  }

  /** One row that needs no lock before it is changed, and no check or representation after it. */
  function isPlainChange({
    table,
    request: { form, prefer, filters },
  }: TableRequest): boolean {
    return (
      table.changeableType === null &&
      !hasFollowers(table) &&
      isOneRow(table, filters) &&
      form.kind !== "object" &&
      prefer.return !== "representation" &&
      prefer.maxAffected === null
    );
  }

  async function update(
    tableRequest: TableRequest,
    body: Body,
    { condition, limitedTo }: ChangeOptions,
  ): Promise<WriteResult> {
    const { context, table, request } = tableRequest;
    const { level, where } = chosenRows(tableRequest);
    const changes = withFollowing(
      table,
      planUpdate(table, request, body, context.now),
    );
    const shown = representation(tableRequest);
    if (changes.size === 0 && condition === null) {
      checkChanged(tableRequest, 0);
      return { count: 0, rows: shown && [], isNew: false, keys: [] };
    }
    const columns = [...new Set([...changes.keys(), ...notedColumns(table)])];
    if (
      condition === null &&
      limitedTo === null &&
      isPlainChange(tableRequest)
    ) {
      const { alias } = level;
      const change = { table, alias, where, changes };
      const key = await changeRow(change, () => noteContext(context));
      if (key !== null)
        return { count: 1, rows: null, isNew: false, keys: [key] };
    }
    return database.write(async (run) => {
      const areOurs = await lockOwners(run, tableRequest, level, where);
      await meet(run, condition, tableRequest, level, areOurs);
      if (changes.size === 0) {
        checkChanged(tableRequest, 0);
        return { count: 0, rows: shown && [], isNew: false, keys: [] };
      }
      await refuseBuiltIn(run, level);
      const areMeant = await lockedIn(
        ...([run, tableRequest, level, areOurs, limitedTo] as const),
      );
      const before = await rowsBefore(run, level, columns, areMeant);
      const written = await queryRunner(run)(
        updateStatement(dialect, table, level.alias, changes, {
          where: areMeant,
          // Of very many, the log says only how many they are.
          returned: before.length > maxNoted ? [] : columns.map(named),
        }),
      );
      const keys = keysOf(written);
      checkChanged(tableRequest, keys.length);
      await note(
        ...([run, context] as const),
        ...notesOfUpdate(table, before, written, [...changes.keys()]),
      );
      await followUpdate(
        writeContext(tableRequest.context, run),
        table,
        changes,
        keys,
      );
      const rows = shown && (await represent(run, shown, [...keys].sort()));
      return { count: keys.length, rows, isNew: false, keys };
    });
  }

  /** As they are before a change, which waits for other writers here. One more than are noted. */
  function rowsBefore(
    run: Run,
    { table, alias }: Level,
    columns: readonly string[],
    where: Sql,
  ): Promise<readonly Row[]> {
    const key = named(table.key);
    const lock = trusted(dialect.kind === "sqlite" ? "" : " FOR NO KEY UPDATE");
    return queryRunner(run)(
      sql`SELECT ${key} AS row_key, ${joined(columns.map(named), ", ")} FROM ${named(table.name)} AS ${named(alias)}
        WHERE ${where} ORDER BY ${key} LIMIT ${maxNoted + 1}${lock}`,
    );
  }

  async function remove(
    tableRequest: TableRequest,
    { condition, limitedTo }: ChangeOptions,
  ): Promise<WriteResult> {
    const { context, table } = tableRequest;
    const { level, where: areMeant } = chosenRows(tableRequest);
    const shown = representation(tableRequest);
    return database.write(async (run) => {
      const where = await lockOwners(run, tableRequest, level, areMeant);
      await meet(run, condition, tableRequest, level, where);
      await refuseBuiltIn(run, level);
      // Locked in one order: a transaction that waited sees what the other writer left, and no row is deleted twice.
      const lock = trusted(dialect.kind === "postgres" ? " FOR UPDATE" : "");
      const key = named(table.key);
      const columns = joined(notedColumns(table).map(named), ", ");
      const chosen = sql`SELECT ${key} AS row_key, ${columns} FROM ${named(table.name)} AS ${named(level.alias)} WHERE ${where} ORDER BY ${key}${lock}`;
      const before = await queryRunner(run)(chosen);
      const keys = keysOf(before);
      const limits = limitsOf(run, tableRequest, limitedTo);
      await refuseRowsOutside(limits, table, keys);
      checkChanged(tableRequest, keys.length);
      const rows = shown && (await represent(run, shown, keys));
      await note(run, context, ...notesOfRemoval(table, before));
      await followDelete(writeContext(tableRequest.context, run), table, keys);
      const isOne = allOf([
        sql`${named(table.teamColumn)} = ${level.team}`,
        dialect.keysOneOf(key, keys),
      ]);
      if (keys.length > 0)
        await queryRunner(run)(deleteStatement(table, level.alias, isOne));
      return { count: keys.length, rows, isNew: false, keys };
    });
  }

  return {
    read: createReading(database, composer),
    ...{ insert, update, remove },
    copyAssets: (context, body) =>
      database.write((run) =>
        copyAssets(writeContext(context, run), body, options.shareFiles),
      ),
  };
}

/** Rows that an upsert of several columns may find beside those that it changes; bounded. */
const maxMerged = 5_000;

/** Groups rows with the same columns. */
function alike(rows: readonly NewRow[]): readonly (readonly NewRow[])[] {
  if (rows.length === 1) return [rows];
  const groups = new Map<string, NewRow[]>();
  for (const row of rows) {
    const shape = [...row.keys()].join();
    const group = groups.get(shape);
    if (group) group.push(row);
    else groups.set(shape, [row]);
  }
  return [...groups.values()];
}

function keyOf({ key }: Table, row: NewRow): string {
  const value = row.get(key);
  return value?.type === "text" ? value.value : "";
}

/** Keys are texts and numbers. */
function keyText(value: Value | null | undefined): string {
  return value?.type === "text" || value?.type === "integer"
    ? String(value.value)
    : "";
}

function keysOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => String(row["row_key"]));
}

function makingFirst(
  id: string | undefined,
  makeId: () => string,
): () => string {
  let given = id;
  return () => {
    const newId = given ?? makeId();
    given = undefined;
    return newId;
  };
}
