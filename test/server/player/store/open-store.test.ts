// Damaged database: set aside and reported, rebuilt from the best source, while the screen keeps playing and no file is downloaded
// twice.

import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import {
  rootOf,
  somePlayer,
  spoil,
} from "../../../support/player/damaged-store.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

type Spoiling = (dataDir: string) => Promise<unknown>;

/** Every way in which an SQLite file can be damaged. */
const spoilings: Readonly<Record<string, Spoiling>> = {
  "garbage in its pages": (dir) =>
    spoil(path.join(dir, "vitrine.db"), (page) => page % 2 === 0),
  "garbage from the first byte on": (dir) =>
    spoil(path.join(dir, "vitrine.db"), (page) => page === 1),
  "a table of garbage": (dir) => {
    const root = rootOf(dir, "assets");
    return spoil(path.join(dir, "vitrine.db"), (page) => page === root);
  },
  "its second half cut off": async (dir) => {
    const file = path.join(dir, "vitrine.db");
    await truncate(file, Math.floor((await stat(file)).size / 2));
  },
  "no byte left": (dir) => truncate(path.join(dir, "vitrine.db"), 0),
  "the file gone": (dir) => rm(path.join(dir, "vitrine.db")),
  "a journal of garbage": (dir) =>
    writeFile(path.join(dir, "vitrine.db-wal"), Buffer.alloc(8192, 0x5b)),
};

const infoOf = async (running: RunningPlayer): Promise<any> =>
  (await running.request("/info")).json();
const read = async (running: RunningPlayer, what: string): Promise<any> =>
  (await running.request(what)).json();

describe("a damaged database", () => {
  it("[V2-326] [V2-327] is set aside and reported, and everything is restored", async () => {
    const complete = await somePlayer();
    const { dataDir } = complete;
    const before = await complete.list();
    const lists = await read(complete, "/playlists");
    expect(await infoOf(complete)).toMatchObject({ store_rebuilt: null });
    await complete.player.stop();
    for (const [what, spoilIt] of Object.entries(spoilings)) {
      await spoilIt(dataDir);
      const again = await startPlayer({ dataDir });
      expect(await again.list(), what).toEqual(before);
      expect(await read(again, "/playlists"), what).toEqual(lists);
      expect(again.player.isPlaying(), what).toBe(true);
      const { store_rebuilt: rebuilt } = await infoOf(again);
      // An invalid write-ahead log leaves the database as it was when closed.
      const from = what.includes("journal") ? "database" : "copy";
      expect(rebuilt, what).toMatchObject({ from, assets: 2, playlists: 1 });
      if (what === "the file gone") expect(rebuilt.damaged_path).toBeNull();
      else
        expect(
          existsSync(path.join(dataDir, rebuilt.damaged_path, "vitrine.db")),
          what,
        ).toBe(true);
      const reported = await read(again, "/activity?kind=player");
      expect(reported, what).toContainEqual(
        expect.objectContaining({
          action: "rebuilt",
          details: expect.any(String),
        }),
      );
      await again.player.stop();
    }
    // Reported as long as the damaged file is kept; at most two are kept.
    const quiet = await startPlayer({ dataDir });
    expect(await infoOf(quiet)).toMatchObject({
      store_rebuilt: { reason: expect.stringContaining("journal") },
    });
    expect(await readdir(path.join(dataDir, "damaged"))).toHaveLength(2);
  });

  it("[V2-326] keeps its own rows where only the logs are damaged", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    await running.player.stop();
    const root = rootOf(dataDir, "activity");
    // What the copy lacks is in the database itself.
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database.exec("UPDATE assets SET name = 'Newer' WHERE name = 'One'");
    database.close();
    await spoil(path.join(dataDir, "vitrine.db"), (page) => page === root);
    const again = await startPlayer({ dataDir });
    expect((await again.list()).map(({ name }) => name)).toEqual([
      ...["Newer", "Two"],
    ]);
    expect(await infoOf(again)).toMatchObject({
      store_rebuilt: { from: "database" },
    });
  });

  it.each([
    ["a column's name", "duration_seconds", "durbtion_seconds"],
    [
      "a column's default value",
      "no_cache INTEGER NOT NULL DEFAULT 0",
      "no_cache INTEGER NOT NULL DEFAULT 1",
    ],
    [
      "an index",
      "ON assets (play_order, created)",
      "ON assets (play_order, no_cache)",
    ],
  ])(
    "[V2-455] is rebuilt where its schema differs: %s",
    async (_what, right, wrong) => {
      const running = await somePlayer();
      const { dataDir } = running;
      const before = await running.list();
      await running.player.stop();
      const database = openSqlite(path.join(dataDir, "vitrine.db"));
      database.unsafeMode();
      database.pragma("writable_schema = ON");
      const { changes } = database
        .prepare(
          "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE sql LIKE '% assets %' AND instr(sql, ?)",
        )
        .run(right, wrong, right);
      expect(changes).toBeGreaterThan(0);
      database.close();
      const again = await startPlayer({ dataDir });
      expect(await again.list()).toEqual(before);
      expect((await infoOf(again)).store_rebuilt).not.toBeNull();
    },
  );

  it("[V2-455] is rebuilt where its version does not match its tables", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    const before = await running.list();
    await running.player.stop();
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database.pragma("user_version = 4521997");
    database.close();
    const again = await startPlayer({ dataDir });
    expect(await again.list()).toEqual(before);
  });

  it("[V2-455] is left to the newer version that wrote it", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    await running.player.stop();
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database.exec("ALTER TABLE assets ADD COLUMN later TEXT");
    database.pragma("user_version = 9999");
    database.close();
    await expect(startPlayer({ dataDir })).rejects.toThrow("newer version");
    expect(existsSync(path.join(dataDir, "damaged"))).toBe(false);
  });

  it.each(["the file gone", "a table of garbage"])(
    "[V2-305] [V2-326] does not treat later playback entries as reported, with %s",
    async (what) => {
      const running = await somePlayer();
      const { dataDir } = running;
      const { extensionRows } = running.player.forSync;
      extensionRows.saveMemory("aaaaaaaa", { sent: 5000, done: ["an-order"] });
      extensionRows.saveMemory("bbbbbbbb", { sent: 0 });
      await running.player.stop();
      await spoilings[what]?.(dataDir);
      const again = await startPlayer({ dataDir });
      const rows = again.player.forSync.extensionRows;
      const database = openSqlite(path.join(dataDir, "vitrine.db"));
      const newest = database
        .prepare<[], number>("SELECT coalesce(max(number), 0) FROM plays")
        .pluck()
        .get();
      database.close();
      expect(await infoOf(again)).toMatchObject({
        store_rebuilt: { from: "copy" },
      });
      const { sent, done } = rows.memory("aaaaaaaa") as {
        sent: number;
        done: unknown;
      };
      expect([sent <= (newest ?? 0), done]).toEqual([true, ["an-order"]]);
      expect(rows.memory("bbbbbbbb")).toEqual({ sent: 0 });
    },
  );

  it("[V2-326] is rebuilt from the newest backup where there is no copy", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    expect((await running.send("POST", "/backup", {})).status).toBe(201);
    const before = await running.list();
    await running.player.stop();
    await rm(path.join(dataDir, "spare"), { recursive: true });
    await spoil(path.join(dataDir, "vitrine.db"), (page) => page === 1);
    const again = await startPlayer({ dataDir });
    expect(await again.list()).toEqual(before);
    expect(await infoOf(again)).toMatchObject({
      store_rebuilt: { from: "backup" },
    });
  });

  it("[V2-326] is salvaged as far as it can be read where there is neither", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    const before = await running.list();
    await running.player.stop();
    await rm(path.join(dataDir, "spare"), { recursive: true });
    const roots = ["files", "playlist_items"].map((table) =>
      rootOf(dataDir, table),
    );
    await spoil(path.join(dataDir, "vitrine.db"), (page) =>
      roots.includes(page),
    );
    const again = await startPlayer({ dataDir });
    expect(await again.list()).toEqual(before);
    expect(await infoOf(again)).toMatchObject({
      store_rebuilt: { from: "rest", assets: 2, playlists: 1 },
    });
  });

  it("[V2-326] continues a rebuild that was interrupted by a power cut", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    const before = await running.list();
    await running.player.stop();
    // Set aside already, with half of a new one beside it.
    const aside = path.join(dataDir, "damaged", "2026-01-01T00-00-00-001");
    await mkdir(aside, { recursive: true });
    await rename(
      path.join(dataDir, "vitrine.db"),
      path.join(aside, "vitrine.db"),
    );
    await writeFile(path.join(aside, "rebuilt.db"), "half");
    const again = await startPlayer({ dataDir });
    expect(await again.list()).toEqual(before);
    expect(await readdir(path.join(dataDir, "damaged"))).toHaveLength(1);
  });

  for (const mark of ["unclaimed", "report.json"])
    it(`[V2-326] [V2-328] is reported, and no file is lost, where the disk was full before ${mark} was written`, async () => {
      const { dataDir, player } = await somePlayer();
      await player.stop();
      await rm(path.join(dataDir, "spare"), { recursive: true });
      await spoil(path.join(dataDir, "vitrine.db"), () => true);
      const aside = path.join(dataDir, "damaged", "2026-01-01T00-00-00-001");
      await mkdir(aside, { recursive: true });
      await rename(
        path.join(dataDir, "vitrine.db"),
        path.join(aside, "vitrine.db"),
      );
      // Nothing can be written in its place, as on a full disk.
      const inTheWay = path.join(aside, `${mark}.part`);
      await mkdir(inTheWay);
      await expect(startPlayer({ dataDir })).rejects.toThrow();
      await rm(inTheWay, { recursive: true });

      const again = await startPlayer({ dataDir });
      expect(await infoOf(again)).toMatchObject({
        store_rebuilt: { from: "nothing" },
      });
      await expect
        .poll(async () => (await read(again, "/trash")).length)
        .toBe(2);
      expect(await readdir(path.join(dataDir, "damaged"))).toHaveLength(1);
    });

  it("[V2-326] is set aside itself, where an earlier one was left unreported beside the database that replaced it", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    const before = await running.list();
    await running.player.stop();
    const old = path.join(dataDir, "damaged", "2025-12-01T00-00-00-001");
    await mkdir(old, { recursive: true });
    await copyFile(
      path.join(dataDir, "vitrine.db"),
      path.join(old, "vitrine.db"),
    );
    // The file set aside is weeks old, and the copy is as new as the database.
    const database = openSqlite(path.join(old, "vitrine.db"));
    database.exec("UPDATE assets SET name = 'Weeks ago' WHERE name = 'One'");
    database.close();
    await spoil(path.join(dataDir, "vitrine.db"), (page) => page === 1);
    const again = await startPlayer({ dataDir });
    expect(await again.list()).toEqual(before);
    const { store_rebuilt: rebuilt } = await infoOf(again);
    expect(rebuilt.damaged_path).not.toContain("2025-12-01");
    expect(
      existsSync(path.join(dataDir, rebuilt.damaged_path, "vitrine.db")),
    ).toBe(true);
  });

  it("[V2-326] is kept and reported where the clock was set back since the two before it", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    await running.player.stop();
    const damaged = path.join(dataDir, "damaged");
    for (const year of [2030, 2031]) {
      const old = path.join(damaged, `${year}-01-01T00-00-00-001`);
      await mkdir(old, { recursive: true });
      const reported = {
        at: 0,
        reason: String(year),
        from: "copy",
        aside: null,
      };
      await writeFile(
        path.join(old, "report.json"),
        JSON.stringify({ ...reported, assets: 0, playlists: 0 }),
      );
    }
    await rm(path.join(dataDir, "spare"), { recursive: true });
    await spoil(path.join(dataDir, "vitrine.db"), () => true);
    const again = await startPlayer({ dataDir });
    const { store_rebuilt: rebuilt } = await infoOf(again);
    expect(rebuilt).toMatchObject({ from: "nothing" });
    expect(
      existsSync(path.join(dataDir, rebuilt.damaged_path, "vitrine.db")),
    ).toBe(true);
    await expect.poll(async () => (await read(again, "/trash")).length).toBe(2);
    expect(await readdir(damaged)).toHaveLength(2);
  });

  it("[V2-356] keeps this machine's tokens and trash when a backup replaces it", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    const thrown = await running.add({ name: "Thrown away" });
    await running.send("POST", "/trash", { asset_ids: [thrown.asset_id] });
    expect((await running.send("POST", "/backup", {})).status).toBe(201);
    await running.send("POST", "/tokens", { name: "desk" });
    await running.player.stop();
    await rm(path.join(dataDir, "spare"), { recursive: true });
    const root = rootOf(dataDir, "assets");
    await spoil(path.join(dataDir, "vitrine.db"), (page) => page === root);
    const again = await startPlayer({ dataDir });
    expect(await infoOf(again)).toMatchObject({
      store_rebuilt: { from: "backup", assets: 2 },
    });
    expect(await read(again, "/tokens")).toMatchObject([{ name: "desk" }]);
    const fields = { asset_ids: [thrown.asset_id] };
    await expect
      .poll(
        async () => (await again.send("POST", "/trash/restore", fields)).status,
      )
      .toBe(200);
    expect(await again.list()).toHaveLength(3);
    expect(await read(again, "/trash")).toEqual([]);
  });

  it("[V2-356] plays and listens to this machine alone when none of its tokens is left", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    expect((await running.send("POST", "/backup", {})).status).toBe(201);
    await running.send("POST", "/tokens", { name: "desk" });
    await running.player.stop();
    await rm(path.join(dataDir, "spare"), { recursive: true });
    await spoil(path.join(dataDir, "vitrine.db"), () => true);
    for (const start of ["first", "second"]) {
      const again = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
      expect(again.player.isPlaying(), start).toBe(true);
      expect(again.player.apiAddress, start).toContain("//127.0.0.1:");
      const reported = await read(again, "/activity?kind=player");
      expect(reported, start).toContainEqual(
        expect.objectContaining({
          action: "alone",
          details: expect.stringContaining("instead of 0.0.0.0"),
        }),
      );
      if (start === "second")
        await again.send("POST", "/tokens", { name: "desk" });
      await again.player.stop();
    }
    const open = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
    expect((await open.request("/info")).status).toBe(401);
  });
});
