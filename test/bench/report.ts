// The playback report of a month over ten thousand screens, from the totals of fifty million playbacks, on PostgreSQL; on SQLite over a
// tenth of them. `npm run bench -- report 1000` measures with this many screens.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { createKeys } from "../../server/content/access/keys.ts";
import { contentMigrations } from "../../server/content/migrations.ts";
import type { ContentTables } from "../../server/content/tables.ts";
import type { Database } from "../../server/platform/database/database.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { makeDatabase, startPostgres } from "../support/database/postgres.ts";
import { makeId, openContentDatabase } from "./content/store.ts";
import { startService } from "./fleet/measured-process.ts";
import { benchKey } from "./fleet/team.ts";

const isShort = process.env.VITRINE_BENCH_SHORT === "1";
const screens = isShort ? 100 : Number(process.argv[3] ?? 10_000);
/** Of a thousand, on each screen and day, in one playlist. */
const assetsOfDay = 10;
const playbacksOfTotal = 16;
const month = { from: "2026-05-01", to: "2026-05-31", days: 31 };
const goalMs = 2000;
const rounds = isShort ? 1 : 5;

export async function* run(): AsyncGenerator<Row> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  const postgres = await startPostgres();
  if (!postgres) console.warn("PostgreSQL is not installed: SQLite only.");
  try {
    if (postgres) {
      const { url } = await makeDatabase(postgres.url);
      yield* measure(path.join(dir, "postgres"), url, screens);
    }
    yield* measure(path.join(dir, "sqlite"), undefined, screens / 10);
  } finally {
    await postgres?.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function* measure(
  dataDir: string,
  databaseUrl: string | undefined,
  count: number,
): AsyncGenerator<Row> {
  // Creates the folder, and with SQLite the database.
  const first = await startService({ dataDir, databaseUrl, port: 0 });
  await first.kill();
  const database = openContentDatabase(dataDir, databaseUrl);
  const { kind } = database;
  try {
    await migrate(database.kysely as never, kind, contentMigrations);
    await fill(database, count);
  } finally {
    await database.close();
  }
  const service = await startService({ dataDir, databaseUrl, port: 0 });
  try {
    const report = async (query: string): Promise<number> => {
      const from = performance.now();
      const answer = await fetch(
        `${service.address}/api/v3/playbacks/report?from=${month.from}&to=${month.to}&${query}`,
        { headers: { Authorization: `Token ${benchKey}` } },
      );
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return performance.now() - from;
    };
    for (const by of ["by=day", "by=asset", "by=screen", "by=group"]) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        times.push(await report(by));
      const value = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? NaN;
      yield {
        figure: `${kind}: report of a month, ${by}, ${count.toLocaleString("en")} screens`,
        ...{ value: Math.round(value), unit: "ms", against: null, ratio: null },
        ...{ goal: `≤ ${goalMs} ms`, met: value <= goalMs },
      };
    }
  } finally {
    await service.kill();
  }
}

/** In statements of some ten thousand rows, well within their time limit. */
async function fill(
  database: Database<ContentTables>,
  count: number,
): Promise<void> {
  const keys = createKeys({ database, makeId, now: Date.now });
  await keys.add({ name: "bench", team: "Bench", secret: benchKey });
  const { id: team } = await database.kysely
    .selectFrom("teams")
    .select("id")
    .where("name", "=", "Bench")
    .executeTakeFirstOrThrow();
  const isSqlite = database.kind === "sqlite";
  const series = (name: string, count: number): string =>
    isSqlite
      ? `${name}(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${count - 1})`
      : `${name}(n) AS (SELECT generate_series(0, ${count - 1}))`;
  const padded = (text: string, digits: number): string =>
    isSqlite
      ? `printf('%0${digits}d', ${text})`
      : `lpad((${text})::text, ${digits}, '0')`;
  for (let day = 1; day <= month.days; day += 1)
    for (let asset = 0; asset < assetsOfDay; asset += 1)
      await database.write((run) =>
        run({
          text: `WITH RECURSIVE ${series("screen", count)}
            INSERT INTO playback_days (team_id, day, screen_id, asset_id, playlist_id, playbacks, duration_ms)
            SELECT '${team}', '2026-05-${String(day).padStart(2, "0")}', ${padded("n", 26)},
              ${padded(`(n * 7 + ${asset * 13 + day}) % 1000`, 26)}, ${padded("n % 50", 26)},
              ${playbacksOfTotal}, ${playbacksOfTotal * 10_000}
            FROM screen WHERE TRUE`,
          values: [],
        }),
      );
  await database.write((run) => run({ text: "ANALYZE", values: [] }));
}
