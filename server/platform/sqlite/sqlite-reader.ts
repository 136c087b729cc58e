// Worker thread that reads SQLite: slow queries there block nothing here.

import Database from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";
import {
  asDatabaseError,
  DatabaseError,
  type Row,
  type Statement,
} from "../database/database.ts";
import { addQueryFunctions } from "./sqlite-functions.ts";
import { openSqlite } from "./sqlite.ts";

export interface ReaderOptions {
  readonly file: string;
  readonly binding: string | undefined;
  /** A statement that takes longer is cancelled. */
  readonly statementMs: number;
}

export type ReaderQuestion =
  | ({ readonly kind: "all" | "open" } & Statement)
  | { readonly kind: "next"; readonly count: number }
  | { readonly kind: "begin" | "end" }
  | { readonly kind: "backup"; readonly to: string };

export type ReaderAnswer =
  | { readonly rows: readonly Row[] }
  | { readonly sqlState: string | null; readonly message: string };

const port = parentPort;
if (!port) throw new Error("This file must run in a worker thread.");

const { file, binding, statementMs } = workerData as ReaderOptions;
const database = openSqlite(file, { binding, mustExist: true });
database.pragma("query_only = ON");
const functions = addQueryFunctions(database, statementMs);
let rows: IterableIterator<unknown> | null = null;

port.on("message", (question: ReaderQuestion) => {
  answerTo(question)
    .then((answer) => port.postMessage(answer))
    // The caller receives an error when the thread ends.
    .catch(() => process.exit(1));
});

/** Sent without a question: the database is open. */
const opened: ReaderAnswer = { rows: [] };
port.postMessage(opened);

/** Never rejects. */
async function answerTo(question: ReaderQuestion): Promise<ReaderAnswer> {
  functions.begin();
  try {
    if (question.kind === "backup") {
      const damage = await backUp(question.to);
      return { rows: damage === null ? [] : [{ damage }] };
    }
    return { rows: rowsFor(question) };
  } catch (error) {
    const translated = asDatabaseError(error);
    end();
    if (translated instanceof DatabaseError)
      return { sqlState: translated.sqlState, message: translated.message };
    return {
      sqlState: null,
      message: error instanceof Error ? (error.stack ?? error.message) : "",
    };
  }
}

const allPages = 2 ** 31 - 1;

/**
 * SQLite's online backup, in one step: this thread's snapshot lasts until everything is copied, writers continue meanwhile, and
 * none of their writes makes it start again. Resolves with what is wrong with the copy; null when nothing is.
 */
async function backUp(to: string): Promise<string | null> {
  await database.backup(to, { progress: () => allPages });
  const copy = new Database(to, binding ? { nativeBinding: binding } : {});
  try {
    // A single file, without a journal.
    copy.pragma("journal_mode = DELETE");
    const report = String(copy.pragma("integrity_check(1)", { simple: true }));
    if (report !== "ok") return report.replace(/\s+/g, " ").slice(0, 200);
    const dangling = copy.pragma("foreign_key_check") as readonly unknown[];
    return dangling.length === 0 ? null : "rows refer to missing rows";
  } finally {
    copy.close();
  }
}

function rowsFor(
  question: Exclude<ReaderQuestion, { kind: "backup" }>,
): readonly Row[] {
  switch (question.kind) {
    case "all":
      return database
        .prepare(question.text)
        .all(...boundAgain(question.values)) as Row[];
    case "begin":
      database.exec("BEGIN");
      return [];
    case "open":
      rows = database
        .prepare(question.text)
        .iterate(...boundAgain(question.values));
      return [];
    case "next":
      return nextRows(question.count);
    case "end":
      end();
      return [];
  }
}

/** Bytes arrive as plain Uint8Arrays. */
function boundAgain(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value) : value,
  );
}

function nextRows(count: number): readonly Row[] {
  const piece: Row[] = [];
  while (piece.length < count) {
    const next = rows?.next();
    if (!next || next.done) break;
    piece.push(next.value as Row);
  }
  return piece;
}

/** Ends the snapshot; the next query sees what was written meanwhile. */
function end(): void {
  rows?.return?.();
  rows = null;
  if (database.inTransaction) database.exec("COMMIT");
}
