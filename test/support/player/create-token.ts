// A first access token, created on the store as the command line does.

import { randomBytes } from "node:crypto";
import path from "node:path";
import {
  migrateSqlite,
  openSqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import { createAccess } from "../../../server/player/access-tokens.ts";
import { playerMigrations } from "../../../server/player/migrations.ts";

export function makeToken(dataDir: string, name = "test"): string {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  try {
    migrateSqlite(database, playerMigrations);
    const makeId = () => randomBytes(16).toString("hex");
    return createAccess({ database, now: Date.now, makeId }).add(name).secret;
  } finally {
    database.close();
  }
}
