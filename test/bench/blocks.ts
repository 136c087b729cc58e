// How long the player's main thread is blocked at once, with ten thousand assets and a million playback entries.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Row } from "../../build/bench.ts";
import { planSync } from "../../server/core/sync-plan/sync-plan.ts";
import { emptyContent } from "../../server/core/sync-plan/desired-content.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { createLog } from "../../server/platform/log.ts";
import { openSqlite } from "../../server/platform/sqlite/sqlite.ts";
import { createPlayer } from "../../server/player/player.ts";
import { createLinkRows } from "../../server/player/sync/link-client/link-rows.ts";
import { png } from "../support/media/media.ts";
import { rememberingStage } from "../support/player/stage.ts";
import { asset, playlist } from "../support/sync/sync-plans.ts";
import { fillStore } from "./api/store.ts";

const assets = 10_000;
const playbacks = 1_000_000;
/** For a taken name: the name itself, and this many names with a number after it. */
const alike = 5000;
const goalMs = 10;
/** The minimum of them counts: other work of the machine blocks everything now and then. */
const rounds = 7;
const restMs = 50;
/** Playlists that a connection synced, each with this many of its assets. */
const syncedCount = 100;
const shownByEach = 20;
const script = fileURLToPath(new URL("blocks/player.ts", import.meta.url));

export async function run(): Promise<readonly Row[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-blocks-"));
  try {
    const { dataDir, ids } = await fillStore(dir, assets);
    const file = path.join(dataDir, "vitrine.db");
    addPlaybacks(file);
    const rows = [...linkRows(file)];
    const player = await startPlayer(dataDir);
    try {
      rows.push(...(await requestRows(player, ids)));
    } finally {
      await player.end();
    }
    return [...rows, await syncRow(dataDir)];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Adds the same number for every asset, one playback per second, none of a connection's; and very many similar names. */
function addPlaybacks(file: string): void {
  const database = openSqlite(file);
  database.exec(`
    CREATE TEMP TABLE listed AS SELECT row_number() OVER () - 1 AS place, id, name FROM assets;
    CREATE UNIQUE INDEX temp.by_place ON listed (place);
    WITH RECURSIVE counted (number) AS
      (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < ${playbacks})
    INSERT INTO plays (number, id, asset_id, name, reason, started_at, ended_at)
    SELECT number, 'play' || number, listed.id, listed.name, '', 1000 * number, 1000 * number + 999
    FROM counted JOIN listed ON place = number % ${assets};
    UPDATE assets SET name = 'Lobby-' || play_order WHERE play_order < ${alike};
    UPDATE assets SET name = 'Lobby' WHERE play_order = ${alike};`);
  database.close();
}

/** Requested by the links of paired screens, each part in its own turn of the event loop. */
function linkRows(file: string): readonly Row[] {
  const database = openSqlite(file);
  const rows = createLinkRows(database);
  const nobody = "f".repeat(32);
  const reported = new Map<number, number>();
  const counted: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let [after, isAll] = [0, false]; !isAll;) {
      const from = after;
      const { value, ms } = timed(() => rows.playbacks(nobody, from, 1000, 0));
      reported.set(from, Math.min(ms, reported.get(from) ?? Infinity));
      ({ isAll, upTo: after } = value);
    }
    const another = String(round).padStart(32, "0");
    counted.push(timed(() => rows.playbacksAfter(another, 0)).ms);
  }
  database.close();
  return [
    row("one piece of the plays looked through for one account", [
      ...reported.values(),
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
  request(method: string, at: string, body?: object): Promise<unknown>;
  /** Since the previous call. */
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
    request: async (method, at, body) => {
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
      const [output] = (await once(child, "message")) as [
        { longestMs: number },
      ];
      return output.longestMs;
    },
    end: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of stdout ?? []) {
    output += String(chunk);
    const match = /API (http:\S+)/.exec(output)?.[1];
    if (match !== undefined) return match;
  }
  throw new Error(`the player ended instead of starting: ${output}`);
}

async function requestRows(
  player: BlockedPlayer,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const { request } = player;
  const [first = "", second = ""] = ids;
  const page = {
    ...{ name: "Lobby", uri: "https://example.org/", mimetype: "webpage" },
    ...{ skip_asset_check: true, is_enabled: false, duration: 10 },
    ...{ start_date: "2020-01-01", end_date: "2100-01-01" },
  };
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    "GET /now": () => request("GET", "/now"),
    "GET /info": () => request("GET", "/info"),
    "GET /why": () => request("GET", "/why"),
    "GET /assets": () => request("GET", "/assets"),
    "GET /playbacks of one asset": () =>
      request("GET", `/playbacks?asset_id=${first}`),
    "GET /playbacks of an asset that was never shown": () =>
      request("GET", `/playbacks?asset_id=${"f".repeat(32)}`),
    "GET /playbacks/report": () => request("GET", "/playbacks/report"),
    "PATCH /assets/{id}": () =>
      request("PATCH", `/assets/${first}`, { duration: 11 }),
    [`POST /assets under a name that ${alike} have`]: () =>
      request("POST", "/assets", page),
    "POST /trash and back": async () => {
      await request("POST", "/trash", { asset_ids: [second] });
      await request("POST", "/trash/restore", { asset_ids: [second] });
    },
    "nothing, for a second": () => pause(1000),
  };
  const rows: Row[] = [];
  for (const [figure, act] of Object.entries(actions)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await player.longestMs();
      await act();
      // Work that the response left behind belongs to it.
      await pause(restMs);
      times.push(await player.longestMs());
    }
    rows.push(row(figure, [Math.min(...times)]));
  }
  return rows;
}

/** A change of one asset that a content service sent, with everything else already stored. */
async function syncRow(dataDir: string): Promise<Row> {
  const player = await createPlayer({
    ...{ dataDir, apiHost: "127.0.0.1", apiPort: 0, version: "0.0.0" },
    ...{ stage: rememberingStage(), clock: systemClock, reserveBytes: 0 },
    takeScreenshot: () => Promise.resolve(png([1, 2, 3])),
    log: createLog({ toStandardOutput: false }),
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  try {
    const { library } = player.forSync;
    const connection = "c".repeat(32);
    library.saveConnection(connection, {});
    const names = Array.from(
      { length: syncedCount },
      (_, place) => `r${place}`,
    );
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const content = {
        ...emptyContent,
        assets: names.map((name, place) =>
          asset(name, { durationSeconds: place === 0 ? 10 + round : 10 }),
        ),
        playlists: names.map((name, place) =>
          playlist(`p-${name}`, names.slice(place, place + shownByEach)),
        ),
      };
      const plan = planSync(content, library.held(connection));
      const record = {
        ...{ id: `plan${round}`, target: `t${round}`, at: round },
        content,
      };
      await pause(restMs);
      delay.enable();
      delay.reset();
      await library.apply(connection, plan, record, {}, true);
      await pause(restMs);
      times.push(Math.max(0, delay.max / 1e6 - 1));
      delay.disable();
    }
    // The first one applied all of them.
    return row("a synced change of one asset applied", [
      Math.min(...times.slice(1)),
    ]);
  } finally {
    await player.stop();
  }
}

function row(figure: string, times: readonly number[]): Row {
  const value = Math.round(Math.max(...times) * 10) / 10;
  return {
    figure: `longest hold-up: ${figure}`,
    ...{ value, unit: "ms", against: null, ratio: null },
    ...{ goal: `at most ${goalMs} ms`, met: value <= goalMs },
  };
}
