// What a screen costs a content service on PostgreSQL: processor time of the service and of the database for each request of a
// player, and the size of a stored playback. The guide "From one PC to a million screens" computes with these figures.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { contentMigrations } from "../../server/content/migrations.ts";
import type { ContentTables } from "../../server/content/tables.ts";
import { linkPaths } from "../../server/contract/link/link.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";
import { reportOf } from "../support/content/screen-reports.ts";
import { makeDatabase, startPostgres } from "../support/database/postgres.ts";
import { cpuMicrosecondsOf } from "./content/cpu.ts";
import {
  startService,
  type MeasuredProcess,
} from "./fleet/measured-process.ts";
import type { Player } from "./fleet/players.ts";
import { claimScreens } from "./fleet/team.ts";

const screenCount = 200;
const requestCount = 2_000;
const warmCount = 500;
const atOnce = 8;
const playbacksAtOnce = 100;

type BenchDatabase = ReturnType<typeof openPostgres<ContentTables>>;

export async function* run(): AsyncGenerator<Row> {
  const postgres = await startPostgres();
  if (!postgres) throw new Error("PostgreSQL is not installed.");
  const dataDir = await mkdtemp(path.join(tmpdir(), "vitrine-scale-"));
  const { url } = await makeDatabase(postgres.url);
  const database = openPostgres<ContentTables>(url);
  try {
    await migrate(database.kysely as never, database.kind, contentMigrations);
    const players = await claimScreens(database, screenCount);
    const options = { dataDir, databaseUrl: url, port: 0 };
    const service = await startService(options);
    try {
      yield* costs(service, database, players);
    } finally {
      await service.kill();
    }
  } finally {
    await database.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function* costs(
  service: MeasuredProcess,
  database: BenchDatabase,
  players: readonly Player[],
): AsyncGenerator<Row> {
  const base = service.address;
  const authorized = ({ credential }: Player) => ({
    Authorization: `Bearer ${credential}`,
    "Content-Type": "application/json",
  });
  const post = (player: Player, place: string, body: object) =>
    fetch(base + place, {
      ...{ method: "POST", headers: authorized(player) },
      body: JSON.stringify(body),
    });
  const acts: Readonly<
    Record<string, (player: Player, at: number) => Promise<Response>>
  > = {
    "a report of what a screen shows": (player, at) =>
      post(player, linkPaths.heartbeat, {
        ...{ sync: "in-sync" },
        report: reportOf({ asset_id: `A${at}`, name: `Menu ${at}` }),
      }),
    // As a player polls; of a screen without content.
    "a poll of what a screen should have": async (player) => {
      const labels = await fetch(
        `${base}/v4.1/labels/screens?select=label_id&screen_id=eq.${player.screenId}&order=label_id.asc&limit=1000`,
        { headers: authorized(player) },
      );
      const rows = (await labels.json()) as { readonly label_id: string }[];
      const ids = rows.map(({ label_id }) => label_id).join();
      return fetch(
        `${base}/v4.1/labels?select=*,playlists(*,playlist_items(*,assets(*)))&or=(id.in.(${ids}),name.eq.all-screens)&order=id.asc&limit=100`,
        { headers: authorized(player) },
      );
    },
    [`${playbacksAtOnce} playbacks`]: (player, at) =>
      post(player, linkPaths.playbacks, {
        playbacks: Array.from({ length: playbacksAtOnce }, (_, index) => ({
          ...{ id: `${at}-${index}`, asset_id: "A", playlist_id: "L" },
          started_at: new Date(Date.UTC(2026, 0, 1, 0, 0, index * 10)),
          ended_at: new Date(Date.UTC(2026, 0, 1, 0, 0, index * 10 + 10)),
        })),
      }),
  };
  for (const [figure, act] of Object.entries(acts)) {
    const isBatch = figure.endsWith("playbacks");
    const count = isBatch ? requestCount / 4 : requestCount;
    await repeat(players, warmCount / (isBatch ? 10 : 1), -warmCount, act);
    const sizeBefore = await sizeOf(database);
    const before = await spent(service, database);
    await repeat(players, count, 0, act);
    const after = await spent(service, database);
    yield row(
      `${figure}: service`,
      (after.service - before.service) / count,
      "µs",
    );
    yield row(
      `${figure}: database`,
      spentBetween(before.database, after.database) / count,
      "µs",
    );
    if (!isBatch) continue;
    const bytes = (await sizeOf(database)) - sizeBefore;
    yield row("a stored playback", bytes / count / playbacksAtOnce, "bytes");
  }
}

async function repeat(
  players: readonly Player[],
  count: number,
  from: number,
  act: (player: Player, at: number) => Promise<Response>,
): Promise<void> {
  let at = from;
  const work = async (): Promise<void> => {
    while (at < from + count) {
      const mine = at++;
      const player = players[Math.abs(mine) % players.length];
      if (!player) throw new Error("There are no players.");
      const answer = await act(player, mine);
      if (!answer.ok)
        throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Microseconds of processor time so far. */
async function spent(service: MeasuredProcess, database: BenchDatabase) {
  const rows = await database.read({
    text: "SELECT pid FROM pg_stat_activity",
    values: [],
  });
  const cpu = (pid: number): number => cpuMicrosecondsOf(pid) ?? 0;
  return {
    service: cpu(service.process.pid ?? 0),
    /** By process. */
    database: new Map(rows.map(({ pid }) => [Number(pid), cpu(Number(pid))])),
  };
}

/** A connection that was closed meanwhile was idle for long. */
function spentBetween(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  let sum = 0;
  for (const [pid, cpu] of after) sum += cpu - (before.get(pid) ?? 0);
  return sum;
}

async function sizeOf(database: BenchDatabase): Promise<number> {
  const [found] = await database.read({
    text: "SELECT pg_total_relation_size('playbacks') AS bytes",
    values: [],
  });
  return Number(found?.["bytes"]);
}

function row(figure: string, value: number, unit: string): Row {
  return {
    ...{ figure, value: Math.round(value), unit },
    ...{ against: null, ratio: null, goal: null, met: null },
  };
}
