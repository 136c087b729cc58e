// Waits for the write lock while another program writes to the database, without blocking the thread.

import Database from "better-sqlite3";
import { setTimeout as pause } from "node:timers/promises";
import type { Sqlite } from "./sqlite.ts";

/** The thread that shows content blocks for at most this long, in the middle of whatever it does. */
const maxHeldMs = 5;
/** A transaction of the command line, or of a tool that opens the file, has ended by then. */
const maxWaitMs = 2000;
const pauseMs = 20;

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(?:BUSY|LOCKED)/.test(error.code)
  );
}

/** From now on a lock of another process causes an error almost immediately. */
export function holdUpNobody(database: Sqlite): void {
  database.pragma(`busy_timeout = ${maxHeldMs}`);
}

/** Whether no other process holds the write lock, possibly after a wait; any other obstacle is reported to the writer. */
export async function untilUnlocked(database: Sqlite): Promise<boolean> {
  for (const startedAt = performance.now(); ; await pause(pauseMs)) {
    if (!isLocked(database)) return true;
    if (performance.now() - startedAt > maxWaitMs) return false;
  }
}

/**
 * Runs a transaction that takes the lock before anything else, again while another process holds it. A caller that writes in one
 * such transaction need not test the lock beforehand: where it is free, as nearly always, that costs a second round of locking.
 */
export async function retryWhileLocked<T>(
  transaction: () => Promise<T>,
): Promise<T> {
  for (const startedAt = performance.now(); ; await pause(pauseMs))
    try {
      return await transaction();
    } catch (error) {
      const isOver = performance.now() - startedAt > maxWaitMs;
      if (!isBusy(error) || isOver) throw error;
    }
}

type Step = ReturnType<typeof prepareStep>;

interface LockStatements {
  readonly begin: Step;
  readonly end: Step;
}

function prepareStep(database: Sqlite, text: string) {
  return database.prepare<[]>(text);
}

/** Needed for every change, so it is read once for each database. */
const statements = new WeakMap<Sqlite, LockStatements>();

function statementsOf(database: Sqlite): LockStatements {
  const known = statements.get(database);
  if (known) return known;
  const prepared = {
    begin: prepareStep(database, "BEGIN IMMEDIATE"),
    end: prepareStep(database, "ROLLBACK"),
  };
  statements.set(database, prepared);
  return prepared;
}

function isLocked(database: Sqlite): boolean {
  // The lock is held by this connection.
  if (database.inTransaction) return false;
  try {
    const { begin, end } = statementsOf(database);
    begin.run();
    end.run();
    return false;
  } catch (error) {
    return isBusy(error);
  }
}
