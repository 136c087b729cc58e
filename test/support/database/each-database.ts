// Runs a suite on SQLite and on PostgreSQL, each test with an empty database to itself.

import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, inject, onTestFinished } from "vitest";
import { contentMigrations } from "../../../server/content/migrations.ts";
import type { ContentTables } from "../../../server/content/tables.ts";
import { createUlids } from "../../../server/core/ulid.ts";
import type {
  Database,
  DatabaseKind,
} from "../../../server/platform/database/database.ts";
import { migrate } from "../../../server/platform/database/migrate.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../server/platform/sqlite/sqlite-database.ts";
import { removeFolder } from "../folder.ts";
import { copyDatabase } from "./postgres.ts";

export interface AnyDatabase {
  readonly kind: DatabaseKind;
  /** Migrated and empty; the test neither closes nor drops it. */
  readonly open: () => Promise<Database<ContentTables>>;
}

interface Kept {
  readonly database: Database<ContentTables>;
  readonly drop: () => Promise<unknown>;
}

export function eachDatabase(suite: (database: AnyDatabase) => void): void {
  describe("on SQLite", () => suite(keeping("sqlite", makeOnSqlite)));
  const server = inject("postgresUrl");
  // The warning is repeated prominently where the run begins: test/support/database/postgres-once.ts.
  describe.skipIf(server === "")("on PostgreSQL", () =>
    suite(keeping("postgres", () => makeOnPostgres(server))),
  );
}

/** Emptied and reused: creating one takes longer than most tests. */
function keeping(kind: DatabaseKind, make: () => Promise<Kept>): AnyDatabase {
  const idle: Kept[] = [];
  afterAll(async () => {
    for (const { database, drop } of idle.splice(0)) {
      await database.close();
      await drop();
    }
  });
  return {
    kind,
    open: async () => {
      const kept = idle.pop() ?? (await make());
      onTestFinished(async () => {
        await empty(kept.database);
        idle.push(kept);
      });
      return kept.database;
    },
  };
}

async function makeOnSqlite(): Promise<Kept> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "vitrine-test-"));
  const database = openSqliteDatabase<ContentTables>(
    path.join(folder, "content.db"),
  );
  await migrate(database.kysely as never, database.kind, contentMigrations);
  return { database, drop: () => removeFolder(folder) };
}

async function makeOnPostgres(server: string): Promise<Kept> {
  const created = await copyDatabase(server, inject("postgresOriginal"));
  const database = openPostgres<ContentTables>(created.url, { connections: 4 });
  return { database, drop: created.drop };
}

/** Rows that deleting itself writes are deleted in a second pass. */
async function empty(database: Database<ContentTables>): Promise<void> {
  const tables = (await database.kysely.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("kysely_"));
  await database.write(async (run) => {
    const execute = (text: string) => run({ text, values: [] });
    if (database.kind === "postgres") {
      // For a few rows ten times as fast as TRUNCATE, which creates new files; without triggers the order of foreign keys does
      // not matter.
      await execute("SET LOCAL session_replication_role = replica");
      for (const table of tables) await execute(`DELETE FROM ${table}`);
      return;
    }
    await execute("PRAGMA defer_foreign_keys = ON");
    for (const table of [...tables, ...tables])
      await execute(`DELETE FROM ${table}`);
  });
}

export const makeUlid = createUlids((count) => randomBytes(count));
