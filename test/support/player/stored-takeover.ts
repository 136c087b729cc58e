// The takeover that a restart of a player would restore.

import path from "node:path";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";

/** Its text; null where none is stored. */
export function storedTakeover(dataDir: string): string | null {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  const value = database
    .prepare<[], string>("SELECT value FROM takeover")
    .pluck()
    .get();
  database.close();
  if (value === undefined) return null;
  return (JSON.parse(value) as { shown: { text: string } }).shown.text;
}
