// Migrates a database of the content service; closes it when that fails.

import type { Database } from "../../platform/database/database.ts";
import { migrate } from "../../platform/database/migrate.ts";
import { contentMigrations } from "../migrations.ts";
import type { ContentTables } from "../tables.ts";

export async function migrated<Opened extends Database<ContentTables>>(
  database: Opened,
): Promise<Opened> {
  try {
    await migrate(
      database.kysely as unknown as Parameters<typeof migrate>[0],
      database.kind,
      contentMigrations,
    );
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}
