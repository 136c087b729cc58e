// One empty database of its own, opened as often as a test asks: with the usual time limit, or with little time for each
// statement.

import path from "node:path";
import { inject, onTestFinished } from "vitest";
import { contentMigrations } from "../../../server/content/migrations.ts";
import type { ContentTables } from "../../../server/content/tables.ts";
import type {
  Database,
  DatabaseKind,
} from "../../../server/platform/database/database.ts";
import { migrate } from "../../../server/platform/database/migrate.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../server/platform/sqlite/sqlite-database.ts";
import { temporaryFolder } from "../folder.ts";
import { copyDatabase } from "./postgres.ts";

/** Migrated; what was opened is closed when the test ends. */
export async function oneDatabase(
  kind: DatabaseKind,
): Promise<(options?: { statementMs: number }) => Database<ContentTables>> {
  const openAny = await openerOf(kind);
  const open = (options?: { statementMs: number }) => {
    const database = openAny(options);
    onTestFinished(() => database.close());
    return database;
  };
  await migrate(open().kysely as never, kind, contentMigrations);
  return open;
}

async function openerOf(
  kind: DatabaseKind,
): Promise<(options?: { statementMs: number }) => Database<ContentTables>> {
  if (kind === "sqlite") {
    const file = path.join(await temporaryFolder(), "content.db");
    return (options) => openSqliteDatabase<ContentTables>(file, options);
  }
  const created = await copyDatabase(
    inject("postgresUrl"),
    inject("postgresOriginal"),
  );
  onTestFinished(created.drop);
  return (options) => openPostgres<ContentTables>(created.url, options);
}
