// Global set-up of a test run: one PostgreSQL for all tests, with the content service's tables created once, or a warning.

import type { TestProject } from "vitest/node";
import { contentMigrations } from "../../../server/content/migrations.ts";
import { migrate } from "../../../server/platform/database/migrate.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { makeDatabase, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Empty: none is available here. */
    readonly postgresUrl: string;
    /** Name of a database with the service's tables and nothing in them, to be copied. */
    readonly postgresOriginal: string;
  }
}

export async function setup(
  project: TestProject,
): Promise<() => Promise<void>> {
  const offered = process.env["VITRINE_TEST_POSTGRES"];
  const own = offered ? null : await startPostgres();
  const server = offered ?? own?.url ?? "";
  const original = server === "" ? null : await makeOriginal(server);
  project.provide("postgresUrl", server);
  project.provide("postgresOriginal", original?.name ?? "");
  if (server === "")
    console.warn(
      "\n*** PostgreSQL is not installed: every suite of the content service runs on SQLite ONLY. ***\n" +
        "*** Install Debian's package postgresql, or set VITRINE_TEST_POSTGRES to the address of one. ***\n",
    );
  return async () => {
    if (own) await own.stop();
    else await original?.drop();
  };
}

async function makeOriginal(server: string) {
  const created = await makeDatabase(server);
  const database = openPostgres<never>(created.url, { connections: 1 });
  await migrate(database.kysely, database.kind, contentMigrations);
  await database.close();
  return created;
}
