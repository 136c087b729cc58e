// The content service killed at random moments of ingest and writes: acknowledged writes hold, and nothing is half done.

import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFailed, vi } from "vitest";
import type { ContentTables } from "../../server/content/tables.ts";
import type { Database } from "../../server/platform/database/database.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../server/platform/sqlite/sqlite-database.ts";
import { eachContent, type Ground } from "../support/content/each-content.ts";
import { startObjectStorage } from "../support/content/object-storage.ts";
import {
  serveContent,
  type ContentClient,
  type Row,
  type ServedContent,
} from "../support/content/start-content.ts";
import { createRandom } from "./kill/random.ts";
import { createContentActions, type Promised } from "./kill/content-actions.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const inFull = VITRINE_LONG === "1";
const moments = inFull ? 100 : 5;
const actionsAtOnce = 6;
const checkEveryMoments = 5;
/** Checks only the newest assets: those that were sound a few moments ago are not written again. */
const maxChecked = 60;
/** Factor by which the next kill comes later after one that was too early, and earlier after one that was too late. */
const stride = 1.5;
/** Each moment is a start, a burst of requests, a restart and a check of everything. */
const maxMsPerMoment = 40_000;
const pollOptions = { interval: 50 };
/** Short, so that a killed worker is replaced soon and leftovers are swept soon. */
const env = {
  // Queries of a killed service run on in the database for a moment and hold their connections.
  VITRINE_CONTENT_DATABASE_CONNECTIONS: "3",
  VITRINE_CONTENT_LEASE_MS: "600",
  VITRINE_CONTENT_SWEEP_AFTER_MS: "1500",
};

describe("a content service that is killed", () => {
  eachContent(({ ground, kind }) => {
    const isSound = `is in a sound state after being killed at each of ${moments} random moments`;
    const timeout = moments * maxMsPerMoment;

    it(isSound, { timeout }, () => assertSound([]));

    it.runIf(inFull)(
      `${isSound}, with its files in object storage`,
      { timeout },
      async () => {
        const storage = await startObjectStorage();
        await assertSound(["--storage", storage.text]);
      },
    );

    async function assertSound(flags: readonly string[]): Promise<void> {
      const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);
      onTestFailed(() =>
        console.error(`To see this again: VITRINE_SEED=${seed}`),
      );
      const random = createRandom(seed);
      const actions = await createContentActions(random);
      const place = await ground();
      const words = [
        ...(place.databaseUrl ? ["--database-url", place.databaseUrl] : []),
        ...flags,
      ];
      const start = () => serveContent(place.dataDir, words, env);
      let content = await start();
      let stretchMs = 400;
      let interrupted = 0;

      // Kills that came too early or too late prove little: then there are some more.
      const isConclusive = () => interrupted > moments / 4;
      const maxMoments = () => (isConclusive() ? moments : 2 * moments);
      for (let moment = 0; moment < maxMoments(); moment += 1) {
        const before = await count(place, "assets");
        const atMs = stretchMs * (0.2 + random.share());
        const doing = actions.start(content, actionsAtOnce);
        await new Promise((resolve) => setTimeout(resolve, atMs));
        await kill(content);
        await doing;
        const isInterrupted = (await count(place, unfinished)) > 0;
        const isEarly = (await count(place, "assets")) <= before;
        if (isInterrupted) interrupted += 1;
        stretchMs *= isInterrupted || isEarly ? stride : 1 / stride;

        content = await start();
        const where = `moment ${moment} of ${kind}, killed after ${atMs.toFixed(0)} ms`;
        await vi.waitFor(
          async () => expect(await count(place, unfinished), where).toBe(0),
          pollOptions,
        );
        await assertPromises(content, actions.promised, where);
        await assertBytes(content, where);
        // Sweeping takes time: an occasional check covers the leftovers of all moments before.
        if (moment % checkEveryMoments === checkEveryMoments - 1)
          await vi.waitFor(
            async () => expect(await leftOvers(place), where).toEqual([]),
            pollOptions,
          );
      }
      // Otherwise the kills came too early or too late to prove anything.
      expect(interrupted).toBeGreaterThan(moments / 4);
    }
  });
});

async function kill({ process: service }: ServedContent): Promise<void> {
  const exit = new Promise((resolve) => service.once("exit", resolve));
  service.kill("SIGKILL");
  await exit;
}

/** Queries the database directly, bypassing the service. */
async function withDatabase<T>(
  { dataDir, databaseUrl }: Ground,
  query: (database: Database<ContentTables>) => Promise<T>,
): Promise<T> {
  const database =
    databaseUrl === undefined
      ? openSqliteDatabase<ContentTables>(path.join(dataDir, "content.db"))
      : openPostgres<ContentTables>(databaseUrl, { connections: 1 });
  try {
    return await query(database);
  } finally {
    await database.close();
  }
}

/** Assets still in ingest. */
const unfinished = "assets WHERE status NOT IN ('finished', 'error')";

function count(place: Ground, rows: string): Promise<number> {
  return withDatabase(place, async ({ read }) => {
    const [row] = await read({
      text: `SELECT count(*) AS count FROM ${rows}`,
      values: [],
    });
    return Number(row?.["count"]);
  });
}

async function assertPromises(
  client: ContentClient,
  { titles, gone }: Promised,
  where: string,
): Promise<void> {
  const rows = await client.rows("/v4.1/assets?select=id,title");
  const byKey = new Map(rows.map((row) => [row.id, row["title"]]));
  for (const [id, title] of titles)
    expect(byKey.get(id), `${where}: ${id}`).toBe(title);
  for (const id of gone)
    expect(byKey.has(id), `${where}: ${id} is back`).toBe(false);
}

/** Asserts that every finished asset has its bytes, and that they match its row. */
async function assertBytes(
  client: ContentClient,
  where: string,
): Promise<void> {
  const rows = await client.rows(
    `/v4.1/assets?status=eq.finished&type=neq.web&order=id.desc&limit=${maxChecked}`,
  );
  await Promise.all(
    rows.map(async (row: Row) => {
      const answer = await fetch(String(row["asset_url"]));
      const bytes = Buffer.from(await answer.arrayBuffer());
      const md5 = createHash("md5").update(bytes).digest("hex");
      expect([answer.status, md5], `${where}: ${row.id}`).toEqual([
        ...[200, row["md5"]],
      ]);
      if (row["thumbnail_uri"] === null) return;
      const thumbnail = await fetch(row["thumbnail_uri"] as string);
      expect(thumbnail.status, `${where}: ${row.id}`).toBe(200);
      await thumbnail.arrayBuffer();
    }),
  );
}

/** Files on disk that belong to no asset; unneeded objects are found daily (V4-355). */
async function leftOvers(place: Ground): Promise<readonly string[]> {
  const entries = await readdir(path.join(place.dataDir, "files"), {
    ...{ recursive: true, withFileTypes: true },
  });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const needed = await withDatabase(place, async ({ read }) => {
    const rows = await read({
      text: "SELECT file_hash AS hash FROM asset_intakes UNION SELECT preview_hash FROM asset_intakes",
      values: [],
    });
    return new Set(rows.map(({ hash }) => hash));
  });
  return names.filter((name) => !needed.has(name));
}
