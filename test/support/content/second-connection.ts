// A connection to the database of a running service, besides the service's own.

import path from "node:path";
import type { Database } from "../../../server/platform/database/database.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../server/platform/sqlite/sqlite-database.ts";
import { afterThisTest } from "../after-this-test.ts";
import type { Ground } from "./each-content.ts";

/** Closed with the test. */
export function secondConnection({
  dataDir,
  databaseUrl,
}: Ground): Database<never> {
  const database: Database<never> =
    databaseUrl === undefined
      ? openSqliteDatabase<never>(path.join(dataDir, "content.db"))
      : openPostgres<never>(databaseUrl, { connections: 2 });
  afterThisTest(() => database.close());
  return database;
}
