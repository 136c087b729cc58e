// API v2: stored backup archives: listing, downloading, deleting and pruning.

import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { membersOf } from "../../../../support/player/archives.ts";
import {
  fetchArchive,
  makeBackup as make,
} from "../../../../support/player/backups.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import {
  answerOf,
  startPlayer,
} from "../../../../support/player/start-player.ts";

describe("stored archives", () => {
  it("[V2-42] are listed newest first, downloaded and deleted", async () => {
    const running = await startPlayer();
    const { request, clock, dataDir } = running;
    await running.send("PATCH", "/device_settings", { player_name: "A" });
    const first = await make(running);
    await clock.advance(61_000);
    const second = await make(running);
    await writeFile(path.join(dataDir, "backups", "notes.txt"), "mine");
    await mkdir(path.join(dataDir, "backups", first.replace("A-", "B-")));
    const list = async () => (await answerOf(await request("/backups"))).body;
    const sizeOf = async (name: string) =>
      (await stat(path.join(dataDir, "backups", name))).size;
    expect(await list()).toEqual([
      {
        name: second,
        size: await sizeOf(second),
        created: "2026-01-01T00:01:01Z",
      },
      {
        name: first,
        size: await sizeOf(first),
        created: "2026-01-01T00:00:00Z",
      },
    ]);
    const complete = await fetchArchive(running, first);
    // [V2-583] Where the peer's own page sends a browser to.
    for (const [mime, type] of [
      ["application/x-tgz", "application/x-tgz"],
      ["text/html", "application/x-tgz"],
    ] as const) {
      const { apiAddress } = running.player;
      const asPeer = await fetch(
        `${apiAddress}/static_with_mime/${first}?mime=${mime}`,
      );
      expect(asPeer.headers.get("content-type")).toBe(type);
      expect(Buffer.from(await asPeer.arrayBuffer())).toEqual(complete);
    }
    const missing = await fetch(
      `${running.player.apiAddress}/static_with_mime/*/`,
    );
    expect(missing.status).toBe(404);
    expect(missing.headers.get("content-type")).toContain("application/json");
    const part = await request(`/backups/${first}`, {
      headers: { Range: "bytes=0-9" },
    });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(
      complete.subarray(0, 10),
    );
    const size = await sizeOf(first);
    for (const [headers, status] of [
      [{ Range: `bytes=${size}-` }, 416],
      [{ "If-Match": '"another"' }, 412],
    ] as const) {
      const errorResponse = await request(`/backups/${first}`, { headers });
      expect(errorResponse.status).toBe(status);
      expect(errorResponse.headers.get("content-disposition")).toBeNull();
      expect(await errorResponse.json()).toHaveProperty("detail");
    }
    const remove = () => request(`/backups/${first}`, { method: "DELETE" });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it("[V2-42] are downloaded from a hidden folder", async () => {
    const dataDir = path.join(await temporaryFolder(), ".config/player");
    const running = await startPlayer({ dataDir });
    const archive = await fetchArchive(running, await make(running));
    expect(membersOf(archive)).toHaveLength(2);
  });

  it.each([
    "nothing",
    "..%2Fvitrine.db",
    "..%5Cvitrine.db",
    "%2Fetc%2Fpasswd",
    "notes.txt",
    "aside",
    "a%00-backup-2026-01-01T00-00-00.tar.gz",
    "..%2Faside%2Fx-backup-2026-01-01T00-00-00.tar.gz",
    "%FF",
    `${"x".repeat(300)}-backup-2026-01-01T00-00-00.tar.gz`,
  ])("[V2-42] are 404 as %s", async (name) => {
    const { request, dataDir } = await startPlayer();
    await writeFile(path.join(dataDir, "backups", "notes.txt"), "mine");
    for (const method of ["GET", "DELETE"]) {
      const { status } = await request(`/backups/${name}`, { method });
      expect(status === 404 || status === 400).toBe(true);
    }
    expect(await readdir(path.join(dataDir, "backups"))).toContain("notes.txt");
  });

  it("[V2-43] are pruned to the number of the setting, the new one always among them", async () => {
    const running = await startPlayer();
    const { clock, request } = running;
    await running.send("PATCH", "/device_settings", {
      player_name: "A",
      backups_kept: 2,
    });
    const names: string[] = [];
    for (let createdCount = 0; createdCount < 4; createdCount += 1) {
      names.push(await make(running));
      await clock.advance(1000);
    }
    const list = async () =>
      (
        (await answerOf(await request("/backups"))).body as { name: string }[]
      ).map(({ name }) => name);
    expect(await list()).toEqual([names[3], names[2]]);
    // The clock was wrong once, and was set right.
    clock.jumpTo(Date.UTC(2020, 0, 1));
    const newest = await make(running);
    expect(await list()).toEqual([names[3], newest]);
  });

  it("[V2-28] are not pruned by the safety backup while about to be restored", async () => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", { backups_kept: 1 });
    const chosen = await make(running);
    await running.clock.advance(1000);
    const backups = running.player.backups();
    const wayBack = await backups.create(chosen);
    const names = (await backups.list()).map(({ name }) => name);
    expect(names).toEqual([wayBack, chosen]);
    await running.clock.advance(1000);
    const newest = await backups.create();
    expect((await backups.list()).map(({ name }) => name)).toEqual([newest]);
  });
});
