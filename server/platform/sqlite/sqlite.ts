// Opens better-sqlite3 databases with durable settings, and migrates their tables.

import Database from "better-sqlite3";

export type Sqlite = Database.Database;

/** One migration of a store; forward only, never edited once released. */
export interface SqliteMigration {
  readonly id: number;
  readonly name: string;
  readonly sqlite: string;
}

export interface SqliteOptions {
  /** A binary other than the package's own, for runtimes too old for that one. */
  readonly binding?: string | undefined;
  /** No other connection of any program has it open meanwhile: no shared-memory file is needed. */
  readonly isAlone?: boolean | undefined;
  /** A missing file is not created. */
  readonly mustExist?: boolean | undefined;
}

/** The bytes of a file are opened in memory. */
export function openSqlite(
  file: string | Buffer,
  options: SqliteOptions = {},
): Sqlite {
  const database = new Database(file, {
    ...(options.binding ? { nativeBinding: options.binding } : {}),
    fileMustExist: options.mustExist === true,
  });
  if (options.isAlone) database.pragma("locking_mode = EXCLUSIVE");
  database.pragma("journal_mode = WAL");
  // A confirmed change must survive a power cut; about 500 such commits a second are plenty.
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.pragma("busy_timeout = 5000");
  return database;
}

/** Runs the migrations that this store does not have yet, each in a transaction with its record. */
export function migrateSqlite(
  database: Sqlite,
  migrations: readonly SqliteMigration[],
): void {
  const seen = Number(database.pragma("user_version", { simple: true }));
  const newest = migrations.at(-1)?.id ?? 0;
  if (seen > newest)
    throw new Error(
      `This store was written by a newer version (step ${seen}, known are ${newest}).`,
    );
  for (const migration of migrations.filter((step) => step.id > seen)) {
    database.transaction(() => {
      database.exec(migration.sqlite);
      database.pragma(`user_version = ${migration.id}`);
    })();
  }
}
