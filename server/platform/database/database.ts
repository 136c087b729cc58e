// Database of the content service, SQLite or PostgreSQL: statements, transactions, long reads.

import type { Kysely } from "kysely";
import { setTimeout as pause } from "node:timers/promises";

export type DatabaseKind = "sqlite" | "postgres";

/** SQL text with the placeholders of its database (`?`, `$1`) and their values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Row = Readonly<Record<string, unknown>>;

/** Some rows of one of several statements; never none. */
export interface Piece {
  /** Index of the statement. */
  readonly statement: number;
  readonly rows: readonly Row[];
}

export type Run = (statement: Statement) => Promise<readonly Row[]>;

/** Called with the text of a statement that begins; what it returns is called when the statement has ended. */
export type ObserveStatement = (text: string) => (error?: unknown) => void;

export interface Database<Tables> {
  readonly kind: DatabaseKind;
  /** For writes, migrations and everything that is not a client's query. */
  readonly kysely: Kysely<Tables>;
  /** A single reading statement; it sees what is committed. */
  readonly read: Run;
  /** The same for slow queries: a limited number runs at a time, and nothing else waits for them. */
  readonly readHeavy: Run;
  /** Several slow reads of one snapshot: the rows of each. */
  readTogether(
    statements: readonly Statement[],
  ): Promise<readonly (readonly Row[])[]>;
  /** The rows of each statement in turn, in batches, all from one snapshot; nothing else waits. */
  readInPieces(
    statements: readonly Statement[],
    rowsAtOnce: number,
  ): AsyncGenerator<Piece>;
  /** All or nothing; retried when others wrote the same rows concurrently, so the work may run more than once. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same through Kysely. */
  transaction<T>(work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** A single writing statement, which is atomic by itself. */
  readonly writeOne: Run;
  /** Null where the database has no notifications between its clients. */
  readonly listen: ((options: ListenOptions) => Listening) | null;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Lower-case letters, digits and underscores. */
  readonly channel: string;
  onNotified(payload: string): void;
  /** Notifications arrive from now on; those that were sent before may have been missed. */
  onReceiving(): void;
  /** They don't arrive any more; called once until they do again. */
  onInterrupted(error: unknown): void;
  readonly timing?: ListenTiming | undefined;
}

export interface ListenTiming {
  /** How often a notification of its own is sent, which has to arrive. */
  readonly probeEveryMs: number;
  readonly probeDeadlineMs: number;
  /** Before the next attempt at listening, growing from one to the other. */
  readonly pausesMs: { readonly first: number; readonly longest: number };
}

export interface Listening {
  stop(): Promise<void>;
}

/** Without an observer it is the same function. */
export function observed(run: Run, observe: ObserveStatement | undefined): Run {
  return observe
    ? (statement) => observing(observe, [statement], () => run(statement))
    : run;
}

/** For statements that are sent together. */
export async function observing<T>(
  observe: ObserveStatement,
  statements: readonly Statement[],
  act: () => Promise<T>,
): Promise<T> {
  const ends = statements.map(({ text }) => observe(text));
  try {
    const result = await act();
    for (const end of ends) end();
    return result;
  } catch (error) {
    for (const end of ends) end(error);
    throw error;
  }
}

/** An error of the database, with the SQLSTATE that PostgreSQL has for it. */
export class DatabaseError extends Error {
  readonly sqlState: string;

  constructor(sqlState: string, message: string, cause: unknown) {
    super(message, { cause });
    this.name = "DatabaseError";
    this.sqlState = sqlState;
  }
}

/** A deadlock, or a row changed concurrently: PostgreSQL rolls one transaction back, which has to be retried. */
const undoneStates = new Set(["40P01", "40001"]);
const maxTries = 6;
const pauseMs = 10;

/** Retries, with growing pauses and without holding anything, a transaction that the database rolled back in favour of another. */
export async function retryUndone<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await act();
    } catch (error) {
      const isUndone =
        error instanceof DatabaseError && undoneStates.has(error.sqlState);
      if (!isUndone || tries === maxTries) throw error;
      await pause(pauseMs * tries);
    }
}

const stateOfSqlite: Readonly<Record<string, string>> = {
  SQLITE_CONSTRAINT_UNIQUE: "23505",
  SQLITE_CONSTRAINT_PRIMARYKEY: "23505",
  SQLITE_CONSTRAINT_FOREIGNKEY: "23503",
  SQLITE_CONSTRAINT_NOTNULL: "23502",
  SQLITE_CONSTRAINT_CHECK: "23514",
  SQLITE_CONSTRAINT_DATATYPE: "22P02",
  SQLITE_TOOBIG: "54000",
  SQLITE_BUSY: "55P03",
  SQLITE_LOCKED: "55P03",
  SQLITE_FULL: "53100",
};

/** These have many extended codes. */
const kindsOfSqlite: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|CORRUPTFS))/, "XX001"],
  [/^SQLITE_(IOERR|READONLY|CANTOPEN|PERM|NOMEM)/, "58030"],
];

function stateOfSqliteCode(code: string): string | undefined {
  return (
    stateOfSqlite[code.replace(/^(SQLITE_(BUSY|LOCKED))_.*/, "$1")] ??
    kindsOfSqlite.find(([kind]) => kind.test(code))?.[1]
  );
}

/** The tables exist from the start: if one is missing, the schema of the database can no longer be read correctly. */
function isGoneFromSqlite(error: Error, code: string): boolean {
  return code === "SQLITE_ERROR" && /^no such table\b/.test(error.message);
}

/** Converts a driver's error to a DatabaseError; any other error is returned unchanged. Only for errors of a driver. */
export function asDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const code = "code" in error ? String(error.code) : "";
  const sqlState =
    stateOfSqliteCode(code) ??
    (isGoneFromSqlite(error, code) ? "XX001" : undefined) ??
    (isOfPostgres(error)
      ? isRefusedConnection(error, code)
        ? "08004"
        : code
      : stateOfConnection(code, error));
  return sqlState ? new DatabaseError(sqlState, error.message, error) : error;
}

/** The server closes or rejects the connection: a changed password, a missing database, too many clients. */
function isRefusedConnection(error: Error, code: string): boolean {
  const isFatal =
    "severity" in error && /^(FATAL|PANIC)$/.test(String(error.severity));
  // These codes state that the server is unavailable or busy, or that its disk or its data is at fault.
  return isFatal && !/^(08|57|58|53100|XX)/.test(code);
}

/** PostgreSQL gives each error a severity; the code alone may be that of a system error (`EPERM`, `EROFS`). */
function isOfPostgres(error: Error): boolean {
  return "severity" in error && "code" in error;
}

/** Errors of PostgreSQL's driver about a connection that cannot be opened, or was lost, have a message and no code. */
const lostConnection =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated\b.*|Client .* is not queryable)$/;

/** A missing file and a missing socket have the same code; only sockets are connected to. */
const callsOfSockets = new Set(["connect", "getaddrinfo", "read", "write"]);

function stateOfConnection(code: string, error: Error): string | undefined {
  const call = "syscall" in error ? String(error.syscall) : "";
  const isLost =
    (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES)$/.test(
      code,
    ) &&
      callsOfSockets.has(call) &&
      !("path" in error)) ||
    (code === "" && lostConnection.test(error.message));
  return isLost ? "08006" : undefined;
}
