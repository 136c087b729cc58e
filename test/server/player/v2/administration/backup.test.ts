// API v2: creating, naming and streaming backup archives.

import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../../../server/platform/sqlite/sqlite.ts";
import { membersOf, sha256 } from "../../../../support/player/archives.ts";
import {
  fetchArchive,
  makeBackup as make,
} from "../../../../support/player/backups.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { png } from "../../../../support/media/media.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

const day = "2026-01-01T00-00-00";

interface Manifest {
  readonly members: readonly { path: string; size: number; sha256: string }[];
}

function manifestOf(archive: Buffer): Manifest & Record<string, unknown> {
  return JSON.parse(String(membersOf(archive)[0]?.content)) as never;
}

/** Result of a query on an archive's database. */
async function queryArchive(archive: Buffer, sql: string): Promise<unknown[]> {
  const database = membersOf(archive).find(({ path }) => path === "vitrine.db");
  const file = path.join(await temporaryFolder(), "vitrine.db");
  await writeFile(file, database?.content ?? "");
  const opened = openSqlite(file);
  try {
    return opened.prepare(sql).all();
  } finally {
    opened.close();
  }
}

async function leftAside(dataDir: string): Promise<string[]> {
  const dirs = ["backups/aside", "files/aside"];
  const found = await Promise.all(
    dirs.map((dir) => readdir(path.join(dataDir, dir)).catch(() => [])),
  );
  return found.flat();
}

describe("backup", () => {
  it("[V2-27] [V2-40] packs a manifest, the database and the files its rows need", async () => {
    const running = await startPlayer({ version: "1.2.3" });
    const { add, send, dataDir, upload } = running;
    await send("PATCH", "/device_settings", { player_name: "Lobby" });
    const bytes = png([1, 2, 3]);
    await add({ name: "one" }, bytes);
    await add({ name: "the same again" }, bytes);
    await upload(png([200, 2, 3]));
    const name = await make(running);
    expect(name).toBe(`Lobby-backup-${day}.tar.gz`);
    const archive = await fetchArchive(running, name);
    const members = membersOf(archive);
    expect(members.map((member) => member.path)).toEqual([
      "manifest.json",
      "vitrine.db",
      `files/${sha256(bytes)}`,
    ]);
    const manifest = manifestOf(archive);
    expect(manifest).toMatchObject({
      product: "vitrine",
      format: 1,
      version: "1.2.3",
      created: "2026-01-01T00:00:00.000Z",
      player: "Lobby",
    });
    for (const { path: where, size, sha256: hash } of manifest.members) {
      const content = members.find((member) => member.path === where)?.content;
      expect(content).toHaveLength(size);
      expect(sha256(content ?? "")).toBe(hash);
    }
    expect(await queryArchive(archive, "SELECT name FROM assets")).toEqual([
      { name: "one" },
      { name: "the same again" },
    ]);
    expect(await leftAside(dataDir)).toEqual([]);
  });

  it("[V2-41] contains no token and no pending upload, not even in freed database pages", async () => {
    const running = await startPlayer();
    const { upload, dataDir } = running;
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database
      .prepare(
        "INSERT INTO tokens (id, name, hash, created_at) VALUES ('i', 'SECRET-NAME', zeroblob(32), 0)",
      )
      .run();
    database.exec("INSERT INTO settings VALUES ('gone', 'SECRET-GONE')");
    database.exec("DELETE FROM settings WHERE name = 'gone'");
    database.close();
    const { body } = await upload(png([7, 7, 7]));
    const archive = await fetchArchive(running, await make(running));
    const bytes = gunzipSync(archive).toString("latin1");
    expect(bytes).not.toContain("SECRET");
    expect(bytes).not.toContain(String(body.uri).slice("upload:".length));
    expect(membersOf(archive)).toHaveLength(2);
    const query = "SELECT (SELECT count(*) FROM tokens) AS tokens";
    expect(await queryArchive(archive, query)).toEqual([{ tokens: 0 }]);
  });

  it("[V2-40] gives each archive its own name, within one second and concurrently", async () => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", { player_name: "A" });
    const names = await Promise.all(
      Array.from({ length: 6 }, () => make(running)),
    );
    expect([...names].sort()).toEqual([
      ...[2, 3, 4, 5, 6].map((n) => `A-backup-${day}-${n}.tar.gz`),
      `A-backup-${day}.tar.gz`,
    ]);
    const sizes = await Promise.all(
      names.map(async (name) => (await fetchArchive(running, name)).length),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(200);
  });

  it.each([
    { name: "../../x", safe: "x" },
    { name: "C:\\Windows\\.. \u0001", safe: "C-Windows" },
    { name: "CON.x", safe: "CON-x" },
    { name: "📺", safe: "vitrine" },
    { name: "Foyer 📺 EG", safe: "Foyer-EG" },
    { name: "x".repeat(200), safe: "x".repeat(120) },
    { name: "漢".repeat(200), safe: "漢".repeat(40) },
    { name: "שלום \u202Egpj.exe", safe: "שלום-gpj-exe" },
    { name: "\u0301a\u0308", safe: "ä" },
    { name: "a/b?c=d&e%2F#f", safe: "a-b-c-d-e-2F-f" },
  ])("[V2-40] makes the name $name safe", async ({ name, safe }) => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", { player_name: name });
    const created = await make(running);
    expect(created).toBe(`${safe}-backup-${day}.tar.gz`);
    expect(await readdir(path.join(running.dataDir, "backups"))).toContain(
      created,
    );
    const answer = await running.request(
      `/backups/${encodeURIComponent(created)}`,
    );
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename/);
    const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
    if (encoded) expect(decodeURIComponent(encoded)).toBe(created);
    else expect(disposition).toContain(created);
    await answer.arrayBuffer();
  });

  it("[V2-44] streams one without leaving anything on disk", async () => {
    const running = await startPlayer();
    const { request, dataDir, add } = running;
    await running.send("PATCH", "/device_settings", { player_name: "A" });
    await add();
    const answer = await request("/backup?stream=1", { method: "POST" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/gzip");
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename=A-backup-${day}.tar.gz`,
    );
    const archive = Buffer.from(await answer.arrayBuffer());
    expect(membersOf(archive)).toHaveLength(3);
    expect(await readdir(path.join(dataDir, "backups"))).toEqual(["aside"]);
    await expect.poll(() => leftAside(dataDir)).toEqual([]);
  });

  it("[V2-44] leaves nothing of a stream that its client aborts", async () => {
    const running = await startPlayer();
    const { request, dataDir, upload, send } = running;
    // More than the buffers on the way hold.
    const noise = Buffer.concat([png([1, 1, 1]), randomBytes(30_000_000)]);
    const { body } = await upload(noise);
    await send("POST", "/assets", {
      ...completeBody,
      ...body,
      mimetype: "image",
    });
    const abort = new AbortController();
    const answer = await request("/backup?stream=1", {
      method: "POST",
      signal: abort.signal,
    });
    await answer.body?.getReader().read();
    expect(await leftAside(dataDir)).toHaveLength(1);
    abort.abort();
    await expect.poll(() => leftAside(dataDir)).toEqual([]);
  });

  it("[V2-45] is a consistent snapshot while assets are added and removed, every row with its bytes", async () => {
    const running = await startPlayer();
    const { add, request } = running;
    const assets = [];
    for (let count = 0; count < 30; count += 1) assets.push(await add());
    const churn = (async () => {
      for (const { asset_id: id } of assets) {
        await request(`/assets/${id}`, { method: "DELETE" });
        await add();
      }
    })();
    const archives: Buffer[] = [];
    for (let count = 0; count < 5; count += 1) {
      const answer = await request("/backup?stream=1", { method: "POST" });
      archives.push(Buffer.from(await answer.arrayBuffer()));
    }
    await churn;
    for (const archive of archives) {
      const rows = await queryArchive(
        archive,
        "SELECT DISTINCT file_hash FROM assets ORDER BY file_hash",
      );
      const files = membersOf(archive)
        .map(({ path: where, content }) => ({ where, content }))
        .filter(({ where }) => where.startsWith("files/"));
      for (const { where, content } of files)
        expect(where).toBe(`files/${sha256(content ?? "")}`);
      expect(
        files.map(({ where }) => where.slice("files/".length)).sort(),
      ).toEqual(
        (rows as { file_hash: string }[]).map(({ file_hash: hash }) => hash),
      );
      expect(
        await queryArchive(archive, "SELECT problem FROM assets WHERE problem"),
      ).toEqual([]);
    }
    // Files that were kept for it are released afterwards.
    await expect
      .poll(async () => keptFiles(running.dataDir))
      .toHaveLength(assets.length);
  });

  it("[V2-45] keeps an asset whose bytes were lost or have changed, with the reason", async () => {
    const running = await startPlayer();
    const { add, dataDir } = running;
    const images = [png([1, 0, 0]), png([2, 0, 0]), png([3, 0, 0])];
    for (const bytes of images) await add({ name: sha256(bytes) }, bytes);
    const [lost = "", rotten = "", audio = ""] = images.map(sha256);
    const fileOf = (hash: string) =>
      path.join(dataDir, "files/kept", hash.slice(0, 2), hash);
    await rm(fileOf(lost));
    const { size } = await stat(fileOf(rotten));
    await writeFile(fileOf(rotten), Buffer.alloc(size, 1));
    const archive = await fetchArchive(running, await make(running));
    expect(membersOf(archive).map((member) => member.path)).toEqual([
      "manifest.json",
      "vitrine.db",
      `files/${audio}`,
    ]);
    expect(
      await queryArchive(
        archive,
        "SELECT name, file_hash, problem FROM assets ORDER BY created",
      ),
    ).toEqual([
      { name: lost, file_hash: null, problem: expect.any(String) },
      { name: rotten, file_hash: null, problem: expect.any(String) },
      { name: audio, file_hash: audio, problem: null },
    ]);
    // The same content is uploaded again, and is intact.
    await running.upload(images[1] ?? Buffer.alloc(0));
    const healed = membersOf(await fetchArchive(running, await make(running)));
    expect(healed.map((member) => member.path)).toContain(`files/${rotten}`);
  });

  it("[V2-46] is 507 where the disk's reserve would be used, and leaves nothing", async () => {
    const { request, dataDir } = await startPlayer({ reserveBytes: 2 ** 60 });
    for (const route of ["/backup", "/backup?stream=1"]) {
      const answer = await answerOf(await request(route, { method: "POST" }));
      expect(answer.status).toBe(507);
      expect(answer.body.detail).toMatch(/reserve/);
    }
    await expect.poll(() => leftAside(dataDir)).toEqual([]);
    expect(await readdir(path.join(dataDir, "backups"))).toEqual(["aside"]);
  });

  it("deletes at start what a kill left behind", async () => {
    const dataDir = await temporaryFolder();
    const left = path.join(dataDir, "backups/aside/0123456789abcdef");
    await mkdir(left, { recursive: true });
    await writeFile(path.join(left, "vitrine.db"), "half");
    await startPlayer({ dataDir });
    expect(await leftAside(dataDir)).toEqual([]);
  });
});

async function keptFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, "files/kept"), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
