// Whether a database is damaged, told without changing a byte of it; and what can still be read out of a damaged one.

import { openSync, readSync, closeSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { hasTablesOf, quoted, versionOf } from "./sqlite-copy.ts";
import type { Sqlite, SqliteMigration, SqliteOptions } from "./sqlite.ts";

/** The database itself is at fault, not who uses it, nor a disk that is full, may not be written or fails. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (/^SQLITE_IOERR_(?:READ|SHORT_READ|CORRUPTFS)/.test(error.code) ||
      !/^SQLITE_(?:IOERR|BUSY|LOCKED|FULL|READONLY|CANTOPEN|PERM|NOMEM|INTERRUPT|CONSTRAINT)/.test(
        error.code,
      ))
  );
}

/** Larger ones are looked at table by table: nobody waits seconds for the first picture. */
const maxFullCheckBytes = 16 * 1024 * 1024;

export interface Expected {
  /** Those of a large file that are checked, and that must be there; each page of a small one is checked anyhow. */
  readonly tables:
    readonly string[] | ((database: Sqlite) => readonly string[]);
  /** Its history: at each version the schema is known to the letter. Without it, the schema is not looked at. */
  readonly migrations?: readonly SqliteMigration[];
  /** Throws where rows cannot be read by whoever is to live with them. */
  readonly read?: (database: Sqlite) => void;
  /** A large file is checked table by table until this much time is spent, the rest not at all. */
  readonly timeoutMs?: number;
}

/** What is wrong with it, in a sentence; null when nothing is. */
export function damageOf(
  file: string,
  { tables: expectedTables, migrations, read, timeoutMs = Infinity }: Expected,
  options: SqliteOptions,
): string | null {
  if (hasStrangeJournal(file))
    return "The journal beside the database is not one.";
  if (hasStrangeHead(file))
    return "The first bytes of the database are not those of one.";
  const endsAt = performance.now() + timeoutMs;
  return withReadOnly(file, options, (database) => {
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
    if (lacking !== undefined) return `It has no table ${lacking}.`;
    const strange = migrations && strangeSchema(database, migrations, options);
    if (strange) return strange;
    const dangling = (
      isSmall ? [""] : tables.map((table) => `(${quoted(table)})`)
    ).some(
      (of) =>
        performance.now() <= endsAt &&
        (database.pragma(`foreign_key_check${of}`) as unknown[]).length > 0,
    );
    if (dangling) return "Rows point at rows that are not there.";
    return read ? unreadable(database, read) : null;
  });
}

/** A letter that changes there changes what every statement means, or makes it one that cannot be prepared. */
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
  // A newer version's own schema is its business, and said by whoever opens it.
  if (isNewer) return isKnown ? "Its version is not that of its tables." : null;
  return isKnown ? null : "Its tables are not those of this player.";
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

/** Its name, the size of its pages, and how it may be read and written: with another number there, nobody may. */
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

/** Every row of these tables can be read, and every column of them is what its name says. */
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

/** Read only: an end of reading never writes a journal into the file. */
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

/** SQLite passes over one without a word, and with it over everything that was answered since the last checkpoint. */
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
 * Copies what can be read of these tables: from the front until a page cannot be read, and then from
 * the back. A row that is there already stays. Answers how many came; constraints are the caller's.
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
  // As many as there are to be: they are those, be one of their names damaged.
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

/** A row that this table does not take was none any more. */
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
