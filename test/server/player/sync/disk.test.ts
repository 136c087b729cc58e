// A disk that is really full, and a folder that is really read-only: reported once, playback undisturbed, recovering without help.

import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { png } from "../../../support/media/media.ts";
import {
  startPlayer,
  completeBody,
} from "../../../support/player/start-player.ts";
import {
  freshPlaylist,
  megabyte,
  rest,
  startSyncedPlayer,
} from "../../../support/sync/synced-player.ts";
import {
  fillUp,
  mayMount,
  readOnlyAt,
  remountReadOnly,
  smallDisk,
} from "../../../support/machine/volume.ts";

const onMounted = it.skipIf(!mayMount);

describe("a disk", () => {
  onMounted(
    "[V2-219] [fault 18] [fault 19] that is really full ends the sync and writes with a reason, and both continue when there is space",
    async () => {
      const dataDir = await smallDisk(24);
      const reported: string[] = [];
      const running = await startSyncedPlayer({
        player: { dataDir },
        onWarning: (event) => reported.push(event),
      });
      const assets = await running.list();
      const filler = await fillUp(dataDir, megabyte);
      running.cloud.playlists = [freshPlaylist];
      for (let round = 0; round < 2; round += 1)
        expect((await rest(running)).problem).toMatchObject({
          code: "no-space",
        });
      expect(reported.filter((event) => event === "sync.failed")).toHaveLength(
        1,
      );
      await running.assertUndisturbed();
      // Not a byte is left: an upload and a row are rejected with a message, and nothing of them is stored.
      const crumbs = await fillUp(dataDir, 0);
      const upload = await running.upload(png([7, 7, 7], 400, 400));
      expect(upload.status).toBe(507);
      const statuses = new Set<number>();
      for (let number = 0; number < 300 && !statuses.has(507); number += 1) {
        const { status, body } = await running.send("POST", "/assets", {
          ...{ ...completeBody, name: `Page ${number}` },
          uri: `https://example.org/${"x".repeat(1500)}`,
        });
        statuses.add(status);
        if (status === 507) expect(body).toHaveProperty("detail");
      }
      expect(statuses).toContain(507);
      expect(statuses).not.toContain(500);
      await running.assertUndisturbed();
      expect((await running.list()).slice(0, assets.length)).toEqual(assets);

      await rm(filler);
      await rm(crumbs);
      expect(await rest(running)).toMatchObject({
        isInSync: true,
        problem: null,
      });
      expect(await running.seen()).toContain("fresh");
      await running.stopSync();
      await running.player.stop();
      const database = openSqlite(path.join(dataDir, "vitrine.db"));
      expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
      database.close();
    },
  );

  onMounted(
    "[fault 20] whose folder takes nothing is said once, and gone on with when it does",
    async () => {
      const reported: string[] = [];
      const running = await startSyncedPlayer({
        onWarning: (event) => reported.push(event),
      });
      const end = readOnlyAt(path.join(running.dataDir, "sync", "parts"));
      running.cloud.playlists = [freshPlaylist];
      for (let round = 0; round < 3; round += 1)
        expect((await rest(running)).problem).toMatchObject({
          ...{ code: "read-only", message: expect.stringContaining("written") },
        });
      expect(reported.filter((event) => event === "sync.failed")).toHaveLength(
        1,
      );
      await running.assertUndisturbed();
      end();
      expect(await rest(running)).toMatchObject({
        isInSync: true,
        problem: null,
      });
      expect(await running.seen()).toEqual(["old", "fresh"]);
    },
  );

  onMounted.each<[string, (dir: string) => Promise<() => void>]>([
    ["[fault 20] takes nothing", async (dir) => remountReadOnly(dir)],
    ["[fault 18] [V2-359] is full", (dir) => isFull(dir, 0)],
    ["[fault 18] [V2-359] is all but full", (dir) => isFull(dir, 32 * 1024)],
  ])(
    "[V2-330] that %s at the start: the player shows what it has, says so, and refuses changes",
    async (_what, spoil) => {
      const dataDir = await smallDisk(24);
      const end: (() => Promise<void>)[] = [];
      const before = await startPlayer({ dataDir }, (act) => end.push(act));
      const asset = await before.add({ name: "Lobby" });
      for (const act of end.reverse()) await act();
      const writeAgain = await spoil(dataDir);
      const reported: string[] = [];
      const log = createLog({ toStandardOutput: false });
      const after = await startPlayer({
        dataDir,
        log: {
          ...log,
          error: (event) => void reported.push(event),
          warn: (event) => void reported.push(event),
        },
      });
      expect(await after.list()).toEqual([asset]);
      await expect.poll(() => after.stage.shown.at(-1)).toBe("Lobby");
      const info = await (await after.request("/info")).json();
      expect(info).toMatchObject({
        safe_mode: expect.stringContaining("cannot be written to"),
      });
      for (const [method, path, body] of [
        ["POST", "/assets", { ...completeBody, name: "Other" }],
        ["PATCH", `/assets/${asset.asset_id}`, { name: "Other" }],
        ["PATCH", "/device_settings", { player_name: "Other" }],
      ] as const)
        expect((await after.send(method, path, body)).status).toBe(507);
      expect((await after.upload(png([1, 2, 3]))).status).toBe(507);
      await after.clock.advance(60_000);
      expect(await after.list()).toEqual([asset]);
      expect(reported.filter((event) => event === "store.read-only")).toEqual([
        "store.read-only",
      ]);
      await after.player.stop();
      writeAgain();
      const again = await startPlayer({ dataDir });
      expect(await again.list()).toEqual([asset]);
      expect((await again.add({ name: "Third" })).name).toBe("Third");
    },
  );
});

async function isFull(dir: string, leaving: number): Promise<() => void> {
  const filler = await fillUp(dir, leaving);
  return () => rmSync(filler);
}
