// A sync killed at random moments, with unflushed writes lost: the old playlists or the new ones, an app of one revision,
// and never a wrong byte.

import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { describe, expect, it, onTestFailed } from "vitest";
import { openSqlite } from "../../server/platform/sqlite/sqlite.ts";
import {
  cloudImage,
  md5Of,
  serveFaultyCloud,
  type CloudAsset,
  type FaultyCloud,
} from "../support/faulty-service/faulty-service.ts";
import {
  installedIn,
  partsOf,
} from "../support/faulty-service/faulty-service-apps.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runSync, spawnSync } from "../support/sync/serve-sync.ts";
import { createRandom, type Random } from "./kill/random.ts";
import { faultsOf } from "./kill/store.ts";
import { layBefore, type FileLayer } from "./kill/power-cut.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const moments = VITRINE_LONG === "1" ? 200 : 8;
/** Each moment starts a process, which takes seconds on a busy machine. */
const maxMs = moments * 18_000;
/** Duration of an undisturbed sync from its first output to its end. */
const defaultMs = 700;

describe("a sync that is killed", () => {
  it(
    `is in a sound state after being killed at each of ${moments} random moments, and ends with the same result`,
    async () => {
      const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);
      onTestFailed(() =>
        console.error(`To see this again: VITRINE_SEED=${seed}`),
      );
      const random = createRandom(seed);
      const cloud = await serveFaultyCloud();
      const dataDir = await temporaryFolder();
      const layer = await layBefore(dataDir);
      const lost = { blocks: 0, renamings: 0, cuts: 0 };
      const words = ["--data-dir", dataDir, "--url", cloud.address];
      const once = [...words, "--version", "v4.1", "--once"];
      const known = new Map<string, Set<string>>();
      const outcomes = { before: 0, after: 0 };
      const verified = new Set<string>();
      let createdCount = 0;
      const newImage = (): CloudAsset => {
        createdCount += 1;
        const size = 20_000 + random.below(400_000);
        return cloudImage(`a${createdCount}`, [createdCount % 250, 1, 1], size);
      };
      // They stay, so that no plan ever removes more than half.
      const permanent = [1, 2, 3, 4].map(newImage);
      let pool = [newImage(), newImage()];
      /** The file contents of each revision of the app. */
      const revisions = new Map<string, number>();

      /** The next revision of the app: one file is unchanged, one has new content, one has a new name. */
      function newApp(): CloudAsset {
        const revision = revisions.size + 1;
        const files = {
          "index.html": Buffer.from(`<p>${revision}</p>`),
          "look/back.png": permanent[0]?.bytes ?? Buffer.alloc(0),
          [`look/${revision}.png`]: newImage().bytes ?? Buffer.alloc(0),
        };
        revisions.set(madeOf(files), revision);
        return { id: "board", app: { revision, files } };
      }
      let board: CloudAsset;

      /** Adds and removes some images, deploys a new revision of the app, and changes both playlists. */
      function change(): void {
        board = newApp();
        pool = [...random.shuffled(pool).slice(0, 1), newImage(), newImage()];
        cloud.playlists = ["P1", "P2"].map((id) => ({
          id,
          assets: random.shuffled([
            ...permanent,
            ...(id === "P1" ? [board] : []),
            ...pool.slice(0, 2 + random.below(2)),
          ]),
        }));
        for (const { id, assets } of cloud.playlists) {
          const reported = known.get(id) ?? new Set<string>();
          known.set(id, reported.add(assets.map((asset) => asset.id).join()));
        }
      }

      change();
      expect((await runSync(once, { token: "t" })).code).toBe(0);
      let stretch = 1;
      // Kills that came too early or too late prove little: then there are some more.
      const isConclusive = () =>
        outcomes.before > 0 &&
        outcomes.after > 0 &&
        (layer === null || lost.blocks > 0);
      const maxMoments = () => (isConclusive() ? moments : 2 * moments);
      for (let moment = 0; moment < maxMoments(); moment += 1) {
        if (random.share() < 0.7) change();
        slow(cloud, random);
        for (const md5 of verifiedIn(dataDir)) verified.add(md5);
        const requests = cloud.requests.length;
        const atMs = defaultMs * random.share() * 1.3 * stretch;
        const isOver = await killAfter(once, atMs, layer);
        stretch *= isOver ? 1 / 1.4 : 1.4;
        stretch = Math.min(20, Math.max(0.2, stretch));
        const cut = await layer?.cutPower(random);
        lost.blocks += cut?.blocks ?? 0;
        lost.renamings += cut?.renamings ?? 0;
        lost.cuts += cut && cut.blocks + cut.renamings > 0 ? 1 : 0;

        const where = `moment ${moment}, killed after ${atMs.toFixed()} ms`;
        expect(await faultsOf(dataDir), where).toEqual([]);
        for (const [id, items] of playlistsIn(dataDir)) {
          expect(known.get(id), `${where}: ${id}`).toContain(items);
          const expected = cloud.playlists.find((one) => one.id === id);
          const isNew = expected?.assets.map((one) => one.id).join() === items;
          outcomes[isNew ? "after" : "before"] += 1;
        }
        expect([...revisions.keys()], where).toContain(appIn(dataDir));
        // Verified files are not requested again.
        const again = cloud.requests
          .slice(requests)
          .map(({ url }) => /^\/files\/([\w-]+)/.exec(url ?? "")?.[1])
          .filter(
            (id) => id !== undefined && verified.has(md5Named(cloud, id)),
          );
        expect(again, where).toEqual([]);
        verified.clear();
      }
      cloud.files.clear();
      expect((await runSync(once, { token: "t" })).code).toBe(0);
      const other = await temporaryFolder();
      const fresh = once.map((word) => (word === dataDir ? other : word));
      expect((await runSync(fresh, { token: "t" })).code).toBe(0);
      expect(playlistsIn(dataDir)).toEqual(playlistsIn(other));
      expect(assetsIn(dataDir)).toEqual(assetsIn(other));
      expect(revisions.get(appIn(dataDir))).toBe(revisions.size);
      expect(await readdir(path.join(dataDir, "sync", "parts"))).toEqual([]);
      // Otherwise the kills came too early or too late to prove anything.
      expect(outcomes.before).toBeGreaterThan(0);
      expect(outcomes.after).toBeGreaterThan(0);
      if (layer) expect(lost.blocks).toBeGreaterThan(0);
      console.info(`Seed ${seed}:`, { moments, ...outcomes, ...lost });
    },
    maxMs,
  );
});

/** Slows the service down: each file takes some tens of milliseconds, in several pieces. */
function slow(cloud: FaultyCloud, random: Random): void {
  cloud.files.clear();
  for (const { assets } of cloud.playlists)
    for (const { id } of [...assets, ...installedIn(assets).flatMap(partsOf)]) {
      const delayMs = random.below(30);
      cloud.files.set(id, (_request, response, usual) => {
        inPieces(response, delayMs);
        usual();
      });
    }
}

const pieces = 4;

function inPieces(response: ServerResponse, delayMs: number): void {
  const end = response.end.bind(response);
  response.end = ((bytes?: Buffer) => {
    if (!Buffer.isBuffer(bytes)) return end(bytes);
    const size = Math.ceil(bytes.length / pieces);
    const send = (from: number): void => {
      if (from >= bytes.length) return void end();
      response.write(bytes.subarray(from, from + size));
      setTimeout(() => send(from + size), delayMs);
    };
    send(0);
    return response;
  }) as typeof response.end;
}

/** Returns whether it ended on its own before the kill. */
async function killAfter(
  words: readonly string[],
  ms: number,
  layer: FileLayer | null,
): Promise<boolean> {
  const child = spawnSync(words, "t", layer?.env);
  child.stdin?.end();
  const exit = new Promise<number | null>((resolve) =>
    child.once("exit", resolve),
  );
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const code = await exit;
  clearTimeout(timer);
  return code !== null;
}

function inDatabase<T>(
  dataDir: string,
  read: (rows: (sql: string) => readonly unknown[]) => T,
): T {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  try {
    return read((sql) => database.prepare(sql).all());
  } finally {
    database.close();
  }
}

const remote = (id: string): string => id.slice(id.indexOf("-") + 1);

/** The service's asset identifiers in each playlist, in order. */
function playlistsIn(dataDir: string): ReadonlyMap<string, string> {
  return inDatabase(dataDir, (rows) => {
    const items = rows(
      "SELECT playlist_id, asset_id FROM playlist_items ORDER BY playlist_id, place",
    ) as { playlist_id: string; asset_id: string }[];
    const lists = new Map<string, string[]>();
    for (const { playlist_id: list, asset_id: asset } of items)
      lists.set(remote(list), [
        ...(lists.get(remote(list)) ?? []),
        remote(asset),
      ]);
    return new Map([...lists].map(([id, ids]) => [id, ids.join()]));
  });
}

function assetsIn(dataDir: string): readonly unknown[] {
  return inDatabase(dataDir, (rows) =>
    (
      rows(
        `SELECT id, name, file_hash, md5 FROM assets LEFT JOIN sync_files USING (file_hash) ORDER BY name`,
      ) as { id: string }[]
    ).map((row) => ({ ...row, id: remote(row.id) })),
  );
}

function verifiedIn(dataDir: string): readonly string[] {
  return inDatabase(dataDir, (rows) =>
    (rows("SELECT md5 FROM sync_files") as { md5: string }[]).map(
      ({ md5 }) => md5,
    ),
  );
}

/** Every path of the app with the hash of its content. */
function appIn(dataDir: string): string {
  return inDatabase(dataDir, (rows) => {
    const files = rows(
      `SELECT path, md5 FROM assets JOIN app_files ON app_hash = assets.file_hash
       JOIN sync_files ON sync_files.file_hash = app_files.file_hash ORDER BY path`,
    ) as { path: string; md5: string }[];
    return files.map(({ path: at, md5 }) => `${at} ${md5}`).join("\n");
  });
}

function madeOf(files: Readonly<Record<string, Buffer>>): string {
  return Object.entries(files)
    .map(([at, bytes]) => `${at} ${md5Of(bytes)}`)
    .sort()
    .join("\n");
}

function md5Named(cloud: FaultyCloud, id: string): string {
  const assets = cloud.playlists.flatMap((playlist) => playlist.assets);
  const asset = [...assets, ...installedIn(assets).flatMap(partsOf)].find(
    (one) => one.id === id,
  );
  return asset?.bytes ? md5Of(asset.bytes) : "";
}
