// Players that hold a socket to a content service: what they cost while nothing happens, and how soon they hear. The link client is
// the real one, its stage is simulated; both sides run on this machine, each in processes of their own.
// `npm run bench -- fleet 1000 2500 5000 10000` names the sizes; the last is predicted from the others before it is measured.
// `npm run bench -- fleet two 1000 2500` measures two instances on PostgreSQL, with half of the players each. `slow` as the first word
// starts the players more slowly: for a machine that others use, too.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Row } from "../../build/bench.ts";
import { contentMigrations } from "../../server/content/migrations.ts";
import { openStore } from "../../server/content/store/open-store.ts";
import type { ContentTables } from "../../server/content/tables.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";
import { descriptorLimit } from "../../server/platform/process/descriptors.ts";
import { makeDatabase, startPostgres } from "../support/database/postgres.ts";
import { percentile } from "./change/changes.ts";
import { createFleet } from "./fleet/fleet-processes.ts";
import {
  coresOf,
  startBareServer,
  startService,
  type MeasuredProcess,
  type ServiceOptions,
} from "./fleet/measured-process.ts";
import type { Player } from "./fleet/players.ts";
import { benchKey, claimScreens } from "./fleet/team.ts";

const idleMs = 60_000;
/** What came with connecting is over, and what it left was collected. */
const settleMs = 20_000;
const commandCount = 100;
const startsPerSecond = { usual: 100, slow: 10 };
/** Besides one socket for each player. */
const otherDescriptors = 2500;

interface Measured {
  readonly players: number;
  /** Of one core. */
  readonly idleCores: number;
  readonly memoryKib: number;
  readonly liveKib: number;
  readonly bareMemoryKib: number;
  readonly bareLiveKib: number;
  readonly commandMs: readonly number[];
  readonly changeMs: number;
  readonly changeCores: number;
  readonly reconnectedMs: number;
}

export async function* run(): AsyncGenerator<Row> {
  const words = process.argv.slice(3);
  const isTwo = words.includes("two");
  const perSecond = words.includes("slow")
    ? startsPerSecond.slow
    : startsPerSecond.usual;
  const given = words.map(Number).filter((count) => count > 0);
  const sizes = given.length > 0 ? given : [1000, 2500, 5000, 10_000];
  const limit = descriptorLimit() ?? Infinity;
  const needed = Math.max(...sizes) + otherDescriptors;
  if (limit < needed)
    throw new Error(
      `A process may open ${limit} files here; ${needed} are needed (ulimit -n).`,
    );
  const done: Measured[] = [];
  for (const size of sizes) {
    const isLast = done.length >= 2 && size === sizes.at(-1);
    const predicted = isLast ? predictedRows(done, size) : [];
    for (const { row } of predicted) yield row;
    const measured = await measure(size, isTwo ? 2 : 1, perSecond);
    done.push(measured);
    yield* rowsOf(measured);
    for (const { figure, of, value } of predicted)
      yield {
        ...{ figure: `${size} players: ${figure}, predicted`, unit: "ratio" },
        ...{ value: rounded(value), against: rounded(of(measured)) },
        ratio: rounded(value / of(measured)),
        ...{ goal: "0.9 to 1.1" },
        met: Math.abs(value / of(measured) - 1) <= 0.1,
      };
  }
}

interface Ground {
  readonly options: ServiceOptions;
  readonly players: readonly Player[];
  remove(): Promise<void>;
}

async function makeGround(count: number, isShared: boolean): Promise<Ground> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "vitrine-fleet-"));
  const postgres = isShared ? await startPostgres() : null;
  if (isShared && !postgres) throw new Error("PostgreSQL is not installed.");
  const made = postgres && (await makeDatabase(postgres.url));
  const database = made
    ? openPostgres<ContentTables>(made.url)
    : await openStore({ dataDir, binding: undefined, log: null });
  if (made)
    await migrate(database.kysely as never, database.kind, contentMigrations);
  const players = await claimScreens(database, count);
  await database.close();
  return {
    options: { dataDir, databaseUrl: made?.url, port: 0 },
    players,
    remove: async () => {
      await postgres?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function measure(
  count: number,
  instances: number,
  perSecond: number,
): Promise<Measured> {
  const bare = await measureBare(count, perSecond);
  const { options, players, remove } = await makeGround(count, instances > 1);
  const services: MeasuredProcess[] = [];
  for (let at = 0; at < instances; at += 1)
    services.push(await startService(options));
  const fleet = createFleet();
  try {
    await pause(settleMs / 4);
    const before = await memoryOf(services);
    fleet.start(addressesOf(services), players, perSecond);
    await fleet.until(({ open }) => open === count);
    await pause(settleMs);
    const idleCores = await coresOf(services, () => pause(idleMs));
    const after = await memoryOf(services);
    const commandMs: number[] = [];
    for (let at = 0; at < commandCount; at += 1) {
      // Through each instance in turn: every other one to a screen of another instance.
      const through = services[Math.floor(at / 2) % instances];
      commandMs.push(await command(through, players[at % count]));
    }
    fleet.forgetNews();
    const changedAt = Date.now();
    let lastReceivedAt = changedAt;
    const changeCores = await coresOf(services, async () => {
      await post(services[0], "/playlists/", { title: "Change" });
      ({ lastReceivedAt } = await fleet.until(
        ({ receivedNews }) => receivedNews === count,
      ));
    });
    const ports = addressesOf(services).map((one) => Number(new URL(one).port));
    await Promise.all(services.map((one) => one.kill()));
    await fleet.until(({ open }) => open === 0);
    services.length = 0;
    for (const port of ports)
      services.push(await startService({ ...options, port }));
    const backAt = Date.now();
    await fleet.until(({ open }) => open === count);
    return {
      ...{ players: count, idleCores, commandMs, changeCores },
      memoryKib: (after.rssKib - before.rssKib) / count,
      liveKib: (after.liveKib - before.liveKib) / count,
      ...bare,
      changeMs: lastReceivedAt - changedAt,
      reconnectedMs: Date.now() - backAt,
    };
  } finally {
    fleet.stop();
    await Promise.all(services.map((one) => one.kill()));
    await remove();
  }
}

/** The same number of sockets at Node's HTTP server with `ws` alone, in the same run. */
async function measureBare(
  count: number,
  perSecond: number,
): Promise<Pick<Measured, "bareMemoryKib" | "bareLiveKib">> {
  const server = await startBareServer();
  const fleet = createFleet(true);
  try {
    const before = await server.memory();
    const players = Array<Player>(count).fill({ credential: "", screenId: "" });
    fleet.start([server.address], players, 10 * perSecond);
    await fleet.until(({ open }) => open === count);
    await pause(settleMs);
    const after = await server.memory();
    return {
      bareMemoryKib: (after.rssKib - before.rssKib) / count,
      bareLiveKib: (after.liveKib - before.liveKib) / count,
    };
  } finally {
    fleet.stop();
    await server.kill();
  }
}

const addressesOf = (services: readonly MeasuredProcess[]): string[] =>
  services.map(({ address }) => address);

async function memoryOf(services: readonly MeasuredProcess[]) {
  const reports = await Promise.all(services.map((one) => one.memory()));
  return {
    rssKib: reports.reduce((sum, { rssKib }) => sum + rssKib, 0),
    liveKib: reports.reduce((sum, { liveKib }) => sum + liveKib, 0),
  };
}

async function post(
  service: MeasuredProcess | undefined,
  route: string,
  body: object,
) {
  const response = await fetch(`${service?.address}/api/v3${route}`, {
    method: "POST",
    headers: {
      Authorization: `Token ${benchKey}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { readonly id: string };
}

/** Until its verified result is stored, by the times that the service notes. */
async function command(
  service: MeasuredProcess | undefined,
  player?: Player,
): Promise<number> {
  const from = performance.now();
  const { id } = await post(
    service,
    `/screens/${player?.screenId ?? ""}/commands/`,
    { kind: "next" },
  );
  for (;;) {
    const response = await fetch(
      `${service?.address}/api/v3/screens/commands/?id=${id}`,
      { headers: { Authorization: `Token ${benchKey}` } },
    );
    const [row] = (await response.json()) as { readonly state: string }[];
    if (row?.state === "done") return performance.now() - from;
    await pause(5);
  }
}

const rounded = (value: number): number => Number(value.toPrecision(3));

interface Figure {
  readonly figure: string;
  readonly unit: string;
  readonly goal: number | null;
  readonly of: (measured: Measured) => number;
  /** Grows with the players, or is the same for each. */
  readonly isPredicted?: boolean;
}

const figures: readonly Figure[] = [
  {
    ...{ figure: "service while nothing happens", unit: "cores", goal: 0.25 },
    ...{ of: ({ idleCores }) => idleCores, isPredicted: true },
  },
  {
    ...{ figure: "memory of the service for each", unit: "KiB", goal: 25 },
    ...{ of: ({ memoryKib }) => memoryKib, isPredicted: true },
  },
  {
    ...{ figure: "of it live objects and buffers", unit: "KiB", goal: null },
    of: ({ liveKib }) => liveKib,
  },
  {
    ...{ figure: "memory of a bare ws server for each", unit: "KiB" },
    ...{ goal: null, of: ({ bareMemoryKib }) => bareMemoryKib },
  },
  {
    ...{ figure: "of it live objects and buffers", unit: "KiB", goal: null },
    of: ({ bareLiveKib }) => bareLiveKib,
  },
  {
    ...{ figure: "command to its result, median", unit: "ms", goal: null },
    of: ({ commandMs }) => percentile(commandMs, 0.5),
  },
  {
    ...{ figure: "command to its result, p99", unit: "ms", goal: 300 },
    of: ({ commandMs }) => percentile(commandMs, 0.99),
  },
  {
    ...{ figure: "a change is heard by all", unit: "s", goal: 5 },
    ...{ of: ({ changeMs }) => changeMs / 1000, isPredicted: true },
  },
  {
    ...{ figure: "service during that time", unit: "cores", goal: 2 },
    of: ({ changeCores }) => changeCores,
  },
  {
    ...{ figure: "all are back after a kill", unit: "s", goal: 60 },
    ...{ of: ({ reconnectedMs }) => reconnectedMs / 1000, isPredicted: true },
  },
];

/** From the cost of each further player between the smallest and the largest size so far. */
function predictedRows(done: readonly Measured[], players: number) {
  const [first, last] = [done[0], done.at(-1)];
  if (!first || !last || first === last) return [];
  return figures
    .filter(({ isPredicted }) => isPredicted === true)
    .map(({ figure, unit, of }) => {
      // What is the same for each player is predicted as the sum over all of them.
      const isEach = figure.endsWith("for each");
      const sum = (one: Measured): number =>
        of(one) * (isEach ? one.players : 1);
      const each = (sum(last) - sum(first)) / (last.players - first.players);
      const total = sum(last) + each * (players - last.players);
      const value = isEach ? total / players : total;
      const row: Row = {
        figure: `${players} players, predicted: ${figure}`,
        ...{ value: rounded(value), unit, against: null, ratio: null },
        ...{ goal: null, met: null },
      };
      return { figure, of, value, row };
    });
}

function rowsOf(measured: Measured): Row[] {
  return figures.map(({ figure, unit, goal, of }) => {
    const value = of(measured);
    return {
      figure: `${measured.players} players: ${figure}`,
      ...{ value: rounded(value), unit, against: null, ratio: null },
      goal: goal === null ? null : `at most ${goal}`,
      met: goal === null ? null : value <= goal,
    };
  });
}
