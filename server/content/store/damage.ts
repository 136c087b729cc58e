// Detects damage to the content service's SQLite database: its pages, its rows and its schema, character by character.

import { nameOfMigration } from "../../platform/database/migrate.ts";
import { schemaText } from "../../platform/sqlite/sqlite-copy.ts";
import { damageOf } from "../../platform/sqlite/sqlite-damage.ts";
import {
  openSqlite,
  type Sqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import { contentMigrations } from "../migrations.ts";

/** A large database is checked for this long at a start; the rest is checked with each daily backup. */
const timeoutMs = 20_000;

/** Excludes the tables of Kysely's migrator, which owns their schema. */
const isCompared = (name: string): boolean => !name.startsWith("kysely_");

/** What is wrong with this file, in a sentence; otherwise null. Throws when the file cannot be read at all. */
export function damageOfContent(
  file: string,
  options: SqliteOptions = {},
): string | null {
  return damageOf(
    file,
    {
      ...{ tables: tablesOfLarge, timeoutMs },
      read: (database) => assertSchema(database, options),
    },
    options,
  );
}

/** The playback log is the largest table and the least valuable: it comes last. */
function tablesOfLarge(database: Sqlite): readonly string[] {
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'",
    )
    .pluck()
    .all();
  return [
    ...tables.filter((name) => name !== "playbacks"),
    ...tables.filter((name) => name === "playbacks"),
  ];
}

/** One changed character there changes the meaning of a statement, or makes it one that cannot be prepared. */
function assertSchema(database: Sqlite, options: SqliteOptions): void {
  const done = migrationsIn(database);
  const known = contentMigrations.map(nameOfMigration);
  const isHistory = known
    .slice(0, done.length)
    .every((name, at) => done[at] === name);
  const isNewer = done
    .slice(known.length)
    .every((name) => Number(name.slice(0, 4)) > contentMigrations.length);
  if (!isHistory || !isNewer)
    throw new Error("Its list of migrations does not match this program.");
  // The schema of a newer version is not compared; the migrator rejects it with its own message.
  if (done.length > known.length) return;
  const model = modelOf(done.length, options);
  try {
    if (schemaText(database, isCompared) !== schemaText(model, isCompared))
      throw new Error("Its tables do not match this program.");
  } finally {
    model.close();
  }
}

/** In order; none in a new database. */
function migrationsIn(database: Sqlite): readonly string[] {
  const isNew =
    database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (isNew) return [];
  return database
    .prepare<[], string>("SELECT name FROM kysely_migration ORDER BY name")
    .pluck()
    .all();
}

function modelOf(count: number, options: SqliteOptions): Sqlite {
  const model = openSqlite(":memory:", options);
  for (const { sqlite } of contentMigrations.slice(0, count))
    model.exec(sqlite);
  return model;
}
