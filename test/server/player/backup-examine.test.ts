// Examining an archive before a recovery: reports what it holds without changing anything.

import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  connectionDefaults,
  planHostEnding,
} from "../../../server/core/sync-plan/sync-state.ts";
import { tarGz } from "../../support/player/archives.ts";
import {
  newestTable,
  peerDatabase,
  row,
} from "../../support/player/peer-archive.ts";
import { png } from "../../support/media/media.ts";
import { backup, leftAside, stateOf } from "../../support/player/recover.ts";
import { startPlayer } from "../../support/player/start-player.ts";
import { startSync } from "../../support/sync/start-sync.ts";

describe("examining an archive", () => {
  it("reports the assets, playlists, files and settings that would change, and changes nothing", async () => {
    const running = await startPlayer();
    const { body: first } = await running.send("GET", "/assets", undefined);
    expect(first).toEqual([]);
    const asset = await running.add({ name: "Summer" }, png([9, 9, 200]));
    await running.add({ name: "Off", is_enabled: false }, png([9, 9, 9]));
    await running.send("POST", "/playlists", {
      ...{ name: "Lunch", predicate: "TRUE", priority: 1 },
      items: [{ asset_id: asset.asset_id }],
    });
    // The archive equals the current state: no difference.
    const text = { text: "Please leave", seconds: 600 };
    const message = { id: "1", name: "Evacuate", ...text };
    await running.send("PATCH", "/device_settings", {
      ...{ player_name: "Lobby", takeover_messages: [message] },
    });
    const archive = await backup(running);
    await running.send("PATCH", "/device_settings", { player_name: "Stairs" });
    const before = await stateOf(running);

    const contents = await running.player
      .backups()
      .examine(Readable.from(archive), "file");
    expect(contents).toMatchObject({
      maker: "vitrine",
      madeBy: { player: "Lobby" },
      playlists: ["Lunch"],
      filesCount: 2,
      settings: [{ name: "player_name", now: "Stairs", then: "Lobby" }],
    });
    expect(
      contents.assets.map(({ name, kind, isEnabled }) => [
        ...[name, kind, isEnabled],
      ]),
    ).toEqual([
      ["Summer", "image", true],
      ["Off", "image", false],
    ]);
    expect(await stateOf(running)).toEqual(before);
    expect(await leftAside(running.dataDir)).toEqual([]);
  });

  it("reports what an Anthias archive holds and which of its assets cannot be shown here", async () => {
    const running = await startPlayer();
    const { main } = await peerDatabase(newestTable, [
      row("a", { name: "Kept" }),
      row("b", { name: "Its file is missing" }),
    ]);
    const archive = tarGz([
      { path: ".anthias/anthias.db", content: main },
      {
        path: `anthias_assets/${"a".repeat(32)}.png`,
        content: png([1, 2, 3]),
      },
    ]);
    const contents = await running.player
      .backups()
      .examine(Readable.from(archive), "file");
    expect(contents).toMatchObject({ maker: "anthias", madeBy: null });
    expect(contents.connections).toEqual([]);
    expect(
      contents.assets.map(({ name, problem }) => [name, problem !== null]),
    ).toEqual([
      ["Kept", false],
      ["Its file is missing", true],
    ]);
    expect(await running.list()).toEqual([]);
  });

  it("lists the content services it knows, without their tokens; offline bundles do not count", async () => {
    const running = await startSync();
    const plan = await running.sync.addConnection(
      {
        ...{ ...connectionDefaults, name: "Stick", isEnabled: false },
        baseUrl: `http://0a1b2c3d.0123456789abcdef${planHostEnding}`,
      },
      "none",
    );
    const { id } = await running.sync.addConnection(
      {
        ...{ ...connectionDefaults, name: "Office", isEnabled: false },
        baseUrl: "http://127.0.0.1:9",
      },
      "a-token",
    );
    const archive = await backup(running);
    for (const one of [plan.id, id])
      await running.sync.removeConnection(one, false);
    const contents = await running.player
      .backups()
      .examine(Readable.from(archive), "file");
    expect(contents.connections).toEqual([
      { id, name: "Office", origin: "http://127.0.0.1:9", isEnabled: false },
    ]);
    expect(running.sync.connections()).toEqual([]);
  });

  it("fails with the same messages as a recovery would", async () => {
    const running = await startPlayer();
    await expect(
      running.player.backups().examine(Readable.from(Buffer.from("x")), "file"),
    ).rejects.toMatchObject({
      code: "invalid",
      fields: { file: [expect.any(String)] },
    });
    expect(await leftAside(running.dataDir)).toEqual([]);
  });
});
