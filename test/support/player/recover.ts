// Backups and recoveries over the interface, and everything that they must restore or leave alone.

import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  openSqlite,
  type Sqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import { membersOf, repacked, type TarMember } from "./archives.ts";
import { temporaryFolder } from "../folder.ts";
import { clip } from "../media/media.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
  type Answer,
  type RunningPlayer,
} from "./start-player.ts";

export async function recover(
  { request }: RunningPlayer,
  archive: Buffer | string,
): Promise<Answer> {
  const form = new FormData();
  if (typeof archive === "string") form.set("backup_upload", archive);
  else
    form.set("backup_upload", new Blob([new Uint8Array(archive)]), "b.tar.gz");
  return answerOf(await request("/recover", { method: "POST", body: form }));
}

export async function backup({ request }: RunningPlayer): Promise<Buffer> {
  const answer = await request("/backup?stream=1", { method: "POST" });
  return Buffer.from(await answer.arrayBuffer());
}

/** Everything a client can see, and every file there is. */
export async function stateOf(running: RunningPlayer): Promise<unknown> {
  const { request, dataDir } = running;
  const assets = await running.list();
  const contents = await Promise.all(
    assets.map(async ({ asset_id: id }) =>
      (await request(`/assets/${id}/content`)).text(),
    ),
  );
  const settings = await (await request("/device_settings")).json();
  const playlists = await (await request("/playlists")).json();
  const entries = await readdir(path.join(dataDir, "files/kept"), {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).sort();
  return { assets, contents, settings, playlists, files: names };
}

export async function leftAside(dataDir: string): Promise<string[]> {
  const dirs = ["backups/aside", "files/aside"];
  const found = await Promise.all(
    dirs.map((dir) => readdir(path.join(dataDir, dir)).catch(() => [])),
  );
  return found.flat();
}

/** A player with images, a video, a page, an order of its own and settings. */
export async function furnished(): Promise<RunningPlayer> {
  const running = await startPlayer();
  const { add, send, request } = running;
  await add({ name: "A" });
  await add({ name: "B", duration: 7, is_enabled: false });
  await add(
    { name: "C", mimetype: "video", duration: 0 },
    await clip({ colour: [9, 9, 9], seconds: 1, width: 64, height: 36 }),
  );
  await send("POST", "/assets", { ...completeBody, name: "D", nocache: true });
  const [a, b, c, d] = (await running.list()).map(({ asset_id: id }) => id);
  await send("POST", "/assets/order", { ids: [d, b, a, c].join() });
  await send("PATCH", "/device_settings", {
    player_name: "Foyer שלום",
    default_duration: 33,
  });
  await request("/device_settings");
  return running;
}

/** The archive with its database changed by hand. */
export async function withDatabase(
  archive: Buffer,
  change: (database: Sqlite) => void,
): Promise<Buffer> {
  const members = membersOf(archive);
  const file = path.join(await temporaryFolder(), "vitrine.db");
  await writeFile(file, members[1]?.content ?? "");
  const database = openSqlite(file);
  try {
    database.pragma("foreign_keys = OFF");
    database.pragma("journal_mode = DELETE");
    change(database);
  } finally {
    database.close();
  }
  const [manifest, , ...files] = members;
  return repacked([
    manifest as TarMember,
    { path: "vitrine.db", content: await readFile(file) },
    ...files,
  ]);
}
