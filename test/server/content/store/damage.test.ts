// A damaged SQLite database of the content service: restored from its latest backup, or rejected with a message.

import { existsSync } from "node:fs";
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { readContentConfig } from "../../../../server/content/config.ts";
import { Failure } from "../../../../server/core/failure.ts";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { damageBySeed } from "../../../support/database/damage.ts";
import {
  temporaryFolder,
  untilAllHaveRun,
  type AtEnd,
} from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import {
  runContent,
  serveContent,
  startContent,
  type ContentClient,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import { hasModes } from "../../../support/file-modes.ts";

const seeds = process.env.VITRINE_LONG === "1" ? 200 : 10;

interface Sound {
  readonly dataDir: string;
  readonly rows: string;
}

/** Made once, as it takes a second, and copied for each test. */
let original: Sound = { dataDir: "", rows: "" };

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    original = await makeSoundFolder(atEnd);
  }),
);

async function soundFolder(): Promise<Sound> {
  return { ...original, dataDir: await copyOf(original.dataDir) };
}

/** A folder with rows in every relevant state, and today's backup of them. */
async function makeSoundFolder(atEnd: AtEnd): Promise<Sound> {
  const dataDir = path.join(await temporaryFolder(atEnd), "data");
  const content = await startContent(dataDir, { firstBackupMs: 86_400_000 });
  const { add, upload } = content;
  const [group] = await add("/v4/asset-groups", { title: "Group" });
  for (let index = 0; index < 3; index += 1) {
    const { status } = await upload(png([index, 9, 9]), {
      title: `Image ${index}`,
    });
    expect(status).toBe(201);
  }
  const pages = Array.from({ length: 60 }, (_, index) => ({
    ...{ title: `Page ${index}`, asset_group_id: group?.id },
    ...{ source_url: `http://127.0.0.1:9/${index}.png` },
    metadata: { place: "x".repeat(index * 20) },
  }));
  const assets = await add("/v4/assets", pages);
  const [playlist] = await add("/v4/playlists", { title: "List" });
  await add(
    "/v4/playlist-items",
    assets.map(({ id }) => ({
      ...{ asset_id: id, playlist_id: playlist?.id, duration: 5 },
    })),
  );
  await add("/v4/labels", { name: "Lobby" });
  const waiting = "/v4/assets?status=in.(none,downloading,processing)";
  await vi.waitUntil(async () => (await content.rows(waiting)).length === 0);
  await content.stop();
  const again = await startContent(dataDir, { firstBackupMs: 0 });
  await vi.waitUntil(
    async () => (await namesIn(dataDir, "backups")).length === 1,
  );
  const rows = await rowsOf(again);
  await again.stop();
  return { dataDir, rows };
}

async function namesIn(dataDir: string, folder: string) {
  const names = await readdir(path.join(dataDir, folder)).catch(() => []);
  return names.filter((name) => !name.includes(".part"));
}

/** Identities and relations of the rows. */
async function rowsOf({ rows }: ContentClient): Promise<string> {
  const all = await Promise.all([
    rows(
      "/v4/assets?select=id,title,type,status,asset_group_id,md5,source_url,metadata&order=id",
    ),
    rows("/v4/asset-groups?order=id"),
    rows("/v4/playlists?order=id"),
    rows("/v4/playlist-items?order=id"),
    rows("/v4/labels?order=id"),
  ]);
  return JSON.stringify(all);
}

async function copyOf(dataDir: string): Promise<string> {
  const copy = path.join(await temporaryFolder(), "data");
  await cp(dataDir, copy, { recursive: true });
  return copy;
}

/** What SQLite can say about a database: its schema, and the results of its checks. */
async function examined(bytes: Buffer): Promise<unknown> {
  const file = path.join(await temporaryFolder(), "examined.db");
  await writeFile(file, bytes);
  try {
    const database = openSqlite(file);
    try {
      const schema = database.prepare("SELECT * FROM sqlite_schema").all();
      const checks = ["integrity_check(1)", "foreign_key_check"];
      return [schema, ...checks.map((check) => database.pragma(check))];
    } finally {
      database.close();
    }
  } catch (error) {
    return String(error);
  }
}

/** SQLite has no checksums: a value that was changed without violating anything is noticed by no check (V4-301). */
async function isUnnoticeable(damaged: Buffer, sound: Buffer) {
  return isDeepStrictEqual(await examined(damaged), await examined(sound));
}

type Start = StartedContent | { readonly refusal: string };

async function tryStart(dataDir: string): Promise<Start> {
  try {
    return await startContent(dataDir, { firstBackupMs: 86_400_000 });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { refusal: error.message };
  }
}

/** Opened with the right rows; otherwise the error, or what is wrong. */
async function outcomeOf(dataDir: string, right: string): Promise<string> {
  const started = await tryStart(dataDir);
  if ("refusal" in started) return started.refusal;
  try {
    return (await rowsOf(started)) === right ? "right" : "other rows";
  } finally {
    await started.stop();
  }
}

describe("a damaged SQLite database of the content service", () => {
  it(`[V4-301] is correct, or is restored from its backup, wherever a check of SQLite can tell, with each of ${seeds} seeds of damage`, async () => {
    const { dataDir, rows } = await soundFolder();
    const wrong: string[] = [];
    let restored = 0;
    let unnoticeable = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      const copy = await copyOf(dataDir);
      const file = path.join(copy, "content.db");
      const sound = await readFile(file);
      const what = await damageBySeed(file, seed);
      const damaged = await readFile(file);
      const outcome = await outcomeOf(copy, rows).catch(String);
      if (outcome === "other rows" && (await isUnnoticeable(damaged, sound)))
        unnoticeable += 1;
      else if (outcome !== "right") wrong.push(`${seed}, ${what}: ${outcome}`);
      if (existsSync(path.join(copy, "damaged"))) restored += 1;
      await rm(copy, { recursive: true });
    }
    expect(wrong).toEqual([]);
    expect(restored).toBeGreaterThan(seeds / 4);
    expect(unnoticeable).toBeLessThanOrEqual(seeds / 10);
  });

  it(`[V4-301] is correct, or rejected with a message that says what to do, where there is no backup and a check of SQLite can tell, with each of ${seeds} seeds`, async () => {
    const { dataDir, rows } = await soundFolder();
    await rm(path.join(dataDir, "backups"), { recursive: true });
    const wrong: string[] = [];
    let refused = 0;
    let unnoticeable = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      const copy = await copyOf(dataDir);
      const file = path.join(copy, "content.db");
      const sound = await readFile(file);
      const what = await damageBySeed(file, seed);
      const damaged = await readFile(file);
      const outcome = await outcomeOf(copy, rows).catch(String);
      if (outcome === "other rows" && (await isUnnoticeable(damaged, sound)))
        unnoticeable += 1;
      else if (outcome !== "right") {
        refused += 1;
        if (
          !/^The database .*content\.db is damaged \(.*Replace it with a copy of your own, or move it away to start with an empty one\.$/s.test(
            outcome,
          )
        )
          wrong.push(`${seed}, ${what}: ${outcome}`);
        // It is left unchanged for a person who may be able to repair it.
        expect(await readFile(file)).toEqual(damaged);
      }
      await rm(copy, { recursive: true });
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(seeds / 4);
    expect(unnoticeable).toBeLessThanOrEqual(seeds / 10);
  });

  it("[V4-301] is reported as restored on standard error, in the log and in /health, and the damaged file is kept", async () => {
    const { dataDir, rows } = await soundFolder();
    const file = path.join(dataDir, "content.db");
    const garbage = Buffer.alloc(8192, 0xa7);
    await writeFile(file, garbage);
    await rm(path.join(dataDir, "log"), { recursive: true, force: true });
    // The folder of files is not a database: the command line prints its message and exits.
    const port = ["--port", "0", "--tls-cert", "none", "--tls-key", "none"];
    const { code, complained } = await runContent(
      "--data-dir",
      dataDir,
      ...port,
    );
    expect([code, complained.split("\n").length]).toEqual([1, 3]);
    expect(complained).toMatch(
      /^The database was damaged \(.*\) and has been restored from its backup of \d{4}-\d\d-\d\d\. The damaged file is kept in damaged\/.*\.\n/,
    );
    const [aside = ""] = await namesIn(dataDir, "damaged");
    expect(
      await readFile(path.join(dataDir, "damaged", aside, "content.db")),
    ).toEqual(garbage);
    expect(
      await readFile(path.join(dataDir, "log", "vitrine.log"), "utf8"),
    ).toContain("store.restored");
    const content = await startContent(dataDir);
    expect(await rowsOf(content)).toBe(rows);
    const health = await fetch(`${content.address}/health`);
    expect(await health.json()).toEqual({
      status: "ok",
      restored: complained.split("\n")[0],
    });
  });

  it("[V4-301] is one database for all instances that start at once in a new folder", async () => {
    const dataDir = path.join(await temporaryFolder(), "data");
    const all = await Promise.all(
      [1, 2, 3].map(() => startContent(dataDir, { firstBackupMs: 86_400_000 })),
    );
    for (const [at, { add }] of all.entries())
      await add("/v4/asset-groups", { title: `Group ${at}` });
    for (const { request } of all)
      expect(
        await (
          await request("/v4/asset-groups?select=title&order=title")
        ).json(),
      ).toEqual([0, 1, 2].map((at) => ({ title: `Group ${at}` })));
    expect(await readdir(dataDir)).not.toContain("damaged");
  });

  it("[V4-301] is rejected, and not replaced, while another instance has it open", async () => {
    const { dataDir } = await soundFolder();
    const first = await startContent(dataDir);
    const file = path.join(dataDir, "content.db");
    const audio = await readFile(file);
    await writeFile(file, Buffer.alloc(audio.length, 0xa7));
    await expect(startContent(dataDir)).rejects.toThrow(
      /damaged.*in use by another instance of the service\. Stop all instances/,
    );
    expect(await readdir(dataDir)).not.toContain("damaged");
    await first.stop();
    const again = await startContent(dataDir);
    expect((await again.request("/v4/assets?limit=1")).status).toBe(200);
    expect(await readdir(dataDir)).toContain("damaged");
  });

  it("[V4-301] is rejected on the command line with one message, without a stack", async () => {
    const { dataDir } = await soundFolder();
    await rm(path.join(dataDir, "backups"), { recursive: true });
    await writeFile(path.join(dataDir, "content.db"), Buffer.alloc(9000, 1));
    const serving = await runContent("--data-dir", dataDir, "--port", "0");
    expect(serving).toMatchObject({
      code: 1,
      complained: expect.stringMatching(
        /^The database .* is damaged .*\.\n$/,
      ) as string,
    });
    // Keys can be created while the service runs: its database is not replaced under it.
    const keys = await runContent("keys", "list", "--data-dir", dataDir);
    expect(keys).toMatchObject({
      code: 1,
      complained: expect.stringMatching(
        /^The database .* is damaged .*\. Start the service .*\.\n$/,
      ) as string,
    });
  });

  it("[V4-301] is restored where it is missing or empty, and a new folder starts with a new one", async () => {
    const { dataDir, rows } = await soundFolder();
    const gone = await copyOf(dataDir);
    await rm(path.join(gone, "content.db"));
    expect(await outcomeOf(gone, rows)).toBe("right");
    const empty = await copyOf(dataDir);
    await writeFile(path.join(empty, "content.db"), "");
    expect(await outcomeOf(empty, rows)).toBe("right");
    const fresh = path.join(await temporaryFolder(), "fresh");
    const started = await startContent(fresh);
    expect(await started.rows("/v4/assets")).toEqual([]);
  });

  it("[V4-301] loses no file in a restore, and the rows with a missing file are reported", async () => {
    const { dataDir } = await soundFolder();
    const content = await startContent(dataDir);
    const [kept] = await content.rows<{ id: string; asset_url: string }>(
      "/v4/assets?title=eq.Image 0",
    );
    const remove = async (title: string): Promise<void> => {
      const [row] = await content.rows(`/v4/assets?title=eq.${title}`);
      const { ok } = await content.request(`/v4/assets?id=eq.${row?.id}`, {
        method: "DELETE",
      });
      expect(ok).toBe(true);
    };
    await remove("Image 1");
    await content.upload(png([200, 1, 1]), { title: "Newer" });
    await expect
      .poll(() => content.rows("/v4/assets?title=eq.Newer&status=eq.finished"))
      .toHaveLength(1);
    const files = (): Promise<string[]> =>
      readdir(path.join(dataDir, "files", "kept"), { recursive: true });
    // The file of a deleted asset is deleted, with its preview.
    const before = (await files()).length;
    await remove("Image 2");
    await expect.poll(async () => (await files()).length).toBeLessThan(before);
    await content.stop();
    const left = await files();
    await writeFile(path.join(dataDir, "content.db"), Buffer.alloc(9000, 1));
    const again = await startContent(dataDir, { sweepAfterMs: 0 });
    await expect
      .poll(() =>
        again.rows(
          "/v4/assets?title=like.Image*&select=title,status,processing_error&order=title",
        ),
      )
      .toEqual([
        { title: "Image 0", status: "finished", processing_error: "" },
        ...["Image 1", "Image 2"].map((title) => ({
          ...{ title, status: "error" },
          processing_error: "Its file was lost when the database was restored.",
        })),
      ]);
    expect(
      (
        await fetch(
          String(
            (
              await again.rows<{ asset_url: string }>(
                `/v4/assets?id=eq.${kept?.id}`,
              )
            )[0]?.asset_url,
          ),
        )
      ).status,
    ).toBe(200);
    expect(await files()).toEqual(expect.arrayContaining(left));
  });

  it("[L-32] invalidates every revision that players received before", async () => {
    const { dataDir } = await soundFolder();
    const revision = (): number => {
      const database = openSqlite(path.join(dataDir, "content.db"));
      const found = database
        .prepare<[], number>("SELECT max(revision) FROM team_changes")
        .pluck()
        .get();
      database.close();
      return found ?? 0;
    };
    const content = await startContent(dataDir);
    for (let index = 0; index < 5; index += 1) {
      await content.add("/v4/assets", { title: `Later ${index}` });
      const reported = revision();
      await expect.poll(revision).not.toBe(reported - 1);
    }
    await content.stop();
    const reported = revision();
    await writeFile(path.join(dataDir, "content.db"), Buffer.alloc(9000, 1));
    await (await startContent(dataDir)).stop();
    expect(revision()).toBeGreaterThan(reported);
  });
});

describe("backups of SQLite", () => {
  it("[V4-300] are made once a day while requests are served, kept for a week, readable by their owner alone", async () => {
    const dataDir = path.join(await temporaryFolder(), "data");
    await (await startContent(dataDir)).stop();
    await mkdir(path.join(dataDir, "backups"), { recursive: true });
    const older = Array.from(
      { length: 9 },
      (_, day) => `content-2020-01-1${day}.db`,
    );
    for (const name of older)
      await writeFile(path.join(dataDir, "backups", name), "");
    const content = await startContent(dataDir, { firstBackupMs: 0 });
    await content.add("/v4/assets", { title: "One" });
    await expect.poll(() => namesIn(dataDir, "backups")).toHaveLength(7);
    const names = await namesIn(dataDir, "backups");
    const today = names.sort().at(-1) ?? "";
    expect(names).toEqual([...older.slice(3), today]);
    const { mode, size } = await stat(path.join(dataDir, "backups", today));
    expect(size).toBeGreaterThan(0);
    if (hasModes) expect((mode & 0o777).toString(8)).toBe("600");
    const folder = await stat(path.join(dataDir, "backups"));
    if (hasModes) expect((folder.mode & 0o777).toString(8)).toBe("700");
    await content.stop();
    // There is already one of the same day.
    const again = await startContent(dataDir, { firstBackupMs: 0 });
    await again.add("/v4/assets", { title: "Two" });
    await again.stop();
    expect(await namesIn(dataDir, "backups")).toEqual(names);
  });

  it("[V4-300] are consistent snapshots, and block no writer", async () => {
    const dataDir = path.join(await temporaryFolder(), "data");
    const filled = await startContent(dataDir);
    await filled.add(
      "/v4/assets",
      Array.from({ length: 1000 }, () => ({ title: "x".repeat(4000) })),
    );
    await filled.stop();
    const content = await startContent(dataDir, { firstBackupMs: 0 });
    let written = 0;
    const isMade = async (): Promise<boolean> =>
      (await namesIn(dataDir, "backups")).length > 0;
    while (!(await isMade())) {
      await content.add("/v4/asset-groups", { title: `Group ${written}` });
      written += 1;
    }
    expect(written).toBeGreaterThan(1);
    const [name = ""] = await namesIn(dataDir, "backups");
    const backup = openSqlite(path.join(dataDir, "backups", name));
    const titles = backup
      .prepare<[], string>("SELECT title FROM asset_groups ORDER BY id")
      .pluck()
      .all();
    backup.close();
    expect(titles).toEqual(titles.map((_, index) => `Group ${index}`));
    expect(titles.length).toBeLessThanOrEqual(written);
  });

  it("[V4-300] are kept intact when the database turns out to be damaged, and /health reports it", async () => {
    const { dataDir } = await soundFolder();
    const [name = ""] = await namesIn(dataDir, "backups");
    const audio = path.join(dataDir, "backups", "content-2020-01-01.db");
    await cp(path.join(dataDir, "backups", name), audio);
    await rm(path.join(dataDir, "backups", name));
    const database = openSqlite(path.join(dataDir, "content.db"));
    const root = database
      .prepare<[], number>(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'playlists'",
      )
      .pluck()
      .get();
    database.close();
    const content = await startContent(dataDir, { firstBackupMs: 500 });
    const bytes = await readFile(path.join(dataDir, "content.db"));
    bytes.fill(0xa7, ((root ?? 1) - 1) * 4096, (root ?? 1) * 4096);
    await writeFile(path.join(dataDir, "content.db"), bytes);
    await expect
      .poll(async () => (await fetch(`${content.address}/health`)).json())
      .toMatchObject({
        backup_problem: expect.stringMatching(
          /^The database is damaged/,
        ) as string,
      });
    expect(await namesIn(dataDir, "backups")).toEqual([
      "content-2020-01-01.db",
    ]);
  });

  it("[V4-300] are complete when two instances on one folder make them at once", async () => {
    const dataDir = path.join(await temporaryFolder(), "data");
    await (await startContent(dataDir)).stop();
    const both = await Promise.all(
      [0, 0].map((firstBackupMs) => startContent(dataDir, { firstBackupMs })),
    );
    await expect.poll(() => namesIn(dataDir, "backups")).toHaveLength(1);
    for (const each of both) await each.stop();
    const names = await readdir(path.join(dataDir, "backups"));
    expect(names).toHaveLength(1);
    const backup = openSqlite(path.join(dataDir, "backups", names[0] ?? ""));
    expect(backup.pragma("integrity_check", { simple: true })).toBe("ok");
    backup.close();
  });

  it("[V4-300] are as many as configured, or none", async () => {
    const config = readContentConfig(
      ["--data-dir", "x", "--backups-kept", "0"],
      {},
    );
    expect(config).toMatchObject({ ok: true, value: { backupsKept: 0 } });
    const dataDir = path.join(await temporaryFolder(), "data");
    const content = await startContent(dataDir, {
      ...{ firstBackupMs: 0, backupsKept: 0 },
    });
    await content.add("/v4/assets", { title: "One" });
    await content.stop();
    expect(await namesIn(dataDir, "backups")).toEqual([]);
  });
});

describe("the write-ahead log of a killed service", () => {
  /** Acknowledged rows exist in the write-ahead log alone. */
  async function killed(): Promise<{ dataDir: string; journal: string }> {
    const dataDir = await temporaryFolder();
    const content = await serveContent(dataDir);
    for (let index = 0; index < 30; index += 1)
      await content.add("/v4/labels", { name: `Label ${index}` });
    const isGone = new Promise((resolve) =>
      content.process.once("exit", resolve),
    );
    content.process.kill("SIGKILL");
    await isGone;
    return { dataDir, journal: path.join(dataDir, "content.db-wal") };
  }

  it("[V4-327] that is damaged in its middle is read up to there, kept, and reported", async () => {
    const { dataDir, journal } = await killed();
    const bytes = await readFile(journal);
    // The frame of rows shortly before the last ones.
    bytes.fill(7, bytes.length - 10 * 4_120, bytes.length - 10 * 4_120 + 64);
    await writeFile(journal, bytes);
    const content = await startContent(dataDir);
    const names = await content.rows("/v4/labels?name=like.Label*");
    expect(names.length).toBeGreaterThan(0);
    expect(names.length).toBeLessThan(30);
    const health = await fetch(`${content.address}/health`);
    expect(await health.json()).toEqual({
      status: "ok",
      restored: expect.stringMatching(
        /pages cannot be read because its journal is damaged/,
      ),
    });
    const [aside = ""] = await readdir(path.join(dataDir, "damaged"));
    const kept = path.join(dataDir, "damaged", aside, "content.db-wal");
    expect(await readFile(kept)).toEqual(bytes);
  });

  it.each([
    ["is complete", (length: number) => length],
    ["is truncated", (length: number) => length - 5_000],
  ])("[V4-327] that %s is read without a warning", async (_how, lengthOf) => {
    const { dataDir, journal } = await killed();
    const bytes = await readFile(journal);
    await writeFile(journal, bytes.subarray(0, lengthOf(bytes.length)));
    const content = await startContent(dataDir);
    expect(
      (await content.rows("/v4/labels?name=like.Label*")).length,
    ).toBeGreaterThan(20);
    const health = await fetch(`${content.address}/health`);
    expect(await health.json()).toEqual({ status: "ok" });
  });
});
