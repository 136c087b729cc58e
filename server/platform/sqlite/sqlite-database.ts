// SQLite as a database of the content service: one connection writes through Kysely, others read at the same time.

import { Kysely, SqliteDialect } from "kysely";
import {
  asDatabaseError,
  observed,
  observing,
  type Database,
  type ObserveStatement,
  type Row,
  type Run,
  type Statement,
} from "../database/database.ts";
import { withBusyRetry } from "./busy-retry.ts";
import { addQueryFunctions, type QueryFunctions } from "./sqlite-functions.ts";
import { createSqliteReaders } from "./sqlite-readers.ts";
import {
  createDamageWatch,
  type SqliteDamageWatch,
} from "./sqlite-damage-watch.ts";
import { watchPlace } from "./sqlite-file-watch.ts";
import { keepStatements } from "./sqlite-statements.ts";
import { bound, createSqliteWriter } from "./sqlite-writer.ts";
import { openSqlite, type Sqlite, type SqliteOptions } from "./sqlite.ts";

/** While it runs, nothing else is written or answered: a statement on this thread that takes longer is cancelled. */
const maxHereMs = 2_000;

export interface SqliteDatabaseOptions extends SqliteOptions {
  /** A slow read that takes longer is cancelled; the same limit as for a statement on PostgreSQL. */
  readonly statementMs?: number | undefined;
  readonly observe?: ObserveStatement | undefined;
}

export interface SqliteDatabase<Tables> extends Database<Tables> {
  /**
   * Writes a copy of one snapshot to this file, which is empty or does not exist; resolves with what is wrong with the copy, or
   * null. Blocks nothing meanwhile.
   */
  backUp(to: string): Promise<string | null>;
  /** Why nothing more is written until the database is opened again (V4-323, V4-331), as part of a sentence; null while it is. */
  whyReopen(): string | null;
}

export function openSqliteDatabase<Tables>(
  file: string,
  { binding, statementMs = 15_000, observe }: SqliteDatabaseOptions = {},
): SqliteDatabase<Tables> {
  const options = { binding };
  const writer = openSqlite(file, options);
  const functions = addQueryFunctions(writer, maxHereMs);
  const reader = openSqlite(file, options);
  reader.pragma("query_only = ON");
  const readerFunctions = addQueryFunctions(reader, maxHereMs);
  writer.pragma("busy_timeout = 0");
  const place = watchPlace(writer);
  const damage = createDamageWatch(
    file,
    () => place.isKept() && hasNoTables(file, options),
  );
  const writing = createSqliteWriter(
    writer,
    keepStatements(writer),
    functions,
    () => {
      place.assert();
      damage.assert();
    },
  );
  const kysely = new Kysely<Tables>({
    dialect: withBusyRetry(
      new SqliteDialect({
        database: asKyselyDatabase(writer, functions, damage, observe),
      }),
      writing.enter,
    ),
  });
  const prepared = keepStatements(reader);
  const readers = createSqliteReaders(
    { file, binding, statementMs },
    async () => {
      if (!place.isKept()) await place.whenRestored();
    },
  );

  const read: Run = ({ text, values }) =>
    damage.watch(async () => {
      readerFunctions.begin();
      return translating(() => prepared(text).all(values.map(bound)) as Row[]);
    });
  const readHeavy: Run = ({ text, values }) =>
    damage.watch(() => readers.all({ text, values: values.map(bound) }));
  const readTogether = (statements: readonly Statement[]) =>
    damage.watch(() =>
      readers.together(
        statements.map(({ text, values }) => ({
          ...{ text, values: values.map(bound) },
        })),
      ),
    );

  return {
    kind: "sqlite",
    kysely,
    read: observed(read, observe),
    readHeavy: observed(readHeavy, observe),
    readTogether: observe
      ? (statements) =>
          observing(observe, statements, () => readTogether(statements))
      : readTogether,
    readInPieces: async function* (statements, rowsAtOnce) {
      const ends = statements.map(({ text }) => observe?.(text));
      try {
        yield* readers.pieces(
          statements.map(({ text, values }) => ({
            ...{ text, values: values.map(bound) },
          })),
          rowsAtOnce,
        );
      } catch (error) {
        damage.note(error);
        throw error;
      } finally {
        for (const end of ends) end?.();
      }
    },
    write: (work) =>
      damage.watch(() =>
        writing.transaction((run) => work(observed(run, observe))),
      ),
    transaction: (work) => kysely.transaction().execute(work),
    writeOne: observed(
      (statement) => damage.watch(() => writing.one(statement)),
      observe,
    ),
    listen: null,
    backUp: readers.backUp,
    whyReopen: () => {
      if (!place.isKept()) return "was removed";
      return damage.isFound() ? "is damaged" : null;
    },
    close: async () => {
      const putJournalBack = damage.keepJournal();
      await readers.close();
      await writing.stop();
      place.isKept();
      await place.whenRestored();
      reader.close();
      await kysely.destroy();
      if (writer.open) writer.close();
      putJournalBack();
    },
  };
}

/** To a new connection: the open ones may still have the tables in their cache. */
function hasNoTables(file: string, options: SqliteOptions): boolean {
  let database: Sqlite | null = null;
  try {
    database = openSqlite(file, { ...options, mustExist: true });
    const some = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1");
    return some.get() === undefined;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}

/** The connection in the form that Kysely expects; several statements in one text are a script. */
function asKyselyDatabase(
  database: Sqlite,
  functions: QueryFunctions,
  damage: SqliteDamageWatch,
  observe: ObserveStatement | undefined,
) {
  const noting = <T>(work: () => T, text?: string): T => {
    const end = text === undefined ? undefined : observe?.(text);
    try {
      const result = translating(work);
      end?.();
      return result;
    } catch (error) {
      end?.(error);
      damage.note(error);
      throw error;
    }
  };
  return {
    close: () => database.close(),
    prepare: (text: string) => {
      functions.begin();
      const statement = noting(() => prepareOrScript(database, text));
      return {
        reader: statement.reader,
        all: (values: readonly unknown[]) =>
          noting(() => statement.all(values.map(bound)), text),
        run: (values: readonly unknown[]) =>
          noting(() => statement.run(values.map(bound)), text),
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
  // A transaction that begins with a read cannot continue with a write once another process has written.
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
