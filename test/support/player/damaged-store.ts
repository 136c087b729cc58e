// Damages a player's database page by page.

import { open, stat } from "node:fs/promises";
import path from "node:path";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { startPlayer, type RunningPlayer } from "./start-player.ts";

/** Overwrites these of its pages with garbage. */
export async function spoil(
  file: string,
  isSpoilt: (page: number) => boolean,
): Promise<void> {
  const { size } = await stat(file);
  const pages = size / 4096;
  const handle = await open(file, "r+");
  for (let page = 1; page <= pages; page += 1)
    if (isSpoilt(page))
      await handle.write(Buffer.alloc(4096, 0xa7), 0, 4096, (page - 1) * 4096);
  await handle.close();
}

export const rootOf = (dataDir: string, table: string): number => {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  const root = database
    .prepare<[string], number>(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?",
    )
    .pluck()
    .get(table);
  database.close();
  return root ?? 0;
};

/** Two images and a playlist, on the screen; then the player is stopped. */
export async function somePlayer(): Promise<RunningPlayer> {
  const running = await startPlayer();
  const first = await running.add({ name: "One" });
  const second = await running.add({ name: "Two" });
  await running.send("POST", "/playlists", {
    name: "List",
    items: [{ asset_id: second.asset_id }, { asset_id: first.asset_id }],
  });
  return running;
}
