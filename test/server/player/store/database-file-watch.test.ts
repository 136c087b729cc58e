// A database file removed while the player runs: no acknowledged write is lost.

import { cp, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { removeFolder, temporaryFolder } from "../../../support/folder.ts";
import { storedTakeover } from "../../../support/player/stored-takeover.ts";
import {
  completeBody,
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

const all = ["", "-wal", "-shm"];

async function takeAway(
  { dataDir }: RunningPlayer,
  endings: readonly string[] = all,
): Promise<void> {
  for (const ending of endings)
    await rm(path.join(dataDir, `vitrine.db${ending}`));
}

/** What a start would find after a power cut now; the spare copy does not count, and a partial file is nothing yet. */
async function foundAt({ dataDir }: RunningPlayer): Promise<RunningPlayer> {
  const copy = path.join(await temporaryFolder(), "copy");
  const databaseCopy = path.join(dataDir, "spare");
  const isCopied = (file: string): boolean =>
    file !== databaseCopy && !file.endsWith(".part");
  // The last connection to close deletes the write-ahead log: only files unchanged during the copy are the state of one moment.
  await expect
    .poll(
      async () => {
        await rm(copy, { recursive: true, force: true });
        const before = await databaseFiles(dataDir);
        await cp(dataDir, copy, { recursive: true, filter: isCopied });
        expect(await databaseFiles(dataDir)).toEqual(before);
      },
      { timeout: 20_000 },
    )
    .toBeUndefined();
  return startPlayer({ dataDir: copy });
}

/** The database and its companion files, with what shows whether one of them has changed. */
async function databaseFiles(dataDir: string): Promise<readonly unknown[]> {
  const names = (await readdir(dataDir)).filter((name) =>
    all.some((ending) => name === `vitrine.db${ending}`),
  );
  return Promise.all(
    names.map(async (name) => {
      const { ino, size, mtimeMs } = await stat(path.join(dataDir, name));
      return { name, ino, size, mtimeMs };
    }),
  );
}

const namesOf = async (running: RunningPlayer) =>
  (await running.list()).map(({ name }) => name).toSorted();

/** Windows does not remove a file that SQLite has open. */
const isWindows = process.platform === "win32";

const title = "[V2-665] a database that is taken away while the player runs";
describe.skipIf(isWindows)(title, () => {
  it.each([
    ["all its files", all],
    ["the database file only", [""]],
    ["its journal only", ["-wal"]],
    ["its shared memory file only", ["-shm"]],
  ])(
    "keeps everything acknowledged before and since: %s",
    async (_what, endings) => {
      let starts = 0;
      const running = await startPlayer({ restart: () => (starts += 1) });
      await running.add({ name: "before" });
      await takeAway(running, endings);
      await running.add({ name: "since" });
      await running.add({ name: "later" });
      const { player } = running;
      const found = await foundAt(running);
      expect(await namesOf(found)).toEqual(["before", "later", "since"]);
      const activity = await (await found.request("/activity")).text();
      expect(activity).toContain("was removed while");
      expect(starts).toBe(1);
      await player.stop();
      const next = await startPlayer({ dataDir: running.dataDir });
      expect(await namesOf(next)).toEqual(["before", "later", "since"]);
    },
  );

  it("[V2-746] together with the data folder: changes and a backup are answered as usual, and all of it is there after a restart", async () => {
    const dataDir = path.join(await temporaryFolder(), "data");
    const running = await startPlayer({ dataDir });
    await running.add({ name: "before" });
    await removeFolder(dataDir);
    const since = { ...completeBody, name: "since" };
    expect((await running.send("POST", "/assets", since)).status).toBe(201);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await removeFolder(dataDir);
    const backup = await running.request("/backup", { method: "POST" });
    expect(backup.status).toBe(201);
    await running.player.stop();
    const next = await startPlayer({ dataDir });
    expect(await namesOf(next)).toEqual(["before", "since"]);
  });

  it.each([
    ["is used by a player that has nothing yet", [], ["years of work"]],
    ["is kept aside by one that has assets", ["own"], ["own"]],
  ])(
    "[V2-750] another one that appears in its place %s",
    async (_what, own, expected) => {
      const dir = await temporaryFolder();
      const [dataDir, real] = [path.join(dir, "data"), path.join(dir, "real")];
      const before = await startPlayer({ dataDir: real });
      await before.add({ name: "years of work" });
      await before.player.stop();
      let starts = 0;
      const restart = () => (starts += 1);
      const running = await startPlayer({ dataDir, restart });
      for (const name of own) await running.add({ name });
      await rename(dataDir, path.join(dir, "below"));
      await rename(real, dataDir);
      await running.clock.advance(31_000);
      await expect.poll(() => starts).toBe(1);
      await running.player.stop();
      expect(await namesOf(await startPlayer({ dataDir }))).toEqual(expected);
      const kept = await readdir(path.join(dataDir, "damaged")).catch(() => []);
      expect(kept).toHaveLength(own.length);
      if (kept[0] === undefined) return;
      const other = path.join(await temporaryFolder(), "other");
      await cp(path.join(dataDir, "damaged", kept[0]), other, {
        recursive: true,
      });
      const found = await startPlayer({ dataDir: other });
      expect(await namesOf(found)).toEqual(["years of work"]);
    },
  );

  it.each([
    ["begun", "a player with assets", ["own"]],
    ["ended", "a player with assets", ["own"]],
    ["begun", "an empty player", []],
  ] as const)(
    "[V2-752] and comes back with another disk has the takeover that was %s on %s and could not be stored before",
    async (what, _who, own) => {
      const dir = await temporaryFolder();
      const [dataDir, real] = [path.join(dir, "data"), path.join(dir, "real")];
      const before = await startPlayer({ dataDir: real });
      await before.add({ name: "years of work" });
      await before.player.stop();
      const restart = vi.fn<() => void>();
      const running = await startPlayer({ dataDir, restart });
      for (const name of own) await running.add({ name });
      const fire = { text: "Fire" };
      if (what === "ended") await running.send("POST", "/takeover", fire);
      // As on a disk that has become read-only: it can be read, and accepts no writes.
      const other = openSqlite(path.join(dataDir, "vitrine.db"));
      onTestFinished(() => void other.close());
      other.exec("BEGIN IMMEDIATE");
      const method = what === "ended" ? "DELETE" : "POST";
      await running.send(method, "/takeover", fire);
      await rename(dataDir, path.join(dir, "below"));
      await rename(real, dataDir);
      await running.clock.advance(31_000);
      await expect.poll(() => restart.mock.calls.length).toBe(1);
      // Killed now, it would be there, too.
      expect(storedTakeover(dataDir)).toBe(what === "ended" ? null : "Fire");
      await running.player.stop();
      const { request } = await startPlayer({ dataDir });
      const answer = await request("/takeover");
      if (what === "ended") expect(answer.status).toBe(404);
      else expect(await answer.json()).toMatchObject(fire);
    },
  );

  it("is restored, and the player requests a restart, without any write", async () => {
    let starts = 0;
    const running = await startPlayer({ restart: () => (starts += 1) });
    await running.add({ name: "before" });
    await takeAway(running);
    await running.clock.advance(31_000);
    await expect.poll(() => starts).toBe(1);
    expect(await namesOf(await foundAt(running))).toEqual(["before"]);
  });

  it("has a setting changed since within half a minute at most", async () => {
    let starts = 0;
    const running = await startPlayer({ restart: () => (starts += 1) });
    await takeAway(running);
    await running.send("PATCH", "/device_settings", { player_name: "Foyer" });
    await expect.poll(() => starts).toBe(1);
    const found = await foundAt(running);
    const settings = await (await found.request("/device_settings")).json();
    expect(settings).toMatchObject({ player_name: "Foyer" });
  });
});
