// Tables that belong to this machine alone, and how a recovery takes over the others from an archive.

import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { quoted } from "../../platform/sqlite/sqlite-copy.ts";

/** Never part of an archive, and left as they are by a recovery. */
const secretTables = ["tokens", "password"];
/** Uploads wait for a client of this machine right now; a takeover is of the moment as well. */
const passingTables = ["uploads", "takeover"];
/** What happened here and what was deleted here is not content for another machine. */
const historyTables = [
  ...["activity", "plays", "play_days"],
  ...["bin", "bin_items", "ages"],
];
/** State of exchanges that must happen exactly once, between this machine and the services it trusts. */
const linkTables = ["link_pairing", "links", "upwards_changes", "air_gap_keys"];

export const localTables: ReadonlySet<string> = new Set([
  ...secretTables,
  ...passingTables,
  ...historyTables,
  ...linkTables,
]);

/**
 * In one transaction, replaces the rows of every other table with those of that file. Every connection to this database sees the
 * old rows or the new ones, and so does a restart after a power cut.
 */
export function takeOverTables(database: Sqlite, file: string): void {
  database.prepare("ATTACH ? AS recovered").run(file);
  try {
    database
      .transaction(() => {
        database.pragma("defer_foreign_keys = ON");
        for (const table of sharedTables(database)) takeOver(database, table);
      })
      .immediate();
  } finally {
    database.exec("DETACH recovered");
  }
}

function sharedTables(database: Sqlite): readonly string[] {
  return database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'",
    )
    .pluck()
    .all()
    .filter((table) => !localTables.has(table));
}

function takeOver(database: Sqlite, table: string): void {
  // Migrations may have given the two files their columns in a different order.
  const columns = (
    database.pragma(`main.table_info(${quoted(table)})`) as { name: string }[]
  ).map(({ name }) => quoted(name));
  const name = quoted(table);
  const condition = waitingRows[table];
  database.exec(
    `DELETE FROM main.${name} ${condition === undefined ? "" : `WHERE NOT (${condition})`};
     INSERT ${condition === undefined ? "" : "OR IGNORE"} INTO main.${name} (${columns.join()})
       SELECT ${columns.join()} FROM recovered.${name};`,
  );
}

const heldHashes = `SELECT hash FROM main.uploads UNION SELECT file_hash FROM main.bin WHERE file_hash IS NOT NULL
  UNION SELECT file_hash FROM main.upwards_changes WHERE file_hash IS NOT NULL`;

/** Files that an upload, the trash or an outbox change still needs are already known, and stay; for an app, all of its parts. */
const waitingRows: Readonly<Record<string, string>> = {
  files: `hash IN (${heldHashes})
    OR hash IN (SELECT file_hash FROM main.app_files WHERE app_hash IN (${heldHashes}))`,
  apps: `hash IN (${heldHashes})`,
  app_files: `app_hash IN (${heldHashes})`,
};
