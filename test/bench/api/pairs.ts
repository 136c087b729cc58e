// Responses per second, ours and the limit's in alternation: lists, single reads and durable writes.

import type { Row } from "../../../build/bench.ts";
import type { Commit } from "./baseline.ts";
import type { RequestSpec } from "./load.ts";
import {
  startBare,
  startPlayer,
  type Bare,
  type Clients,
} from "./processes.ts";
import { fillStore, type FilledStore } from "./store.ts";

export interface Pace {
  /** Pairs per figure; the median counts. */
  readonly rounds: number;
  readonly ms: number;
  /** Warm-up: the first moments of a process say little about its performance over a day. */
  readonly warmMs: number;
  /** Once for each pair and side: a player runs for weeks, and its code is fastest after the first thousands of calls. */
  readonly wakeMs: number;
  /** Share of the full stream sizes. */
  readonly streamShare: number;
}

export const clientCounts = [1, 16, 100] as const;

interface Pair {
  readonly figure: string;
  readonly requests: readonly RequestSpec[];
  readonly limit:
    | { readonly kind: "http" | "express"; readonly request: RequestSpec }
    | { readonly kind: "commit"; readonly what: Commit };
  /** Minimum share of the limit. */
  readonly goal: number | null;
  /** Number of concurrent clients; without it, each of `clientCounts`. */
  readonly clients?: readonly number[];
  /** Responses per second of the peer on such a machine, by number of clients. */
  readonly peer?: Readonly<Record<number, number>>;
}

const get = (path: string): RequestSpec => ({ method: "GET", path });
const assets = "/api/v2/assets";

export async function measurePairs(
  dir: string,
  clients: Clients,
  pace: Pace,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [count, pairsOf] of [
    [100, pairsOfHundred],
    [1000, pairsOfThousand],
    [10_000, pairsOfTenThousand],
  ] as const) {
    const store = await fillStore(dir, count);
    const player = await startPlayer(store.dataDir);
    const bare = await startBare(store.copy);
    for (const pair of pairsOf(store)) {
      const measures = (many: number): [ours: Measure, theirs: Measure] => [
        rateOf(clients, player.port, many, pair.requests),
        limitOf(clients, bare, many, pair),
      ];
      for (const wakeUp of measures(16)) await wakeUp(pace.wakeMs);
      for (const many of pair.clients ?? clientCounts) {
        for (const warmUp of measures(many)) await warmUp(pace.warmMs);
        const shares = await alternate(...measures(many), pace);
        rows.push(...rowsOf(pair, many, shares));
      }
    }
    await player.stop();
    await bare.stop();
  }
  return rows;
}

function pairsOfHundred({ ids }: FilledStore): readonly Pair[] {
  const one = ids[50] ?? "";
  const list = {
    figure: "list of 100",
    requests: [get(assets)],
    limit: { kind: "http", request: get("/list") },
    goal: 0.8,
    peer: { 1: 34, 16: 29 },
  } as const;
  const single = {
    figure: "one asset",
    requests: [get(`${assets}/${one}`)],
    limit: { kind: "express", request: get(`/assets/${one}`) },
    goal: 0.8,
    peer: { 1: 87, 16: 90 },
  } as const;
  // With one client, the round trip takes most of the time: the limit is a bare server with the same commit.
  const alone = { goal: 0.8, clients: [1] } as const;
  // With many, those that wait together share a flush: the limit is what SQLite commits one after the other.
  const together = { goal: 0.6, clients: [16, 100] } as const;
  const patch = {
    figure: "patch, durable",
    requests: [
      { method: "PATCH", path: `${assets}/${one}`, body: `{"name":"P {n}"}` },
    ],
  } as const;
  const patchAlone = {
    ...{ ...patch, ...alone, peer: { 1: 15 } },
    limit: {
      kind: "http",
      request: {
        method: "PATCH",
        path: "/commit/patch",
        body: `{"name":"P {n}"}`,
      },
    },
  } as const;
  const patchTogether = {
    ...{ ...patch, ...together },
    limit: { kind: "commit", what: "patch" },
  } as const;
  // Last, since it enlarges the store.
  const create = {
    figure: "create, durable",
    requests: [{ method: "POST", path: assets, body: createBody }],
  } as const;
  const createAlone = {
    ...{ ...create, ...alone, peer: { 1: 26 } },
    limit: {
      kind: "http",
      request: { method: "POST", path: "/commit/create", body: createBody },
    },
  } as const;
  const createTogether = {
    ...{ ...create, ...together },
    limit: { kind: "commit", what: "create" },
  } as const;
  return [
    ...[list, single, patchAlone, patchTogether],
    ...[createAlone, createTogether],
  ];
}

const createBody = JSON.stringify({
  ...{ name: "C {n}", uri: "https://example.org/", mimetype: "webpage" },
  ...{ start_date: "2020-01-01T00:00:00Z", end_date: "2100-01-01T00:00:00Z" },
  ...{ duration: 3600, is_enabled: true, skip_asset_check: true },
});

function pairsOfThousand({ ids }: FilledStore): readonly Pair[] {
  const order = (orderedIds: readonly string[]): RequestSpec => ({
    method: "POST",
    path: `${assets}/order`,
    body: JSON.stringify({ ids: orderedIds.join() }),
  });
  return [
    {
      figure: "order of 1,000",
      // Each moves all of them.
      requests: [order([...ids.slice(1), ...ids.slice(0, 1)]), order(ids)],
      limit: { kind: "commit", what: "order" },
      goal: null,
      // 248 ms for 600.
      peer: { 1: 4 },
    },
  ];
}

function pairsOfTenThousand(): readonly Pair[] {
  return [
    {
      figure: "list of 10,000",
      requests: [get(assets)],
      limit: { kind: "http", request: get("/list") },
      goal: null,
    },
  ];
}

type Measure = (ms: number) => Promise<number>;

function rateOf(
  clients: Clients,
  port: number,
  many: number,
  requests: readonly RequestSpec[],
): Measure {
  return async (ms) => {
    const job = { kind: "request", port, clients: many, ms, requests } as const;
    const { answers, seconds, failed } = await clients.run(job);
    if (failed > 0) throw new Error(`${failed} answers were no success`);
    return answers / seconds;
  };
}

function limitOf(
  clients: Clients,
  { ports, commitsPerSecond }: Bare,
  many: number,
  { limit }: Pair,
): Measure {
  if (limit.kind === "commit")
    return (ms) => commitsPerSecond({ what: limit.what, ms });
  return rateOf(clients, ports[limit.kind], many, [limit.request]);
}

interface Shares {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
}

/** With slow responses one round takes as long as all rounds of fast ones, and is as conclusive. */
const longEnoughMs = 3000;

async function alternate(
  ours: Measure,
  theirs: Measure,
  { rounds, ms }: Pace,
): Promise<Shares> {
  const pairs: Shares[] = [];
  const startedAt = performance.now();
  while (
    pairs.length < rounds &&
    (pairs.length === 0 || performance.now() - startedAt < longEnoughMs)
  ) {
    const limit = await theirs(ms);
    const own = await ours(ms);
    pairs.push({ ours: own, theirs: limit, ratio: own / limit });
  }
  pairs.sort((a, b) => a.ratio - b.ratio);
  return pairs[Math.floor(pairs.length / 2)] as Shares;
}

const limitName = {
  http: "bare node:http",
  express: "bare Express",
  commit: "SQLite alone",
};

function nameOf(limit: Pair["limit"]): string {
  const isCommit =
    limit.kind === "http" && limit.request.path.startsWith("/commit/");
  return isCommit
    ? `${limitName.http} with the same commit`
    : limitName[limit.kind];
}

function rowsOf(pair: Pair, many: number, shares: Shares): Row[] {
  const { ours, theirs, ratio } = shares;
  const { goal, limit } = pair;
  const figure = `${pair.figure}, ${many} client${many === 1 ? "" : "s"}`;
  const value = Math.round(ours * 10) / 10;
  const peer = pair.peer?.[many];
  const row: Row = {
    ...{ figure, value, unit: "/s", ratio },
    against: `${nameOf(limit)} ${theirs.toFixed(0)}`,
    goal: goal === null ? null : `at least ${goal}`,
    met: goal === null ? null : ratio >= goal,
  };
  if (peer === undefined) return [row];
  return [
    row,
    {
      ...{ figure, value, unit: "/s", ratio: ours / peer },
      ...{ against: `the peer ${peer}`, goal: null, met: null },
    },
  ];
}
