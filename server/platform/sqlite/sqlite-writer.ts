// The only connection that writes SQLite: one transaction at a time, whose commits share a flush of the disk.

import { asDatabaseError, type Row, type Run } from "../database/database.ts";
import { atNextRound } from "../text/incremental.ts";
import { untilFree } from "./busy-retry.ts";
import { createSharedFlush } from "./shared-flush.ts";
import type { QueryFunctions } from "./sqlite-functions.ts";
import type { KeptStatements } from "./sqlite-statements.ts";
import type { Sqlite } from "./sqlite.ts";

export interface SqliteWriter {
  /** Waits in the queue of writers; the returned function ends the turn. */
  enter(): Promise<() => void>;
  /** All or nothing; resolves when it would survive a power cut. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same for a single statement, which is atomic by itself. */
  one: Run;
  stop(): Promise<void>;
}

/** A transaction of many statements lets other requests run between two of them: they read the state before it. */
const maxMsInARow = 10;

export function createSqliteWriter(
  database: Sqlite,
  prepared: KeptStatements,
  functions: QueryFunctions,
  /** Throws whatever prevents writing; called between two transactions. */
  assertWritable: () => void,
): SqliteWriter {
  const flush = createSharedFlush(database);
  const acquireWriteLock = createWriteLock();

  /** A writer that commits outside this queue flushes by itself. */
  async function enter(): Promise<() => void> {
    const leave = await acquireWriteLock();
    try {
      assertWritable();
      flush.tighten();
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Whether the last statement changed anything. */
  let hasChanged = false;

  function rowsOf(text: string, values: readonly unknown[]): readonly Row[] {
    functions.begin();
    const statement = prepared(text);
    if (statement.reader) {
      const rows = statement.all(values.map(bound)) as Row[];
      hasChanged = rows.length > 0;
      return rows;
    }
    hasChanged = statement.run(values.map(bound)).changes > 0;
    return [];
  }

  const run: Run = async ({ text, values }) => {
    try {
      return rowsOf(text, values);
    } catch (error) {
      throw asDatabaseError(error);
    }
  };

  function pausing(): Run {
    let since = performance.now();
    return async (statement) => {
      if (performance.now() - since > maxMsInARow) {
        await atNextRound();
        since = performance.now();
      }
      return run(statement);
    };
  }

  /** The next one starts when this is committed, and does not wait for the flush. */
  async function withWriteLock<T>(work: () => Promise<T>): Promise<T> {
    const leave = await acquireWriteLock();
    let result;
    let isChange;
    try {
      assertWritable();
      flush.loosen();
      result = await work();
      isChange = hasChanged;
    } catch (error) {
      throw asDatabaseError(error);
    } finally {
      leave();
    }
    if (isChange) await flush.flushed();
    return result;
  }

  return {
    enter,
    transaction: (work) =>
      withWriteLock(async () => {
        // A transaction that begins with a read cannot continue with a write once another process has written.
        await untilFree(() => run({ text: "BEGIN IMMEDIATE", values: [] }));
        try {
          const result = await work(pausing());
          rowsOf("COMMIT", []);
          hasChanged = true;
          return result;
        } catch (error) {
          if (database.inTransaction) rowsOf("ROLLBACK", []);
          throw error;
        }
      }),
    one: (statement) => withWriteLock(() => untilFree(() => run(statement))),
    stop: async () => {
      // Waits for a transaction that is under way.
      const leave = await acquireWriteLock();
      await flush.stop().finally(leave);
    },
  };
}

export function bound(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === undefined ? null : value;
}

/** One at a time, in the order of arrival. */
function createWriteLock(): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  };
  return async () => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    isTaken = true;
    return leave;
  };
}
