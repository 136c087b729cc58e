// A database as the content service sees it, be it SQLite or PostgreSQL: statements, transactions, long reads.

import type { Kysely } from "kysely";
import { setTimeout as pause } from "node:timers/promises";

export type DatabaseKind = "sqlite" | "postgres";

/** Text with placeholders of its own database (`?`, `$1`) and what stands for them. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Row = Readonly<Record<string, unknown>>;

export type Run = (statement: Statement) => Promise<readonly Row[]>;

export interface Database<Tables> {
  readonly kind: DatabaseKind;
  /** For writes, migrations and whatever is not a client's query. */
  readonly kysely: Kysely<Tables>;
  /** A single reading statement; it sees what is committed. */
  readonly read: Run;
  /** The same for what may take long: so many at once, and nothing else waits for them. */
  readonly readHeavy: Run;
  /** Several heavy reads of one moment: the rows of each. */
  readTogether(
    statements: readonly Statement[],
  ): Promise<readonly (readonly Row[])[]>;
  /** The rows of `ahead`, then those of the statement piece by piece, all of one moment; nothing else waits. */
  readInPieces(
    ahead: Statement,
    statement: Statement,
    rowsAtOnce: number,
  ): AsyncGenerator<readonly Row[]>;
  /** All of it or nothing; tried again where others wrote the same rows at once, so that it may run more than once. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same through Kysely. */
  transaction<T>(work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** A single writing statement, which is all or nothing by itself. */
  readonly writeOne: Run;
  close(): Promise<void>;
}

/** What a database refused, with the SQLSTATE that PostgreSQL has for it. */
export class DatabaseError extends Error {
  readonly sqlState: string;

  constructor(sqlState: string, message: string, cause: unknown) {
    super(message, { cause });
    this.name = "DatabaseError";
    this.sqlState = sqlState;
  }
}

/** A deadlock, or a row that was changed at once: PostgreSQL undoes one of them, which is to come again. */
const undoneStates = new Set(["40P01", "40001"]);
const maxTries = 6;
const pauseMs = 10;

/** Tries again, after growing pauses and with nothing held, what a database undid for the sake of another. */
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

/** Of these there are many, each with an end of its own. */
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

/** The tables are there from the start: where one is gone, it is the list of them that cannot be read as it was. */
function isGoneFromSqlite(error: Error, code: string): boolean {
  return code === "SQLITE_ERROR" && /^no such table\b/.test(error.message);
}

/** What this error of a driver is in one language; what it is not, it gives back as it came. For a driver's errors alone. */
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

/** It ends the connection, or gives none: a password that changed, a database that is gone, too many clients. */
function isRefusedConnection(error: Error, code: string): boolean {
  const isFatal =
    "severity" in error && /^(FATAL|PANIC)$/.test(String(error.severity));
  // Those say themselves that it is away or busy, or that its disk or itself is at fault.
  return isFatal && !/^(08|57|58|53100|XX)/.test(code);
}

/** It gives each a severity; the code alone may be that of a system error (`EPERM`, `EROFS`). */
function isOfPostgres(error: Error): boolean {
  return "severity" in error && "code" in error;
}

/** What PostgreSQL's driver says of a connection that is not to be had, or no longer, has a sentence and no code. */
const lostConnection =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated\b.*|Client .* is not queryable)$/;

/** A file that is not there has the code of a socket that is not there; only the socket is connected to. */
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
