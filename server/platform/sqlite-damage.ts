// Whether a database is damaged, told without changing a byte of it; and what can still be read out of a damaged one.

import { openSync, readSync, closeSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { quoted } from "./sqlite-copy.ts";
import type { Sqlite, SqliteOptions } from "./sqlite.ts";

/** The database itself is at fault, not who uses it, nor a disk that is full. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:READ|SHORT_READ|CORRUPTFS))/.test(
      error.code,
    )
  );
}

/** Larger ones are looked at table by table: nobody waits seconds for the first picture. */
const mostWholeBytes = 16 * 1024 * 1024;

/** What is wrong with it, in a sentence; null when nothing is. Without `tables`, every page is looked at. */
export function damageOf(
  file: string,
  tables: readonly string[],
  options: SqliteOptions,
): string | null {
  if (hasStrangeJournal(file))
    return "The journal beside the database is not one.";
  return asking(file, options, (database) => {
    const { size } = statSync(file);
    const looks =
      size <= mostWholeBytes
        ? ["quick_check(1)"]
        : tables.map((table) => `quick_check(${quoted(table)})`);
    const said = looks
      .map((look) => String(database.pragma(look, { simple: true })))
      .find((word) => word !== "ok");
    if (said !== undefined) return said.replace(/\s+/g, " ").slice(0, 200);
    const lacking = tables.find((table) => !hasTable(database, table));
    return lacking === undefined ? null : `It has no table ${lacking}.`;
  });
}

/** Every row of these tables can be read. */
export function areSound(
  file: string,
  tables: readonly string[],
  options: SqliteOptions,
): boolean {
  return (
    asking(file, options, (database) => {
      for (const table of tables)
        if (
          hasTable(database, table) &&
          database.pragma(`quick_check(${quoted(table)})`, { simple: true }) !==
            "ok"
        )
          return table;
      return null;
    }) === null
  );
}

/** Read only: an end of reading never writes a journal into the file. */
function asking(
  file: string,
  { binding }: SqliteOptions,
  ask: (database: Sqlite) => string | null,
): string | null {
  let database: Sqlite | undefined;
  try {
    database = new Database(file, {
      ...{ readonly: true, fileMustExist: true },
      ...(binding && { nativeBinding: binding }),
    });
    return ask(database);
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
  const wanted = columnsOf(into, table);
  const had = columnsOf(source, table);
  const columns = wanted.filter((column) => had.includes(column)).map(quoted);
  if (columns.length === 0) return 0;
  const insert = into.prepare(
    `INSERT OR IGNORE INTO ${name} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
  );
  let count = 0;
  const copy = (order: string): boolean => {
    try {
      const rows = source
        .prepare<[], unknown[]>(
          `SELECT ${columns.join()} FROM ${name} NOT INDEXED ${order}`,
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
