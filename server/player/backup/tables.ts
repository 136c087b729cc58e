// Which tables belong to this machine alone, and how the others are taken over from an archive.

import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { quoted } from "../../platform/sqlite/sqlite-copy.ts";

/** Never part of an archive, and left as they are by a recovery. */
const secretTables = ["tokens"];
/** Uploads wait for a client of this machine and this hour; a takeover is of this hour too. */
const passingTables = ["uploads", "takeover"];
/** What happened here, and what was thrown away here, is no part of what another machine is to show. */
const historyTables = [
  ...["activity", "plays", "play_days"],
  ...["bin", "bin_items", "ages"],
];
/** Said and sent exactly once, by this machine, to those it trusts. */
const linkTables = ["link_pairing", "links", "upwards_changes", "air_gap_keys"];

export const localTables: ReadonlySet<string> = new Set([
  ...secretTables,
  ...passingTables,
  ...historyTables,
  ...linkTables,
]);

/**
 * One transaction: every other table gives up its rows for those of that file. Whoever has this
 * database open sees the old rows or the new ones, and so does a restart after a power cut.
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
  // Steps may have given the two files their columns in a different order.
  const columns = (
    database.pragma(`main.table_info(${quoted(table)})`) as { name: string }[]
  ).map(({ name }) => quoted(name));
  const name = quoted(table);
  const kept = waitingRows[table];
  database.exec(
    `DELETE FROM main.${name} ${kept === undefined ? "" : `WHERE NOT (${kept})`};
     INSERT ${kept === undefined ? "" : "OR IGNORE"} INTO main.${name} (${columns.join()})
       SELECT ${columns.join()} FROM recovered.${name};`,
  );
}

const heldHashes = `SELECT hash FROM main.uploads UNION SELECT file_hash FROM main.bin WHERE file_hash IS NOT NULL
  UNION SELECT file_hash FROM main.upwards_changes WHERE file_hash IS NOT NULL`;

/** What an upload, the bin or a change for a cloud still waits with is known already, and stays so; of an app, all that it is made of. */
const waitingRows: Readonly<Record<string, string>> = {
  files: `hash IN (${heldHashes})
    OR hash IN (SELECT file_hash FROM main.app_files WHERE app_hash IN (${heldHashes}))`,
  apps: `hash IN (${heldHashes})`,
  app_files: `app_hash IN (${heldHashes})`,
};
