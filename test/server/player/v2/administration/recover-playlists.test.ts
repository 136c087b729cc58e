// API v2: backup and recovery of playlists and of asset fields beyond the specification.

import { describe, expect, it } from "vitest";
import type { Sqlite } from "../../../../../server/platform/sqlite/sqlite.ts";
import {
  backup,
  leftAside,
  recover,
  stateOf,
  withDatabase,
} from "../../../../support/player/recover.ts";
import {
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

async function withPlaylists() {
  const running = await startPlayer();
  const { add, send } = running;
  const { asset_id: a } = await add({ name: "A", volume: 3, fit: "fill" });
  const { body: page } = await send("POST", "/assets", {
    ...{ ...completeBody, name: "Page", playlist_only: true },
    ...{ custom_headers: { Authorization: "Basic eDp5" }, zoom_level: 90 },
    ...{ play_days: [1, 2], play_time_from: "22:00", play_time_to: "06:00" },
    metadata: { shop: 7 },
  });
  const items = [a, page.asset_id, a].map((id, index) => ({
    ...{ asset_id: id, duration: index || null },
  }));
  await send("POST", "/playlists", {
    ...{ name: "Night", predicate: "$TIME < 21600000", priority: 2, items },
    ...{ groups: ["lobby"], transition: "cross-fade", shuffle: true },
  });
  await send("POST", "/playlists", { name: "Empty", is_enabled: false });
  await send("PATCH", "/device_settings", { groups: "lobby", volume: 20 });
  return running;
}

describe("[V2-117] a backup", () => {
  it("contains playlists and all asset fields, for another player too", async () => {
    const running = await withPlaylists();
    const archive = await backup(running);
    const before = await stateOf(running);
    const [first] = await running.list();
    await running.request(`/assets/${first?.asset_id}`, { method: "DELETE" });
    await running.send("POST", "/playlists", { name: "Later" });
    expect((await recover(running, archive)).status).toBe(200);
    expect(await stateOf(running)).toEqual(before);
    const other = await startPlayer();
    await other.send("POST", "/playlists", { name: "Goes" });
    expect((await recover(other, archive)).status).toBe(200);
    expect(await stateOf(other)).toEqual(before);
  });

  it("shows the playlists of the archive at once", async () => {
    const running = await startPlayer();
    const { asset_id: id } = await running.add({ name: "A" });
    await running.add({ name: "B" });
    await running.send("POST", "/playlists", {
      ...{ name: "X", priority: 9, items: [{ asset_id: id }] },
    });
    const archive = await backup(running);
    const other = await startPlayer();
    await other.add({ name: "Old" });
    expect((await recover(other, archive)).status).toBe(200);
    await other.clock.advance(1);
    expect(other.stage.visible()?.name).toBe("A");
    await other.clock.advance(60_000);
    expect(other.stage.visible()?.name).toBe("A");
  });

  // prettier-ignore
  const spoils: readonly (readonly [title: string, sql: string])[] = [
    ["an invalid predicate", "UPDATE playlists SET predicate = '$X'"],
    ["a priority above the maximum", "UPDATE playlists SET priority = 101"],
    ["a negative priority", "UPDATE playlists SET priority = -1"],
    ["groups that are not a list", "UPDATE playlists SET groups = '{\"a\":1}'"],
    ["groups that are not JSON", "UPDATE playlists SET groups = '['"],
    ["groups that are not names", "UPDATE playlists SET groups = '[7]'"],
    ["an unknown transition", "UPDATE playlists SET transition = 'wipe'"],
    ["an identifier that is a path", "UPDATE playlists SET id = '../x' WHERE name = 'Empty'"],
    ["a timestamp beyond the range of dates", "UPDATE playlists SET created_at = 9000000000000000"],
    ["an item of unlimited duration", "UPDATE playlist_items SET duration_seconds = 99999999999"],
    ["an item without an asset", "UPDATE playlist_items SET asset_id = 'nobody'"],
    ["an item without a playlist", "UPDATE playlist_items SET playlist_id = 'nobody'"],
    ["extras that are not JSON", "UPDATE assets SET extras = '{'"],
    ["extras that are not an object", "UPDATE assets SET extras = '\"x\"'"],
    ["an unknown extra", "UPDATE assets SET extras = '{\"colour\":1}'"],
    ["headers with a line break", "UPDATE assets SET extras = '{\"headers\":{\"X\":\"a\\r\\nb\"}}'"],
    ["half a time window", "UPDATE assets SET extras = '{\"playsFrom\":\"09:00:00\"}'"],
  ];

  it.each(spoils)(
    "[V2-53] with %s is rejected, and nothing changes",
    async (_title, sql) => {
      const running = await withPlaylists();
      const before = await stateOf(running);
      const bad = await withDatabase(
        await backup(running),
        (database: Sqlite) => {
          expect(database.prepare(sql).run().changes).toBeGreaterThan(0);
        },
      );
      const answer = await recover(running, bad);
      expect(answer.status).toBe(400);
      expect(answer.body.backup_upload).toHaveLength(1);
      expect(await stateOf(running)).toEqual(before);
      expect(await leftAside(running.dataDir)).toEqual([]);
    },
  );
});
