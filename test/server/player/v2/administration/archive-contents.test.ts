// API v2: examining an archive before it is restored, and restoring a stored one with a way back.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  fetchArchive,
  makeBackup,
} from "../../../../support/player/backups.ts";
import { leftAside, stateOf } from "../../../../support/player/recover.ts";
import {
  answerOf,
  startPlayer,
  type Answer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

async function call(
  { request }: RunningPlayer,
  at: string,
  method = "GET",
): Promise<Answer> {
  return answerOf(await request(at, { method }));
}

async function examineUpload(
  { request }: RunningPlayer,
  bytes: Uint8Array,
): Promise<Answer> {
  const body = new FormData();
  body.set("backup_upload", new Blob([new Uint8Array(bytes)]), "b.tar.gz");
  return answerOf(await request("/backups/contents", { method: "POST", body }));
}

describe("[V2-756] the contents of an archive", () => {
  it("are the same of a stored and an uploaded one, with the settings it would change, and change nothing", async () => {
    const running = await startPlayer();
    await running.add({ name: "Summer" });
    await running.add({ name: "Off", is_enabled: false });
    await running.send("POST", "/playlists", { name: "Lunch" });
    await running.send("PATCH", "/device_settings", { player_name: "A" });
    const name = await makeBackup(running);
    await running.send("PATCH", "/device_settings", { player_name: "B" });
    const before = await stateOf(running);
    const stored = await call(running, `/backups/${name}/contents`);
    expect(stored).toMatchObject({
      status: 200,
      body: {
        ...{ maker: "vitrine", made_by: { player: "A", version: "0.0.0" } },
        assets: [
          { name: "Summer", kind: "image", is_enabled: true, problem: null },
          { name: "Off", kind: "image", is_enabled: false, problem: null },
        ],
        ...{ playlists: ["Lunch"], connections: [], files: 2 },
        settings: [{ name: "player_name", now: "B", then: "A" }],
      },
    });
    const archive = await fetchArchive(running, name);
    const uploaded = await examineUpload(running, archive);
    expect(uploaded).toMatchObject({ status: 200, body: stored.body });
    expect(await stateOf(running)).toEqual(before);
    expect(await leftAside(running.dataDir)).toEqual([]);
  });

  it("are refused of a damaged archive, stored or uploaded, and of an unknown name", async () => {
    const running = await startPlayer();
    const name = await makeBackup(running);
    const archive = await fetchArchive(running, name);
    const half = archive.subarray(0, archive.length / 2);
    await writeFile(path.join(running.dataDir, "backups", name), half);
    const sentence = [expect.any(String) as string];
    expect(await call(running, `/backups/${name}/contents`)).toMatchObject({
      ...{ status: 400, body: { name: sentence } },
    });
    expect(await examineUpload(running, half)).toMatchObject({
      ...{ status: 400, body: { backup_upload: sentence } },
    });
    const unknown = await call(running, "/backups/none.tar.gz/contents");
    expect(unknown.status).toBe(404);
    expect(await call(running, "/backups/contents", "POST")).toMatchObject({
      status: 415,
    });
    expect(await leftAside(running.dataDir)).toEqual([]);
  });

  it("are read of four archives at once, and of the next when one is done", async () => {
    const running = await startPlayer();
    const at = `/backups/${await makeBackup(running)}/contents`;
    const unfinished = Array.from({ length: 4 }, () => new PassThrough());
    const examining = unfinished.map((source) =>
      running.player.backups().examine(source, "file"),
    );
    const refused = await call(running, at);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("2");
    for (const source of unfinished) source.end();
    for (const result of await Promise.allSettled(examining))
      expect(result.status).toBe("rejected");
    expect((await call(running, at)).status).toBe(200);
  });
});

describe("[V2-757] a stored archive", () => {
  it("is restored and stays, with one of the state before, which undoes it", async () => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", { backups_kept: 1 });
    await running.add({ name: "then" });
    const name = await makeBackup(running);
    const then = await stateOf(running);
    await running.clock.advance(1000);
    await running.add({ name: "now" });
    const now = await stateOf(running);
    const restored = await call(running, `/backups/${name}/recover`, "POST");
    const { undo } = restored.body as { undo: string };
    expect(restored.status).toBe(200);
    await expect.poll(() => stateOf(running)).toEqual(then);
    const names = (await running.player.backups().list()).map(
      (archive) => archive.name,
    );
    expect(names).toEqual([undo, name]);
    expect(
      (await call(running, `/backups/${undo}/recover`, "POST")).status,
    ).toBe(200);
    await expect.poll(() => stateOf(running)).toEqual(now);
  });
});
