// Rows read out of a damaged database, made whole again: what they point at is found in the store, or they go without.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { probeMedia } from "../../platform/media/media-probe.ts";
import { quoted } from "../../platform/sqlite-copy.ts";
import type { Sqlite } from "../../platform/sqlite.ts";
import { createFileRows } from "../file-rows.ts";

const lost = "What was known of its file was lost with a damaged database.";

export async function mendRows(
  database: Sqlite,
  dataDir: string,
): Promise<void> {
  const rows = createFileRows(database);
  const unknown = database
    .prepare<[], string>(
      `SELECT DISTINCT file_hash FROM assets WHERE file_hash IS NOT NULL
       AND file_hash NOT IN (SELECT hash FROM files)`,
    )
    .pluck()
    .all();
  for (const hash of unknown) {
    const file = path.join(dataDir, "files", "kept", hash.slice(0, 2), hash);
    const media = existsSync(file) ? await probeMedia(file) : null;
    if (media) rows.add({ ...media, hash, sizeBytes: (await stat(file)).size });
  }
  database
    .prepare(
      `UPDATE assets SET file_hash = NULL, problem = ? WHERE file_hash IS NOT NULL
       AND file_hash NOT IN (SELECT hash FROM files)`,
    )
    .run(lost);
  dropDangling(database);
}

interface Dangling {
  readonly table: string;
  readonly rowid: number | null;
}

/** What belongs to something that is gone goes too; each time round may leave others behind. */
function dropDangling(database: Sqlite): void {
  for (;;) {
    const found = database.pragma("foreign_key_check") as Dangling[];
    if (found.length === 0) return;
    for (const { table, rowid } of found)
      if (rowid === null) database.exec(`DELETE FROM ${quoted(table)}`);
      else
        database
          .prepare(`DELETE FROM ${quoted(table)} WHERE rowid = ?`)
          .run(rowid);
  }
}
