// Verification of stored files: one that changed on the disk stops playing, and plays again once repaired.

import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import {
  mkdir,
  open,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { openFileStore } from "../../../../server/platform/files/file-store.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { createFileCheck } from "../../../../server/player/files/file-verification.ts";
import { createLibrary } from "../../../../server/player/library/library.ts";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { manualClock } from "../../../support/clock.ts";
import { png } from "../../../support/media/media.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";
import { serveSources } from "../../../support/http/sources.ts";

/** Which files a process has open, and how far it has read them. */
const canListOpenFiles = process.platform === "linux";
/** On Windows this is a separate privilege, which an ordinary user lacks. */
const mayHaveLinks = process.platform !== "win32";
const dayMs = 86_400_000;
const mebibyte = 1024 ** 2;
const red = png([200, 0, 0]);
const blue = png([0, 0, 200]);
const hashOf = (bytes: Buffer): string =>
  createHash("sha256").update(bytes).digest("hex");

function pathOf({ dataDir }: RunningPlayer, bytes: Buffer): string {
  const hash = hashOf(bytes);
  return path.join(dataDir, "files", "kept", hash.slice(0, 2), hash);
}

const isPlayed = ({ player }: RunningPlayer): boolean => {
  const [asset] = player.assets();
  return asset?.problem === null;
};

const isNamedDamaged = (run: RunningPlayer): boolean =>
  problemOf(run)?.includes("is damaged") === true;

const problemOf = ({ player }: RunningPlayer): string | null =>
  player.assets()[0]?.problem ?? null;

/** Advances time until the condition holds. */
async function untilThat(
  { clock }: RunningPlayer,
  condition: () => boolean,
  stepMs = 60_000,
): Promise<void> {
  await vi.waitFor(async () => {
    await clock.advance(stepMs);
    if (!condition()) throw new Error("not yet");
  });
}

describe("a stored file", () => {
  it("[V2-748] is verified after an unclean stop, although the database was locked when verification began", async () => {
    const before = await startPlayer();
    await before.add({ mimetype: "image" }, red);
    await before.clock.advance(60_000);
    await before.player.stop();
    const { dataDir } = before;
    await writeFile(path.join(dataDir, "files", "in-use"), "");
    const bytes = await readFile(pathOf(before, red));
    bytes.writeUInt8(bytes.readUInt8(70) ^ 1, 70);
    await writeFile(pathOf(before, red), bytes);
    const run = await startPlayer({ dataDir });
    const other = openSqlite(path.join(dataDir, "vitrine.db"));
    other.exec("BEGIN IMMEDIATE");
    await run.clock.advance(60_000);
    expect(isPlayed(run)).toBe(true);
    other.close();
    await run.clock.advance(60_000);
    await untilThat(run, () => !isPlayed(run));
    expect(run.clock.now() - before.clock.now()).toBeLessThan(dayMs);
    expect(problemOf(run)).toContain("is damaged");
  });

  it.each([
    ["truncated", (file: string) => truncate(file, 60), "is damaged"],
    [
      "replaced by another of the same size",
      async (file: string) => {
        const bytes = await readFile(file);
        bytes.writeUInt8(bytes.readUInt8(70) ^ 1, 70);
        await writeFile(file, bytes);
      },
      "is damaged",
    ],
    ["deleted", (file: string) => rm(file), "is missing"],
  ])(
    "[V2-425] that was %s stops playing within a week",
    async (_how, spoil, reason) => {
      const run = await startPlayer();
      await run.add({ mimetype: "image" }, red);
      expect(isPlayed(run)).toBe(true);
      await spoil(pathOf(run, red));
      const week = run.clock.now() + 7 * dayMs;
      await run.clock.advance(60_000);
      // Most of the week in one step: playing it through would take long.
      run.clock.jumpTo(week - dayMs);
      await untilThat(run, () => !isPlayed(run));
      expect(run.clock.now()).toBeLessThan(week);
      expect(problemOf(run)).toContain(reason);
      const [asset] = await run.list();
      expect(asset?.metadata).toMatchObject({
        error_message: expect.stringContaining("Add it again") as string,
      });
      const now = await (await run.request("/now")).json();
      expect(now).not.toMatchObject({ asset_id: asset?.asset_id });
    },
  );

  it("[V2-425] that looks wrong when opened is checked at once, and plays again as soon as its bytes are back", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await untilThat(run, () => true, 31_000);
    await truncate(pathOf(run, red), 60);
    run.player.suspectFile(hashOf(red));
    await vi.waitFor(() => expect(isPlayed(run)).toBe(false));
    expect(run.player.fileFor(hashOf(red))).toMatchObject({
      sizeBytes: red.length,
    });
    await run.upload(red);
    await vi.waitFor(() => expect(isPlayed(run)).toBe(true));
    expect(await readFile(pathOf(run, red))).toEqual(red);
  });

  /** Of the same size, so that only its hash shows it. */
  async function replaceBySame(run: RunningPlayer): Promise<void> {
    const bytes = await readFile(pathOf(run, red));
    bytes.writeUInt8(bytes.readUInt8(70) ^ 1, 70);
    await writeFile(pathOf(run, red), bytes);
  }

  it.each(["can't be loaded", "fails on the screen"])(
    "[V2-751] that %s is checked at once, and named as damaged if it was replaced",
    async (how) => {
      const run = await startPlayer();
      await run.add({ name: "A", mimetype: "image" }, red);
      await run.add({ name: "B", mimetype: "image" }, blue);
      // The first verification is over: the next one would be due within a week.
      await untilThat(run, () => checkedAt(run.dataDir) !== null, 31_000);
      await untilThat(run, () => run.stage.visible()?.name === "A", 1_000);
      await replaceBySame(run);
      if (how === "fails on the screen")
        run.stage.failVisible("It can't be decoded.");
      else {
        run.stage.fail("A", "It can't be decoded.");
        await untilThat(run, () => run.stage.tried("A") > 1, 5_000);
      }
      const damaged = run.clock.now();
      await untilThat(run, () => isNamedDamaged(run), 1_000);
      expect(run.clock.now() - damaged).toBeLessThan(60_000);
      expect(existsSync(pathOf(run, red))).toBe(false);
    },
  );

  it("[V2-761] that stays on the screen is checked at the next verification of the screen once it was replaced, but not while its disk is gone", async () => {
    const run = await startPlayer();
    await run.add({ name: "A", mimetype: "image" }, red);
    await untilThat(run, () => checkedAt(run.dataDir) !== null, 31_000);
    await untilThat(run, () => run.stage.visible()?.name === "A", 1_000);
    const file = pathOf(run, red);
    await rename(file, `${file}.away`);
    run.stage.see("verified");
    await run.clock.advance(60_000);
    expect(isPlayed(run)).toBe(true);
    await rename(`${file}.away`, file);
    await replaceBySame(run);
    run.stage.see("verified");
    await vi.waitFor(() => expect(isNamedDamaged(run)).toBe(true));
  });

  it("[V2-751] that fails while the database is locked is checked once it isn't", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await untilThat(run, () => checkedAt(run.dataDir) !== null, 31_000);
    await replaceBySame(run);
    const other = openSqlite(path.join(run.dataDir, "vitrine.db"));
    other.exec("BEGIN IMMEDIATE");
    run.player.suspectFile(hashOf(red));
    await run.clock.advance(60_000);
    expect(isNamedDamaged(run)).toBe(false);
    other.close();
    await untilThat(run, () => isNamedDamaged(run), 1_000);
  });

  it("[V2-751] that a backup finds damaged is checked at once", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await replaceBySame(run);
    const { status } = await run.request("/backup", { method: "POST" });
    expect(status).toBe(201);
    await vi.waitFor(() => expect(isNamedDamaged(run)).toBe(true));
  });

  it("[V2-701] that is stored again while its loss is noted is not taken out of playback", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await run.player.stop();
    const file = pathOf(run, red);
    const database = openSqlite(path.join(run.dataDir, "vitrine.db"));
    const { now } = run.clock;
    const library = createLibrary({ database, now, makeId: () => "id" });
    await rm(file);
    const lost: string[] = [];
    const check = createFileCheck({
      ...{ database, clock: run.clock, log: createLog({}) },
      store: await openFileStore(path.join(run.dataDir, "files"), {
        reserveBytes: 0,
      }),
      library: {
        ...library,
        // As an import would have done while the file was looked for.
        assets: () => {
          writeFileSync(file, red);
          return library.assets();
        },
      },
      runMark: path.join(run.dataDir, "files", "in-use"),
      onDamaged: (hash) => lost.push(hash),
    });
    check.start();
    check.suspect(hashOf(red));
    await vi.waitFor(async () => {
      await run.clock.advance(60_000);
      expect(existsSync(file)).toBe(true);
    });
    await check.stop();
    expect(lost).toEqual([]);
    expect(library.file(hashOf(red))?.isDamaged).toBe(false);
    database.close();
  });

  it.each(["while the player runs", "while it does not"])(
    "[V2-660] that vanished with its disk plays again once the disk is back, %s",
    async (when) => {
      const run = await startPlayer();
      await run.add({ mimetype: "image" }, red);
      await untilThat(run, () => true, 31_000);
      const filesFolder = path.join(run.dataDir, "files", "kept");
      await rename(filesFolder, `${filesFolder}-away`);
      run.player.suspectFile(hashOf(red));
      await vi.waitFor(() => expect(isPlayed(run)).toBe(false));
      expect(problemOf(run)).toContain("is missing");
      if (when === "while the player runs") {
        await rename(`${filesFolder}-away`, filesFolder);
        return untilThat(run, () => isPlayed(run), 30_000);
      }
      await run.player.stop();
      await rename(`${filesFolder}-away`, filesFolder);
      const next = await startPlayer({ dataDir: run.dataDir });
      await untilThat(next, () => isPlayed(next), 30_000);
    },
  );

  it("[V2-660] that reappears with other bytes stays out of play", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await untilThat(run, () => true, 31_000);
    await rm(pathOf(run, red));
    run.player.suspectFile(hashOf(red));
    await vi.waitFor(() => expect(isPlayed(run)).toBe(false));
    await writeFile(pathOf(run, red), blue);
    await untilThat(run, () => !existsSync(pathOf(run, red)), 30_000);
    expect(isPlayed(run)).toBe(false);
  });

  it("[V2-660] that is being copied back slowly is left in its place, and plays once it is complete", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await untilThat(run, () => true, 31_000);
    const file = pathOf(run, red);
    await rm(file);
    run.player.suspectFile(hashOf(red));
    await vi.waitFor(() => expect(isPlayed(run)).toBe(false));
    const copy = await open(file, "w");
    for (const byte of red.subarray(0, 40)) {
      await copy.write(Buffer.of(byte));
      // Less than half the time between two looks, so that it has changed at each.
      await run.clock.advance(14_000);
      expect(existsSync(file)).toBe(true);
    }
    await copy.write(red.subarray(40));
    await copy.close();
    await untilThat(run, () => isPlayed(run), 30_000);
  });

  it("[V2-660] is looked for every 30 s, also after something else was verified in between", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    await run.player.stop();
    const database = openSqlite(path.join(run.dataDir, "vitrine.db"));
    const steady = manualClock();
    // Each of its pauses, so that time moves on only while it pauses.
    const pauses = new Map<object, number>();
    const check = createFileCheck({
      ...{ database, log: createLog({}), onDamaged: () => undefined },
      clock: {
        ...steady,
        after: (ms, callback) => {
          const key = {};
          pauses.set(key, ms);
          const cancel = steady.after(ms, () => {
            pauses.delete(key);
            callback();
          });
          return () => {
            pauses.delete(key);
            cancel();
          };
        },
      },
      store: await openFileStore(path.join(run.dataDir, "files"), {
        reserveBytes: 0,
      }),
      library: createLibrary({
        ...{ database, now: steady.now, makeId: () => "1" },
      }),
      runMark: path.join(run.dataDir, "files", "in-use"),
    });
    const pausing = (): Promise<number> =>
      vi.waitFor(() => {
        const [ms] = pauses.values();
        if (ms === undefined) throw new Error("not yet");
        return ms;
      });
    const isOut = (): boolean =>
      database
        .prepare<[], number>("SELECT is_damaged FROM files")
        .pluck()
        .get() === 1;
    const file = pathOf(run, red);
    await rename(file, `${file}-away`);
    check.start();
    check.suspect(hashOf(red));
    while (!isOut()) await steady.advance(await pausing());
    await pausing();
    // It looked at its place a moment ago, and is asked to look once more.
    await steady.advance(20_000);
    check.suspect(hashOf(red));
    await pausing();
    await rename(`${file}-away`, file);
    const from = steady.monotonic();
    while (isOut()) await steady.advance(await pausing());
    expect(steady.monotonic() - from).toBeLessThanOrEqual(30_000);
    await check.stop();
    database.close();
  });

  it("[V2-660] that has an address and reappears before it can be downloaded plays again", async () => {
    let isAway = false;
    const served = await serveSources({
      "/a.png": (_request, response) => {
        if (isAway) return void response.writeHead(503).end();
        response.setHeader("Content-Type", "image/png").end(red);
      },
    });
    const run = await startPlayer();
    await run.send("POST", "/assets", {
      ...{ name: "Far", uri: `${served.address}/a.png`, mimetype: "image" },
      ...{
        start_date: "2020-01-01T00:00:00Z",
        end_date: "2030-01-01T00:00:00Z",
      },
      ...{ duration: 10, is_enabled: true, skip_asset_check: true },
    });
    const file = pathOf(run, red);
    await vi.waitFor(() => expect(existsSync(file)).toBe(true));
    await untilThat(run, () => isPlayed(run), 31_000);
    isAway = true;
    await rename(file, `${file}-away`);
    run.player.suspectFile(hashOf(red));
    await vi.waitFor(() => expect(isPlayed(run)).toBe(false));
    await rename(`${file}-away`, file);
    await untilThat(run, () => isPlayed(run), 30_000);
  });

  it("[V2-425] that has an address is downloaded again", async () => {
    let requests = 0;
    const served = await serveSources({
      "/a.png": (_request, response) => {
        requests += 1;
        response.setHeader("Content-Type", "image/png").end(red);
      },
    });
    const run = await startPlayer();
    await run.send("POST", "/assets", {
      ...{ name: "Far", uri: `${served.address}/a.png`, mimetype: "image" },
      ...{
        start_date: "2020-01-01T00:00:00Z",
        end_date: "2030-01-01T00:00:00Z",
      },
      ...{ duration: 10, is_enabled: true, skip_asset_check: true },
    });
    const file = pathOf(run, red);
    await vi.waitFor(() => expect(existsSync(file)).toBe(true));
    await untilThat(run, () => requests === 1, 31_000);
    await truncate(file, 60);
    run.player.suspectFile(hashOf(red));
    await vi.waitFor(() => expect(requests).toBe(2));
    await vi.waitFor(() => expect(isPlayed(run)).toBe(true));
    expect(await readFile(file)).toEqual(red);
  });

  it("[V2-425] is checked at the next start after an unclean shutdown", async () => {
    const first = await startPlayer();
    const { dataDir } = first;
    await first.add({ mimetype: "image" }, red);
    const mark = path.join(dataDir, "files", "in-use");
    await untilThat(first, () => existsSync(mark), 31_000);
    await first.player.stop();
    expect(existsSync(mark)).toBe(false);
    const second = await startPlayer({ dataDir });
    await untilThat(second, () => existsSync(mark), 31_000);
    // Recorded at the next check: from now on it is not due for days.
    await untilThat(second, () => checkedAt(dataDir) !== null);
    await second.player.stop();
    await writeFile(mark, "");
    await truncate(pathOf(first, red), 60);
    const third = await startPlayer({ dataDir });
    await untilThat(third, () => !isPlayed(third), 1_000);
  });

  /** Two that were checked long ago, the blue one before the red one. */
  async function twoDue(): Promise<RunningPlayer> {
    const first = await startPlayer();
    await first.add({ name: "Blue", mimetype: "image" }, blue);
    await first.add({ name: "Red", mimetype: "image" }, red);
    await first.player.stop();
    setDue(first.dataDir, blue, red);
    return first;
  }

  it.skipIf(!mayHaveLinks)(
    "[V2-425] that cannot be read at all delays no other",
    async () => {
      const first = await twoDue();
      // Neither missing nor damaged, as far as can be determined.
      await rm(pathOf(first, blue));
      await symlink(pathOf(first, blue), pathOf(first, blue));
      await truncate(pathOf(first, red), 60);
      const run = await startPlayer({ dataDir: first.dataDir });
      const problems = () =>
        run.player
          .assets()
          .map(({ name, problem }) => [name, problem !== null]);
      await untilThat(run, () => problems().some(([, isKnown]) => isKnown));
      expect(problems()).toEqual([
        ["Blue", false],
        ["Red", true],
      ]);
    },
  );

  it.skipIf(!canListOpenFiles)(
    "[V2-425] that was damaged and repaired before all of it was read stays in play",
    async () => {
      const { dataDir, file, large } = await largeDue(1600);
      expect(large.length).toBeGreaterThan(6 * mebibyte);
      const damaged = Buffer.from(large);
      damaged[1000] = (damaged[1000] ?? 0) ^ 255;
      await writeFile(file, damaged);
      const run = await startPlayer({ dataDir });
      await run.clock.advance(31_000);
      // The check pauses before its second chunk.
      await expect.poll(() => openFiles()).toContain(file);
      await writeFile(`${file}.new`, large);
      await rename(`${file}.new`, file);
      await untilThat(run, () => checkedMoments(dataDir).every((at) => at > 2));
      expect(isPlayed(run)).toBe(true);
      expect(await readFile(file)).toEqual(large);
    },
  );

  it.skipIf(!canListOpenFiles)(
    "[V2-425] is read 4 MiB at a time, with a quarter of a second in between, to leave disk bandwidth for playback",
    async () => {
      const { dataDir, file, large } = await largeDue(2100);
      expect(large.length).toBeGreaterThan(12 * mebibyte);
      const run = await startPlayer({ dataDir });
      await run.clock.advance(30_000);
      for (const portions of [1, 2, 3]) {
        const bytes = portions * 4 * mebibyte;
        await expect
          .poll(() => readOf(file) ?? 0)
          .toBeGreaterThanOrEqual(bytes);
        await run.clock.advance(249);
        // Time enough to read the next chunk, if it were requested.
        await readFile(file);
        await readFile(file);
        // A stream reads ahead no more than two of its chunks.
        expect(readOf(file)).toBeLessThan(bytes + mebibyte / 2);
        await run.clock.advance(1);
      }
      await untilThat(run, () => checkedMoments(dataDir).every((at) => at > 2));
      expect(isPlayed(run)).toBe(true);
    },
  );

  it("[V2-425] that was checked before a restart is not checked again", async () => {
    const { dataDir } = await twoDue();
    const second = await startPlayer({ dataDir });
    const checked = () => checkedMoments(dataDir).filter((at) => at > 2);
    await untilThat(second, () => checked().length > 0, 100);
    await second.player.stop();
    const before = checked();
    const third = await startPlayer({ dataDir });
    await untilThat(third, () => checked().length === 2, 1_000);
    expect(checked()).toEqual(expect.arrayContaining([...before]));
  });

  it("[V2-420] that was stored before files were validated is skipped with the reason", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    const half = (await sharp(red).resize(400).png().toBuffer()).subarray(
      0,
      300,
    );
    await plant(run, half);
    await untilThat(run, () => !isPlayed(run));
    expect(problemOf(run)).toContain("damaged");
  });

  it("[V2-421][V2-506] that is too large to show as it is gets a rendition, and a new one when that is damaged", async () => {
    const run = await startPlayer();
    await run.add({ mimetype: "image" }, red);
    const large = await sharp({
      create: { width: 6000, height: 4000, channels: 3, background: "#123" },
    })
      .png()
      .toBuffer();
    await plant(run, large);
    const shown = () => run.player.fileFor(hashOf(large));
    expect(shown()).toMatchObject({ type: "image/png" });
    await untilThat(run, () => shown()?.type === "image/webp");
    const copy = shown()?.path ?? "";
    const complete = await readFile(copy);
    expect((await sharp(complete).metadata()).width).toBeLessThan(6000);
    expect(await readFile(pathOf(run, large))).toEqual(large);
    // [V2-506] The rendition is verified with it.
    await truncate(copy, 60);
    run.player.suspectFile(hashOf(large));
    await untilThat(run, () => statSync(copy).size > 60);
    expect(await readFile(copy)).toEqual(complete);
    expect(isPlayed(run)).toBe(true);
  });
});

function checkedAt(dataDir: string): number | null {
  return checkedMoments(dataDir)[0] ?? null;
}

function checkedMoments(dataDir: string): readonly number[] {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  try {
    return database
      .prepare<[], number>("SELECT checked_at FROM files ORDER BY rowid")
      .pluck()
      .all();
  } finally {
    database.close();
  }
}

/** Open files of this process, by name. */
function openFiles(): readonly string[] {
  const folder = "/proc/self/fd";
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      return [];
    }
  });
}

/** How many bytes of it have been read; null while it is not open. */
function readOf(file: string): number | null {
  for (const name of readdirSync("/proc/self/fd")) {
    try {
      if (readlinkSync(`/proc/self/fd/${name}`) !== file) continue;
      const info = readFileSync(`/proc/self/fdinfo/${name}`, "utf8");
      return Number(/^pos:\s*(\d+)/m.exec(info)?.[1]);
    } catch {
      // Closed meanwhile.
    }
  }
  return null;
}

/** An uncompressed image of this width and height, which is checked at the next start. */
async function largeDue(side: number) {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const size = { width: side, height: side };
  const large = await sharp({
    create: { ...size, channels: 3, background: "#000", noise },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const first = await startPlayer();
  const { dataDir } = first;
  await first.add({ mimetype: "image" }, large);
  await first.player.stop();
  setDue(dataDir, large);
  return { dataDir, large, file: pathOf(first, large) };
}

/** Checked long ago, in this order. */
function setDue(dataDir: string, ...files: readonly Buffer[]): void {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  const set = database.prepare(
    "UPDATE files SET checked_at = ? WHERE hash = ?",
  );
  for (const [at, bytes] of files.entries()) set.run(at + 1, hashOf(bytes));
  database.close();
}

/** As an earlier version would have stored it: never validated, in place of the existing file. */
async function plant(run: RunningPlayer, bytes: Buffer): Promise<void> {
  const hash = hashOf(bytes);
  const file = pathOf(run, bytes);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  const database = openSqlite(path.join(run.dataDir, "vitrine.db"));
  database
    .prepare("INSERT INTO files (hash, size_bytes, type) VALUES (?, ?, ?)")
    .run(hash, bytes.length, "image/png");
  database.prepare("UPDATE assets SET file_hash = ?").run(hash);
  database.close();
}
