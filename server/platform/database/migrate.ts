// Migrations: runs Kysely's migrator over a list in code, each step once, in order, even when two instances start together.

import { sql, type Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { asDatabaseError, type DatabaseKind } from "./database.ts";

/** One migration, with its text for either database; forward only, never edited once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}

export async function migrate(
  kysely: Kysely<never>,
  kind: DatabaseKind,
  migrations: readonly Migration[],
): Promise<void> {
  const steps = Object.fromEntries(
    migrations.map((migration) => [
      nameOfMigration(migration),
      {
        up: async (db: Kysely<unknown>) => {
          await sql.raw(migration[kind]).execute(db);
        },
      },
    ]),
  );
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => steps },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error");
  if (
    failed === undefined &&
    /previously executed migration/.test(messageOf(error))
  )
    throw new Error(
      "This database was written by a newer version. Update this program.",
      { cause: error },
    );
  throw asDatabaseError(error);
}

/** The name under which the database records it. */
export function nameOfMigration({
  id,
  name,
}: Pick<Migration, "id" | "name">): string {
  return `${String(id).padStart(4, "0")} ${name}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
