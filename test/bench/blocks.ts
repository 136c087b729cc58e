// How long the player's main thread is held up at once, with ten thousand assets and a million plays.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Row } from "../../build/bench.ts";
import { openSqlite } from "../../server/platform/sqlite.ts";
import { createLinkRows } from "../../server/player/sync/link-client/link-rows.ts";
import { fillStore } from "./api/store.ts";

const assets = 10_000;
const plays = 1_000_000;
/** Of a name that is taken: the name itself, and as many with a number behind it. */
const alike = 5000;
const goalMs = 10;
/** The least of them counts: what else the machine does holds up everything now and then. */
const rounds = 7;
const restMs = 50;
const script = fileURLToPath(new URL("blocks/player.ts", import.meta.url));

export async function run(): Promise<readonly Row[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-blocks-"));
  try {
    const { dataDir, ids } = await fillStore(dir, assets);
    const file = path.join(dataDir, "vitrine.db");
    addPlays(file);
    const links = linkRows(file);
    const player = await startPlayer(dataDir);
    try {
      return [...links, ...(await requestRows(player, ids))];
    } finally {
      await player.end();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Of every asset as many, a play every second; none of an account's. And very many names that are alike. */
function addPlays(file: string): void {
  const database = openSqlite(file);
  database.exec(`
    CREATE TEMP TABLE listed AS SELECT row_number() OVER () - 1 AS place, id, name FROM assets;
    CREATE UNIQUE INDEX temp.by_place ON listed (place);
    WITH RECURSIVE counted (number) AS
      (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < ${plays})
    INSERT INTO plays (number, id, asset_id, name, reason, started_at, ended_at)
    SELECT number, 'play' || number, listed.id, listed.name, '', 1000 * number, 1000 * number + 999
    FROM counted JOIN listed ON place = number % ${assets};
    UPDATE assets SET name = 'Lobby-' || play_order WHERE play_order < ${alike};
    UPDATE assets SET name = 'Lobby' WHERE play_order = ${alike};`);
  database.close();
}

/** Asked by the links of paired screens, each piece in a turn of its own. */
function linkRows(file: string): readonly Row[] {
  const database = openSqlite(file);
  const rows = createLinkRows(database);
  const nobody = "f".repeat(32);
  const told = new Map<number, number>();
  const counted: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let [after, isAll] = [0, false]; !isAll;) {
      const from = after;
      const { value, ms } = timed(() => rows.plays(nobody, from, 1000, 0));
      told.set(from, Math.min(ms, told.get(from) ?? Infinity));
      ({ isAll, upTo: after } = value);
    }
    const another = String(round).padStart(32, "0");
    counted.push(timed(() => rows.playsAfter(another, 0)).ms);
  }
  database.close();
  return [
    row("one piece of the plays looked through for one account", [
      ...told.values(),
    ]),
    row("one piece of the plays counted for one account", [
      Math.min(...counted),
    ]),
  ];
}

function timed<Value>(act: () => Value): { value: Value; ms: number } {
  const before = performance.now();
  const value = act();
  return { value, ms: performance.now() - before };
}

interface BlockedPlayer {
  ask(method: string, at: string, body?: object): Promise<unknown>;
  /** Since this was asked before. */
  longestMs(): Promise<number>;
  end(): Promise<void>;
}

async function startPlayer(dataDir: string): Promise<BlockedPlayer> {
  const words = ["serve", "--data-dir", dataDir, "--api-port", "0"];
  const child = fork(script, words, {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const address = await addressOf(child);
  return {
    ask: async (method, at, body) => {
      const answer = await fetch(`${address}/api/v2${at}`, {
        method,
        ...(body && {
          ...{ body: JSON.stringify(body) },
          headers: { "Content-Type": "application/json" },
        }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${at}: ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
    longestMs: async () => {
      child.send("longest");
      const [said] = (await once(child, "message")) as [{ longestMs: number }];
      return said.longestMs;
    },
    end: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    const found = /API (http:\S+)/.exec(said)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`the player ended instead of starting: ${said}`);
}

async function requestRows(
  player: BlockedPlayer,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const { ask } = player;
  const [first = "", second = ""] = ids;
  const page = {
    ...{ name: "Lobby", uri: "https://example.org/", mimetype: "webpage" },
    ...{ skip_asset_check: true, is_enabled: false, duration: 10 },
    ...{ start_date: "2020-01-01", end_date: "2100-01-01" },
  };
  const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
    "GET /now": () => ask("GET", "/now"),
    "GET /info": () => ask("GET", "/info"),
    "GET /why": () => ask("GET", "/why"),
    "GET /assets": () => ask("GET", "/assets"),
    "GET /plays of one asset": () => ask("GET", `/plays?asset_id=${first}`),
    "GET /plays of an asset that was never shown": () =>
      ask("GET", `/plays?asset_id=${"f".repeat(32)}`),
    "GET /plays/report": () => ask("GET", "/plays/report"),
    "PATCH /assets/{id}": () =>
      ask("PATCH", `/assets/${first}`, { duration: 11 }),
    [`POST /assets under a name that ${alike} have`]: () =>
      ask("POST", "/assets", page),
    "POST /bin and back": async () => {
      await ask("POST", "/bin", { asset_ids: [second] });
      await ask("POST", "/bin/restore", { asset_ids: [second] });
    },
    "nothing, for a second": () => pause(1000),
  };
  const rows: Row[] = [];
  for (const [figure, act] of Object.entries(deeds)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await player.longestMs();
      await act();
      // What the answer left to do belongs to it.
      await pause(restMs);
      times.push(await player.longestMs());
    }
    rows.push(row(figure, [Math.min(...times)]));
  }
  return rows;
}

function row(figure: string, times: readonly number[]): Row {
  const value = Math.round(Math.max(...times) * 10) / 10;
  return {
    figure: `longest hold-up: ${figure}`,
    ...{ value, unit: "ms", against: null, ratio: null },
    ...{ goal: `at most ${goalMs} ms`, met: value <= goalMs },
  };
}
