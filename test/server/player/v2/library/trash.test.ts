// Trash: deleting and restoring without a trace.

import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../../../server/platform/sqlite/sqlite.ts";
import { png } from "../../../../support/media/media.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

const files = async ({ dataDir }: RunningPlayer): Promise<number> =>
  (await readdir(path.join(dataDir, "files"), { recursive: true })).filter(
    (name) => /[0-9a-f]{64}$/.test(name),
  ).length;

async function everythingOf(player: RunningPlayer): Promise<unknown> {
  const { body } = await player.send("GET", "/playlists", undefined);
  return { assets: await player.list(), playlists: body };
}

async function fill(player: RunningPlayer) {
  const one = await player.add({ name: "One" }, png([1, 2, 3]));
  const two = await player.add({ name: "Two" }, png([4, 5, 6]));
  const three = await player.add({ name: "Three", play_order: 0 });
  const created = await player.send("POST", "/playlists", {
    name: "Lunch",
    predicate: "$WEEKDAY IN {1, 2}",
    items: [
      { asset_id: two.asset_id, duration: 4 },
      { asset_id: one.asset_id },
      { asset_id: two.asset_id },
    ],
  });
  const assetIds = [one, two, three].map(({ asset_id: id }) => id);
  return { assetIds, playlistId: String(created.body.playlist_id) };
}

describe("the trash", () => {
  it("[V2-280] [V2-282] fault 73: everything deleted and restored leaves the identical state", async () => {
    const player = await startPlayer();
    const { assetIds, playlistId } = await fill(player);
    const before = await everythingOf(player);
    const everything = { asset_ids: assetIds, playlist_ids: [playlistId] };
    const thrown = await player.send("POST", "/trash", everything);
    expect(thrown.status).toBe(200);
    expect(await everythingOf(player)).toEqual({ assets: [], playlists: [] });
    const { body: inTrash } = await player.send("GET", "/trash", undefined);
    expect(inTrash.map((entry: { name: string }) => entry.name).sort()).toEqual(
      [...["Lunch", "One", "Three", "Two"]],
    );
    const back = await player.send("POST", "/trash/restore", everything);
    expect(back.status).toBe(200);
    expect(await everythingOf(player)).toEqual(before);
    expect((await player.request("/trash")).status).toBe(200);
    expect((await player.send("GET", "/trash", undefined)).body).toEqual([]);
  });

  it("[V2-282] restores items one by one in any order with the same result", async () => {
    const player = await startPlayer();
    const { assetIds, playlistId } = await fill(player);
    const before = await everythingOf(player);
    const steps = [
      { asset_ids: assetIds.slice(0, 1) },
      { playlist_ids: [playlistId] },
      { asset_ids: assetIds.slice(1).join() },
    ];
    for (const step of steps) await player.send("POST", "/trash", step);
    for (const step of steps)
      expect((await player.send("POST", "/trash/restore", step)).status).toBe(
        200,
      );
    expect(await everythingOf(player)).toEqual(before);
  });

  it("[V2-282] restores a playlist without the assets permanently deleted meanwhile", async () => {
    const player = await startPlayer();
    const { assetIds, playlistId } = await fill(player);
    const [one = "", two = ""] = assetIds;
    const selection = { playlist_ids: [playlistId] };
    await player.send("POST", "/trash", selection);
    await player.send("POST", "/trash", { asset_ids: [two] });
    await player.send("DELETE", `/assets/${one}`, undefined);
    await player.send("POST", "/trash/restore", selection);
    await player.send("POST", "/trash/restore", { asset_ids: [two] });
    const { body } = await player.send("GET", "/playlists", undefined);
    expect(
      body[0].items.map((item: { asset_id: string }) => item.asset_id),
    ).toEqual([two, two]);
    const database = openSqlite(path.join(player.dataDir, "vitrine.db"));
    expect(database.prepare("SELECT * FROM bin_items").all()).toEqual([]);
    database.close();
  });

  it("[V2-281] rejects a restore as a whole for one missing item, and nothing has changed", async () => {
    const player = await startPlayer();
    const { assetIds } = await fill(player);
    const before = await everythingOf(player);
    const selection = { asset_ids: [...assetIds, "none"] };
    const errorResponse = await player.send("POST", "/trash", selection);
    expect([errorResponse.status, errorResponse.body]).toEqual([
      404,
      { detail: "There is no asset with the identifier none." },
    ]);
    expect(await everythingOf(player)).toEqual(before);
    await player.send("POST", "/trash", { asset_ids: assetIds });
    expect(
      (await player.send("POST", "/trash/restore", selection)).status,
    ).toBe(404);
    expect(await player.list()).toEqual([]);
    const broken = await player.send("POST", "/trash", { asset_ids: 5 });
    expect(broken.status).toBe(400);
  });

  it("[V2-282] restores with a number a name that is in use by now", async () => {
    const player = await startPlayer();
    const { asset_id: id } = await player.add({ name: "Lobby" });
    await player.send("POST", "/trash", { asset_ids: [id] });
    await player.add({ name: "Lobby" });
    await player.send("POST", "/trash/restore", { asset_ids: [id] });
    const names = (await player.list()).map(({ name }) => name);
    expect(names.sort()).toEqual(["Lobby", "Lobby-1"]);
  });

  it("[V2-283] keeps bytes while it needs them and deletes them with its items, and after 30 days automatically", async () => {
    const player = await startPlayer();
    const { assetIds } = await fill(player);
    const all = await files(player);
    await player.send("POST", "/trash", { asset_ids: assetIds });
    expect(await files(player)).toBe(all);
    const dropped = await player.request(`/trash/${assetIds[0]}`, {
      method: "DELETE",
    });
    expect(dropped.status).toBe(204);
    expect(await files(player)).toBe(all - 1);
    expect((await player.request("/trash", { method: "DELETE" })).status).toBe(
      204,
    );
    expect(await files(player)).toBe(all - 3);
    const again = await player.request(`/trash/${assetIds[0]}`, {
      method: "DELETE",
    });
    expect(again.status).toBe(404);
  });

  it("[V2-283] stays as it is in a recovery, and is not part of an archive", async () => {
    const player = await startPlayer();
    const { assetIds } = await fill(player);
    const created = await player.send("POST", "/backup", {});
    const archive = await player.request(`/backups/${created.body}`);
    await player.send("POST", "/trash", { asset_ids: assetIds.slice(0, 1) });
    const form = new FormData();
    form.append("backup_upload", await archive.blob(), "a.tar.gz");
    const recovered = await player.request("/recover", {
      ...{ method: "POST", body: form },
    });
    expect(recovered.status).toBe(200);
    const { body } = await player.send("GET", "/trash", undefined);
    expect(body).toHaveLength(1);
    expect(await player.list()).toHaveLength(3);
    const twice = await player.send("POST", "/trash/restore", {
      asset_ids: assetIds.slice(0, 1),
    });
    expect(twice.status).toBe(409);
    const again = { asset_ids: assetIds };
    expect((await player.send("POST", "/trash", again)).status).toBe(200);
    expect((await player.send("POST", "/trash/restore", again)).status).toBe(
      200,
    );
    expect(await player.list()).toHaveLength(3);
  });
});
