// Responses per second, ours and bare Express's in alternation, over the same rows and the same statements.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Row } from "../../../build/bench.ts";
import {
  contentKey,
  serveContent,
} from "../../support/content/start-content.ts";
import type { RequestSpec, Outcome } from "../api/load.ts";
import type { Clients } from "../api/processes.ts";
import type { BareJob } from "./baseline.ts";
import { cpuMicrosecondsOf } from "./cpu.ts";
import { statementsOf } from "./record.ts";
import {
  openContentDatabase,
  playlistsFilled,
  type FilledContent,
} from "./store.ts";
import type { Pair } from "./pair.ts";
import { v3PairsOf } from "./v3-pairs.ts";

export interface ContentPace {
  /** For each side; its median counts. */
  readonly rounds: number;
  readonly ms: number;
  readonly warmMs: number;
  /** Once for each pair: a service runs for weeks, and its code is fastest after the first thousands of calls. */
  readonly wakeMs: number;
}

const rowsOfBulk = 1_000;
const clientCounts = [1, 16, 100];
const goal = 0.7;
/** A share this near to the goal is measured three times as long, on whichever side of it: rounds differ by more than that. */
const nearGoal = 0.08;
const auth = { Authorization: `Token ${contentKey}` };
const get = (path: string, headers = {}): RequestSpec => ({
  ...{ method: "GET", path, headers: { ...auth, ...headers } },
});

export async function* measureContent(
  filled: FilledContent,
  clients: Clients,
  { rounds, ms, warmMs, wakeMs }: ContentPace,
  playbacks: number,
): AsyncGenerator<Row> {
  const { dataDir, databaseUrl, ids } = filled;
  const words = databaseUrl ? ["--database-url", databaseUrl] : [];
  const served = await serveContent(dataDir, words);
  const v4 = await pairsOf(filled);
  const v3 = await v3PairsOf(filled, playbacks);
  // Version 3 first: version 4 ends by inserting assets, after which a list no longer has the stated length.
  const pairs = [...v3.pairs, ...v4.pairs].filter(isSelected);
  const bare = await startBare({
    ...{ ...filled, writes: v3.job.writes },
    reads: { ...v4.reads, ...v3.job.reads },
  });
  const own: RequestedPair = {
    port: Number(new URL(served.address).port),
    pid: served.process.pid ?? 0,
  };
  for (const pair of pairs) {
    for (const { of, port } of [
      { of: pair.theirs, port: bare.port },
      { of: pair.ours, port: own.port },
    ])
      await clients.run({
        ...{ kind: "request", clients: 16, port, ms: wakeMs, requests: [of] },
      });
    for (const many of clientCounts) {
      const request = async (
        of: RequestSpec,
        { port, pid }: RequestedPair,
        forMs: number,
      ): Promise<Measured> => {
        const before = cpuMicrosecondsOf(pid);
        const outcome = await clients.run({
          ...{
            kind: "request",
            clients: many,
            port,
            ms: forMs,
            requests: [of],
          },
        });
        const after = cpuMicrosecondsOf(pid);
        const spent = before !== null && after !== null ? after - before : NaN;
        return { ...outcome, cpuEach: spent / outcome.answers };
      };
      await request(pair.theirs, bare, warmMs);
      await request(pair.ours, own, warmMs);
      const ours: Measured[] = [];
      const theirs: Measured[] = [];
      const measureOurs = async () =>
        ours.push(await request(pair.ours, own, ms));
      const measureTheirs = async () =>
        theirs.push(await request(pair.theirs, bare, ms));
      // Neither always follows the other: the garbage that one leaves is collected during the next.
      const alternate = async (times: number): Promise<Share> => {
        for (let round = 0; round < times; round += 1)
          for (const each of round % 2 === 0
            ? [measureOurs, measureTheirs]
            : [measureTheirs, measureOurs])
            await each();
        return shareOf(pair.figure, ours, theirs);
      };
      const first = await alternate(rounds);
      const isNear = Math.abs(first.ratio - goal) < nearGoal;
      const share = isNear ? await alternate(2 * rounds) : first;
      const figure = `${databaseUrl ? "PostgreSQL" : "SQLite"}, ${ids.length.toLocaleString("en")} assets: ${pair.figure}, ${many} client${many === 1 ? "" : "s"}`;
      yield rowOf(figure, share);
    }
  }
  served.process.kill("SIGKILL");
  bare.stop();
}

/** `npm run bench -- content "single row|insert"` measures only these. */
function isSelected({ figure }: Pair): boolean {
  return new RegExp(process.argv[3] ?? "").test(figure);
}

async function pairsOf(
  filled: FilledContent,
): Promise<{ pairs: readonly Pair[]; reads: BareJob["reads"] }> {
  const { ids, team, dataDir, databaseUrl } = filled;
  const id = ids[Math.floor(ids.length / 2)] ?? "";
  const assets = "/v4.1/assets";
  const readings: Readonly<Record<string, RequestSpec>> = {
    "single row": get(`${assets}?id=eq.${id}`),
    "page of 50 with embedding": get(
      `${assets}?select=*,asset_groups(*)&order=id&limit=50`,
    ),
    "filtered, ordered page of 50 with exact count": get(
      `${assets}?type=eq.image&order=title.desc&limit=50`,
      { Prefer: "count=exact" },
    ),
    "page of 50 with exact count": get(`${assets}?order=id&limit=50`, {
      Prefer: "count=exact",
    }),
    "page of 50 with a part of the title": get(
      `${assets}?title=ilike.*set%202*&order=id&limit=50`,
    ),
    "50 items with their asset": get(
      "/v4.1/playlist-items?select=*,assets(*)&order=id&limit=50",
    ),
    [`${playlistsFilled} playlists with items and assets`]: get(
      `/v4.1/playlists?select=*,playlist_items(*,assets(*))&order=id&limit=${playlistsFilled}`,
    ),
  };
  const database = openContentDatabase(dataDir, databaseUrl);
  const reads: Record<string, Awaited<ReturnType<typeof statementsOf>>> = {};
  const pairs: Pair[] = [];
  for (const [at, [figure, ours]] of Object.entries(readings).entries()) {
    reads[`/read/${at}`] = await statementsOf(database, team, ours);
    pairs.push({
      figure,
      ours,
      theirs: { method: "GET", path: `/read/${at}` },
    });
  }
  await database.close();
  const body = '{"title":"Title {n}"}';
  const write = (method: string, path: string): RequestSpec => ({
    ...{ method, path, body, headers: auth },
  });
  const shown = { ...auth, Prefer: "return=representation" };
  const many = `[${Array(rowsOfBulk).fill(body).join(",")}]`;
  return {
    reads,
    pairs: [
      ...pairs,
      {
        figure: "insert",
        ours: write("POST", assets),
        theirs: write("POST", "/assets"),
      },
      {
        figure: "insert with representation",
        ours: { ...write("POST", assets), headers: shown },
        theirs: write("POST", "/assets/shown"),
      },
      {
        figure: `insert of ${rowsOfBulk.toLocaleString("en")} rows`,
        ours: { ...write("POST", assets), body: many },
        theirs: { ...write("POST", "/assets/many"), body: many },
      },
      {
        figure: "patch",
        ours: write("PATCH", `${assets}?id=eq.${id}`),
        theirs: write("PATCH", `/assets/${id}`),
      },
    ],
  };
}

async function startBare(job: BareJob) {
  const file = fileURLToPath(new URL("baseline.ts", import.meta.url));
  const child = fork(file);
  child.send(job);
  const [message] = (await once(child, "message")) as [{ port: number }];
  return {
    ...{ port: message.port, pid: child.pid ?? 0 },
    stop: () => child.kill("SIGKILL"),
  };
}

interface RequestedPair {
  readonly port: number;
  readonly pid: number;
}

interface Measured extends Outcome {
  /** Processor microseconds per response, without those of PostgreSQL. */
  readonly cpuEach: number;
}

interface Share {
  readonly ours: Measured;
  readonly theirs: Measured;
  readonly ratio: number;
}

const rate = ({ answers, seconds }: Outcome): number => answers / seconds;

/** Compares the medians of both sides: a round that something disturbed is the median of neither. */
function shareOf(
  figure: string,
  allOurs: readonly Measured[],
  allTheirs: readonly Measured[],
): Share {
  const [failed, failedTheirs] = [failuresOf(allOurs), failuresOf(allTheirs)];
  if (failed + failedTheirs > 0)
    throw new Error(
      `${figure}: no success were ${failed} answers, ${failedTheirs} of bare Express`,
    );
  const [ours, theirs] = [middle(allOurs), middle(allTheirs)];
  return { ours, theirs, ratio: rate(ours) / rate(theirs) };
}

function failuresOf(all: readonly Measured[]): number {
  return all.reduce((sum, { failed }) => sum + failed, 0);
}

function middle(all: readonly Measured[]): Measured {
  const sorted = [...all].sort((one, other) => rate(one) - rate(other));
  return sorted[Math.floor(sorted.length / 2)] as Measured;
}

function rowOf(figure: string, { ours, theirs, ratio }: Share): Row {
  const p99 = `p99 ${ours.p99Ms.toFixed(1)} ms, bare ${theirs.p99Ms.toFixed(1)}`;
  const cpu = Number.isNaN(ours.cpuEach + theirs.cpuEach)
    ? ""
    : `; CPU ${ours.cpuEach.toFixed(0)} µs, bare ${theirs.cpuEach.toFixed(0)}`;
  return {
    ...{ figure, value: Math.round(rate(ours)), unit: "/s", ratio },
    against: `bare Express ${rate(theirs).toFixed(0)}; ${p99}${cpu}`,
    goal: `at least ${goal}`,
    met: ratio >= goal,
  };
}
