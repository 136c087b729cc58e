// Inserts the rows of a backup into an empty database of either kind, in one transaction (V4-353).

import { sql, type Kysely } from "kysely";
import { Failure } from "../../core/failure.ts";
import type {
  Database,
  DatabaseKind,
} from "../../platform/database/database.ts";
import { migrate, nameOfMigration } from "../../platform/database/migrate.ts";
import { contentMigrations } from "../migrations.ts";
import { revisionStep } from "../store/restore.ts";
import type { ContentTables } from "../tables.ts";
import type { BackupFile } from "./backup-file.ts";
import type { Manifest, StoredValue } from "./backup-format.ts";
import { ownTables } from "./own-tables.ts";
import { readBackup, type ReadBackup } from "./read-backup.ts";

type Rows = readonly (readonly StoredValue[])[];

/** SQLite allows 32,766 values per statement. */
const maxValues = 30_000;

/** Migrates the database, first to the version of the backup and, with its rows, to that of this program. */
export async function restoreRows(
  file: BackupFile,
  manifest: Manifest,
  database: Database<ContentTables>,
): Promise<ReadBackup> {
  const { migrations } = manifest;
  const known = contentMigrations.filter((migration) =>
    migrations.includes(nameOfMigration(migration)),
  );
  if (known.length !== migrations.length)
    throw new Failure(
      "unsupported",
      "This backup was written by a newer version. Update this program.",
    );
  const migrateTo = (steps: typeof contentMigrations): Promise<void> =>
    migrate(database.kysely as unknown as Kysely<never>, database.kind, steps);
  await migrateTo(known);
  const read = await database.transaction(async (transaction) => {
    const back = await deferReferences(transaction, database.kind);
    const flags = await flagsOf(transaction, database.kind);
    const result = await readBackup(file, {
      rows: ({ name, columns }, rows) =>
        insert(transaction, name, columns, flags.get(name) ?? [], rows),
    });
    // Players and managers compare revisions: every one they know is an old one from now on.
    await transaction
      .updateTable("team_changes")
      .set({ revision: sql<number>`revision + ${sql.lit(revisionStep)}` })
      .execute();
    await back();
    return result;
  });
  await migrateTo(contentMigrations);
  return read;
}

async function insert(
  transaction: Kysely<ContentTables>,
  table: string,
  columns: readonly string[],
  flags: readonly string[],
  rows: Rows,
): Promise<void> {
  const isFlag = columns.map((column) => flags.includes(column));
  const stored = (value: StoredValue, at: number): StoredValue =>
    isFlag[at] && typeof value === "number" ? value !== 0 : value;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const rowsAtOnce = Math.max(1, Math.floor(maxValues / columns.length));
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows
      .slice(from, from + rowsAtOnce)
      .map((row) => sql`(${sql.join(row.map(stored))})`);
    await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(some)}`.execute(
      transaction,
    );
  }
}

/** Columns that take a boolean on PostgreSQL; SQLite has 0 and 1. */
async function flagsOf(
  transaction: Kysely<ContentTables>,
  kind: DatabaseKind,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await ownTables(transaction, kind);
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      columns
        .filter(({ dataType }) => dataType === "bool")
        .map((column) => column.name),
    ]),
  );
}

/**
 * Rows may precede those they refer to: from now on references are checked at the end of the transaction. The function returned
 * checks them, and lets every statement check its own again.
 */
async function deferReferences(
  transaction: Kysely<ContentTables>,
  kind: DatabaseKind,
): Promise<() => Promise<void>> {
  if (kind === "sqlite") {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(transaction);
    // Checked by the commit.
    return async () => undefined;
  }
  const { rows } = await sql<{ change: string }>`
    SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I', conrelid::regclass, conname) AS change
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`.execute(
    transaction,
  );
  const alterAll = async (how: string): Promise<void> => {
    for (const { change } of rows)
      await sql.raw(`${change} ${how}`).execute(transaction);
  };
  await alterAll("DEFERRABLE INITIALLY DEFERRED");
  return async () => {
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(transaction);
    await alterAll("NOT DEFERRABLE");
  };
}
