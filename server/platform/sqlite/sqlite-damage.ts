// Detects a damaged database without changing a byte of it, and reads what is still readable.

import { openSync, readSync, closeSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { hasTablesOf, quoted, versionOf } from "./sqlite-copy.ts";
import type { Sqlite, SqliteMigration, SqliteOptions } from "./sqlite.ts";

/** The database itself is at fault, not its user, nor a disk that is full, read-only or failing. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (/^SQLITE_IOERR_(?:READ|SHORT_READ|CORRUPTFS)/.test(error.code) ||
      !/^SQLITE_(?:IOERR|BUSY|LOCKED|FULL|READONLY|CANTOPEN|PERM|NOMEM|INTERRUPT|CONSTRAINT)/.test(
        error.code,
      ))
  );
}

/** Larger ones are checked table by table: the first image must not be delayed by seconds. */
const maxFullCheckBytes = 16 * 1024 * 1024;

export interface Expected {
  /** Tables of a large file that are checked, and that must exist; in a small file every page is checked anyway. */
  readonly tables:
    | readonly string[]
    | ((database: Sqlite) => readonly string[]);
  /** Its migrations: the exact schema of each version is known. Without them, the schema is not checked. */
  readonly migrations?: readonly SqliteMigration[];
  /** Throws when rows are invalid for the program that uses them; those of an older version are first migrated. */
  readonly read?: (database: Sqlite) => void;
  /** A large file is checked table by table until this much time has passed, the rest not at all. */
  readonly timeoutMs?: number;
}

/** What is wrong with it, as a sentence; null when nothing is. */
export function damageOf(
  file: string,
  expected: Expected,
  options: SqliteOptions,
): string | null {
  if (hasStrangeJournal(file))
    return "The database's journal file is not a journal.";
  if (hasStrangeHead(file))
    return "The database file does not start like a SQLite database.";
  return withReadOnly(file, options, (database) =>
    damageIn(database, file, expected, options),
  );
}

/** The same of an open one. */
export function damageIn(
  database: Sqlite,
  file: string,
  { tables: expectedTables, migrations, read, timeoutMs = Infinity }: Expected,
  options: SqliteOptions,
): string | null {
  const endsAt = performance.now() + timeoutMs;
  const { size } = statSync(file);
  const tables =
    typeof expectedTables === "function"
      ? expectedTables(database)
      : expectedTables;
  const isSmall = size <= maxFullCheckBytes;
  const checks = isSmall
    ? ["integrity_check(1)"]
    : tables.map((table) => `integrity_check(${quoted(table)})`);
  for (const check of checks) {
    if (performance.now() > endsAt) break;
    const result = String(database.pragma(check, { simple: true }));
    if (result !== "ok") return result.replace(/\s+/g, " ").slice(0, 200);
  }
  const lacking = tables.find((table) => !hasTable(database, table));
  if (lacking !== undefined) return `The table ${lacking} is missing.`;
  const strange = migrations && strangeSchema(database, migrations, options);
  if (strange) return strange;
  const dangling = (
    isSmall ? [""] : tables.map((table) => `(${quoted(table)})`)
  ).some(
    (of) =>
      performance.now() <= endsAt &&
      (database.pragma(`foreign_key_check${of}`) as unknown[]).length > 0,
  );
  if (dangling) return "Rows refer to missing rows.";
  const isOlder = versionOf(database) < (migrations?.at(-1)?.id ?? 0);
  return read && !isOlder ? unreadable(database, read) : null;
}

/** Whether it is a database that was created, but has no tables yet. */
export function hasNoTables(file: string, options: SqliteOptions): boolean {
  return (
    withReadOnly(file, options, (database) => {
      const pages = Number(database.pragma("page_count", { simple: true }));
      const parts = database
        .prepare<[], number>("SELECT count(*) FROM sqlite_schema")
        .pluck()
        .get();
      return pages <= 1 && parts === 0 ? null : "It already has tables.";
    }) === null
  );
}

/** A changed character in the schema changes the meaning of every statement, or makes statements fail. */
function strangeSchema(
  database: Sqlite,
  migrations: readonly SqliteMigration[],
  options: SqliteOptions,
): string | null {
  const version = versionOf(database);
  const newest = migrations.at(-1)?.id ?? 0;
  const isNewer = version > newest;
  const isKnown = hasTablesOf(
    database,
    migrations,
    isNewer ? newest : version,
    options,
  );
  // The schema of a newer version is unknown, and reported by the code that opens it.
  if (isNewer) return isKnown ? "Its version does not match its tables." : null;
  return isKnown ? null : "Its tables do not match this player's.";
}

function unreadable(
  database: Sqlite,
  read: (database: Sqlite) => void,
): string | null {
  try {
    read(database);
    return null;
  } catch (error) {
    return (error as Error).message.slice(0, 200);
  }
}

/** The header: file type, page size, and format versions for reading and writing; SQLite opens no database with other values. */
function hasStrangeHead(file: string): boolean {
  const head = Buffer.alloc(20);
  const database = openSync(file, "r");
  try {
    if (readSync(database, head, 0, head.length, 0) < head.length) return true;
  } finally {
    closeSync(database);
  }
  const pageBytes = head.readUInt16BE(16);
  const isPageSize =
    pageBytes === 1 ||
    (pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0);
  const isVersion = (at: number): boolean => [1, 2].includes(head[at] ?? 0);
  return (
    head.toString("latin1", 0, 16) !== "SQLite format 3\0" ||
    !isPageSize ||
    !isVersion(18) ||
    !isVersion(19)
  );
}

/** Every row of these tables can be read, and every column has the declared type. */
export function areValid(
  file: string,
  tables: readonly string[],
  migrations: readonly SqliteMigration[],
  options: SqliteOptions,
): boolean {
  return (
    withReadOnly(file, options, (database) => {
      const strange = strangeSchema(database, migrations, options);
      if (strange !== null) return strange;
      for (const table of tables)
        if (
          hasTable(database, table) &&
          database.pragma(`integrity_check(${quoted(table)})`, {
            simple: true,
          }) !== "ok"
        )
          return table;
      return null;
    }) === null
  );
}

/** Read only: closing it never writes a journal into the file. */
function withReadOnly(
  file: string,
  { binding }: SqliteOptions,
  inspect: (database: Sqlite) => string | null,
): string | null {
  let database: Sqlite | undefined;
  try {
    database = new Database(file, {
      ...{ readonly: true, fileMustExist: true },
      ...(binding && { nativeBinding: binding }),
    });
    return inspect(database);
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  } finally {
    database?.close();
  }
}

function hasTable(database: Sqlite, table: string): boolean {
  return (
    database
      .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(table) !== undefined
  );
}

/** SQLite silently ignores a damaged journal, and with it everything that was confirmed since the last checkpoint. */
function hasStrangeJournal(file: string): boolean {
  const start = Buffer.alloc(4);
  let journal: number;
  try {
    journal = openSync(`${file}-wal`, "r");
  } catch {
    return false;
  }
  try {
    return (
      readSync(journal, start, 0, 4, 0) > 0 &&
      ![0x377f0682, 0x377f0683].includes(start.readUInt32BE())
    );
  } finally {
    closeSync(journal);
  }
}

/**
 * Copies the readable rows of these tables: from the front until a page cannot be read, and then from the back. An existing row
 * stays. Returns the number of rows; constraints are left to the caller.
 */
export function readOut(
  file: string,
  into: Sqlite,
  tables: readonly string[],
  { binding }: SqliteOptions,
): number {
  let source: Sqlite;
  try {
    source = new Database(file, {
      ...{ readonly: true, fileMustExist: true },
      ...(binding && { nativeBinding: binding }),
    });
  } catch {
    return 0;
  }
  try {
    return into.transaction(() =>
      tables.reduce((sum, table) => sum + readOutTable(source, into, table), 0),
    )();
  } finally {
    source.close();
  }
}

function readOutTable(source: Sqlite, into: Sqlite, table: string): number {
  const name = quoted(table);
  const expectedTables = columnsOf(into, table);
  const had = columnsOf(source, table);
  // If the number of columns is the expected one, they are the same columns, even if a name is damaged.
  const isSameTable = had.length === expectedTables.length;
  const columns = isSameTable
    ? expectedTables
    : expectedTables.filter((column) => had.includes(column));
  if (columns.length === 0) return 0;
  const readColumns = isSameTable ? had : columns;
  const insert = into.prepare(
    `INSERT OR IGNORE INTO ${name} (${columns.map(quoted).join()}) VALUES (${columns.map(() => "?").join()})`,
  );
  let count = 0;
  const copy = (order: string): boolean => {
    try {
      const rows = source
        .prepare<[], unknown[]>(
          `SELECT ${readColumns.map(quoted).join()} FROM ${name} NOT INDEXED ${order}`,
        )
        .raw()
        .safeIntegers();
      for (const row of rows.iterate()) count += insertRow(insert, row);
      return true;
    } catch (error) {
      if (error instanceof Database.SqliteError) return false;
      throw error;
    }
  };
  if (!copy("")) copy("ORDER BY rowid DESC");
  return count;
}

/** A row that this table rejects was damaged. */
function insertRow(
  insert: Database.Statement<unknown[]>,
  row: unknown[],
): number {
  try {
    return insert.run(row).changes;
  } catch (error) {
    if (
      error instanceof Database.SqliteError &&
      error.code.startsWith("SQLITE_CONSTRAINT")
    )
      return 0;
    throw error;
  }
}

function columnsOf(database: Sqlite, table: string): readonly string[] {
  try {
    return (
      database.pragma(`table_info(${quoted(table)})`) as { name: string }[]
    ).map(({ name }) => name);
  } catch {
    return [];
  }
}
