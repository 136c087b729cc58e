// SQLite as a database of the content service: one connection writes through Kysely, others read beside it.

import { Kysely, SqliteDialect } from "kysely";
import { asDatabaseError, type Database, type Row } from "./database.ts";
import { patient } from "./patient-sqlite.ts";
import { addQueryFunctions, type QueryFunctions } from "./sqlite-functions.ts";
import { createSqliteReaders } from "./sqlite-readers.ts";
import { watchPlace } from "./sqlite-place.ts";
import { keepStatements } from "./sqlite-statements.ts";
import { bound, createSqliteWriter } from "./sqlite-writer.ts";
import { openSqlite, type Sqlite, type SqliteOptions } from "./sqlite.ts";

/** Nobody else writes meanwhile, or is answered: a statement of this thread that takes longer is given up. */
const mostHereMs = 2_000;

export interface SqliteDatabaseOptions extends SqliteOptions {
  /** A heavy read that takes longer is given up; as long as PostgreSQL has for a statement. */
  readonly statementMs?: number | undefined;
}

export interface SqliteDatabase<Tables> extends Database<Tables> {
  /** Writes a copy of one moment into this file, which is empty or not there; what is wrong with it, or null. Nobody waits meanwhile. */
  backUp(to: string): Promise<string | null>;
  /** Whether its file lies where the next start looks for it (V4-323). */
  isInPlace(): boolean;
}

export function openSqliteDatabase<Tables>(
  file: string,
  { binding, statementMs = 15_000 }: SqliteDatabaseOptions = {},
): SqliteDatabase<Tables> {
  const options = { binding };
  const writer = openSqlite(file, options);
  const functions = addQueryFunctions(writer, mostHereMs);
  const reader = openSqlite(file, options);
  reader.pragma("query_only = ON");
  const readerFunctions = addQueryFunctions(reader, mostHereMs);
  writer.pragma("busy_timeout = 0");
  const place = watchPlace(writer);
  const writing = createSqliteWriter(
    writer,
    keepStatements(writer),
    functions,
    place.assert,
  );
  const kysely = new Kysely<Tables>({
    dialect: patient(
      new SqliteDialect({ database: asKyselyWants(writer, functions) }),
      writing.enter,
    ),
  });
  const prepared = keepStatements(reader);
  const readers = createSqliteReaders({ file, binding, statementMs });

  return {
    kind: "sqlite",
    kysely,
    read: async ({ text, values }) => {
      readerFunctions.begin();
      return translating(() => prepared(text).all(values.map(bound)) as Row[]);
    },
    readHeavy: ({ text, values }) =>
      readers.all({ text, values: values.map(bound) }),
    readTogether: (statements) =>
      readers.together(
        statements.map(({ text, values }) => ({
          ...{ text, values: values.map(bound) },
        })),
      ),
    readInPieces: (ahead, { text, values }, rowsAtOnce) =>
      readers.pieces(
        { text: ahead.text, values: ahead.values.map(bound) },
        { text, values: values.map(bound) },
        rowsAtOnce,
      ),
    write: writing.transaction,
    transaction: (work) => kysely.transaction().execute(work),
    writeOne: writing.one,
    backUp: readers.backUp,
    isInPlace: place.isKept,
    close: async () => {
      await readers.close();
      await writing.stop();
      place.isKept();
      await place.settled();
      reader.close();
      await kysely.destroy();
      if (writer.open) writer.close();
    },
  };
}

/** The connection as Kysely asks for it; several statements in one text are a script. */
function asKyselyWants(database: Sqlite, functions: QueryFunctions) {
  return {
    close: () => database.close(),
    prepare: (text: string) => {
      functions.begin();
      const statement = prepareOrScript(database, text);
      return {
        reader: statement.reader,
        all: (values: readonly unknown[]) =>
          translating(() => statement.all(values.map(bound))),
        run: (values: readonly unknown[]) =>
          translating(() => statement.run(values.map(bound))),
        iterate: (values: readonly unknown[]) =>
          statement.iterate(values.map(bound)),
      };
    },
  };
}

type Prepared = Pick<
  ReturnType<Sqlite["prepare"]>,
  "reader" | "all" | "run" | "iterate"
>;

function prepareOrScript(database: Sqlite, text: string): Prepared {
  // A transaction that begins by reading could not go on to write once another process has written.
  if (text === "begin") return database.prepare("begin immediate");
  try {
    return translating(() => database.prepare(text));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return {
    reader: false,
    all: () => [],
    run: () => {
      database.exec(text);
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: () => [][Symbol.iterator](),
  };
}

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDatabaseError(error);
  }
}
