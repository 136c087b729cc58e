// Copies a store's tables as of one moment while it is written to, and examines a copy from elsewhere.

import Database from "better-sqlite3";
import { OutsideError } from "../outside-error.ts";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
  type SqliteMigration,
  type SqliteOptions,
} from "./sqlite.ts";

export interface CopyOptions extends SqliteOptions {
  /** Tables that are empty in the copy: their rows never reach it. */
  readonly emptyTables: ReadonlySet<string>;
}

/** About three milliseconds of work; then other tasks run. */
const rowsPerBatch = 500;

const ownSchema = `
  SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid`;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/**
 * A reader of its own keeps the snapshot, so that writers continue; the copy is written row by row, so that no freed page of the
 * store ends up in it.
 */
export async function copySqlite(
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const source = openToRead(from, options);
  try {
    const target = new Database(to, bindingOf(options));
    try {
      target.pragma("journal_mode = OFF");
      target.pragma("foreign_keys = OFF");
      source.exec("BEGIN");
      target.exec("BEGIN");
      const schema = source.prepare<[], SchemaRow>(ownSchema).all();
      const tables = schema.filter(({ type }) => type === "table");
      for (const { sql } of tables) target.exec(sql);
      for (const { name } of tables)
        if (!options.emptyTables.has(name))
          await copyRows(source, target, name);
      for (const { type, sql } of schema)
        if (type !== "table") target.exec(sql);
      target.exec("COMMIT");
      target.pragma(`user_version = ${versionOf(source)}`);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

async function copyRows(
  source: Sqlite,
  target: Sqlite,
  table: string,
): Promise<void> {
  const select = source
    .prepare<[], unknown[]>(`SELECT * FROM ${quoted(table)}`)
    .raw()
    .safeIntegers();
  const places = select.columns().map(() => "?");
  const insert = target.prepare(
    `INSERT INTO ${quoted(table)} VALUES (${places.join()})`,
  );
  let copied = 0;
  for (const row of select.iterate()) {
    insert.run(row);
    copied += 1;
    if (copied % rowsPerBatch === 0) await new Promise(setImmediate);
  }
}

/**
 * Throws `corrupt` unless the file is an intact store of this migration history with exactly its tables, regardless of its origin;
 * then migrates it to the current version.
 */
export function adoptSqlite(
  file: string,
  migrations: readonly SqliteMigration[],
  options: SqliteOptions = {},
): void {
  const newest = migrations.at(-1)?.id ?? 0;
  examine(file, options, (database) => {
    const version = versionOf(database);
    if (version > newest)
      throw new OutsideError(
        "corrupt",
        `Its database was written by a newer version (step ${version}, known are ${newest}).`,
      );
    // The tables first: a trigger, a view or a check from elsewhere is never run.
    const isUtf8 = database.pragma("encoding", { simple: true }) === "UTF-8";
    if (
      version < 1 ||
      !isUtf8 ||
      !hasTablesOf(database, migrations, version, options)
    )
      throw new OutsideError(
        "corrupt",
        "Its database does not have this player's tables.",
      );
    if (database.pragma("integrity_check", { simple: true }) !== "ok")
      throw new OutsideError("corrupt", "Its database is damaged.");
    if ((database.pragma("foreign_key_check") as unknown[]).length > 0)
      throw new OutsideError(
        "corrupt",
        "Its database has rows that refer to missing rows.",
      );
  });
  const database = openSqlite(file, options);
  try {
    migrateSqlite(database, migrations);
    // A single file, as the code that takes over its rows expects.
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/** Reads a database of unknown origin; any error of SQLite about it becomes `corrupt`. */
export function examine<T>(
  file: string,
  options: SqliteOptions,
  read: (database: Sqlite) => T,
): T {
  let database: Sqlite | undefined;
  try {
    // Writable: changes that its last writer left in a journal are applied first.
    database = new Database(file, {
      fileMustExist: true,
      ...bindingOf(options),
    });
    database.pragma("trusted_schema = OFF");
    database.pragma("cell_size_check = ON");
    return read(database);
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || isFull(error)) throw error;
    throw new OutsideError("corrupt", "Its database cannot be read.", error);
  } finally {
    database?.close();
  }
}

export function isFull(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === "SQLITE_FULL";
}

/** The disk rejects SQLite's writes: it is read-only, or fails. */
export function isUnwritable(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(?:READONLY|IOERR|CANTOPEN)/.test(error.code)
  );
}

/** Whether its tables, columns, indexes and triggers are exactly those of this version of this history. */
export function hasTablesOf(
  database: Sqlite,
  migrations: readonly SqliteMigration[],
  version: number,
  options: SqliteOptions,
): boolean {
  const model = openSqlite(":memory:", options);
  try {
    migrateSqlite(
      model,
      migrations.filter(({ id }) => id <= version),
    );
    return schemaText(database) === schemaText(model);
  } finally {
    model.close();
  }
}

/** Every table, index and trigger as it was created; two databases with the same schema give the same text. */
export function schemaText(
  database: Sqlite,
  isCompared: (name: string) => boolean = () => true,
): string {
  return database
    .prepare<[], SchemaRow>(ownSchema)
    .all()
    .filter(({ name }) => isCompared(name))
    .map(({ type, name, sql }) => `${type} ${name} ${sql.replace(/\s+/g, " ")}`)
    .sort()
    .join(";");
}

export function versionOf(database: Sqlite): number {
  return Number(database.pragma("user_version", { simple: true }));
}

function openToRead(file: string, options: SqliteOptions): Sqlite {
  return new Database(file, { readonly: true, ...bindingOf(options) });
}

function bindingOf({ binding }: SqliteOptions): Database.Options {
  return binding ? { nativeBinding: binding } : {};
}

/** A quoted SQL identifier, whatever characters it contains. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
