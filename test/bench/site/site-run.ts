// A whole site against the real content service: players that are paired and find each other, content that is added while they run,
// and some of them killed in the middle of it.

import { createHash } from "node:crypto";
import { fork, type ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { clip } from "../../support/media/media.ts";
import {
  clientAt,
  contentKey,
  type ContentClient,
} from "../../support/content/start-content.ts";
import { createRandom, type Random } from "../../long/kill/random.ts";
import { startService } from "../fleet/measured-process.ts";
import type { PlayerReport } from "./player.ts";

export interface SiteRunOptions {
  readonly players: number;
  /** How many of them are killed, and started again later. */
  readonly kills: number;
  readonly files: number;
  readonly fileBytes: number;
  readonly wanBytesPerSecond: number;
  readonly isOn: boolean;
  /** Of the contents, and of who is killed. */
  readonly seed: number;
  /** For the whole run. */
  readonly deadlineMs: number;
}

export interface SiteRun {
  readonly contentBytes: number;
  /** From the first byte of content until every player had everything. */
  readonly wanBytes: number;
  readonly seconds: number;
  /** Of the players that were not killed: files that came from others, and all. */
  readonly filesFromPlayers: number;
  readonly filesOfSurvivors: number;
}

const pollMs = 100;
const here = (name: string): string => path.join(import.meta.dirname, name);

interface Player {
  readonly dataDir: string;
  readonly address: string;
  process: ChildProcess;
}

export async function runSite(options: SiteRunOptions): Promise<SiteRun> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-site-bench-"));
  const closing: (() => unknown)[] = [];
  try {
    return await inFolder(dir, options, closing);
  } finally {
    for (const close of closing.reverse()) await close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function inFolder(
  dir: string,
  options: SiteRunOptions,
  closing: (() => unknown)[],
): Promise<SiteRun> {
  const random = createRandom(options.seed);
  const deadline = AbortSignal.timeout(options.deadlineMs);
  const until = untilBy(deadline);
  const reportOf = (player: Player) => reportBy(player, deadline);
  const service = await startContentService(dir);
  closing.push(service.kill);
  const client = clientAt(service.address);
  const line = await startLine(service.address, options, deadline, closing);
  const multicast = await holdMulticastPort();
  closing.push(multicast.close);
  const players: Player[] = [];
  const starting = new Set<ChildProcess>();
  closing.push(() => {
    for (const { process: child } of players) child.kill("SIGKILL");
    for (const child of starting) child.kill("SIGKILL");
  });
  const startPlayer = async (player: Omit<Player, "process">) => {
    const child = fork(here("player.ts"), [
      ...[player.dataDir, line.address, player.address],
      ...[String(multicast.port), options.isOn ? "on" : "off"],
    ]);
    starting.add(child);
    await once(child, "message", { signal: deadline });
    starting.delete(child);
    return child;
  };
  for (let n = 0; n < options.players; n += 1) {
    const player = {
      dataDir: path.join(dir, `player-${n}`),
      address: `127.0.0.${n + 2}`,
    };
    players.push({ ...player, process: await startPlayer(player) });
  }
  await claimAll(players, client, { until, reportOf });
  if (options.isOn)
    await until(async () => {
      const reports = await Promise.all(players.map(reportOf));
      return reports.every(({ site }) => site?.players === options.players - 1);
    }, "the players do not find each other");

  const contents = await makeContents(options, random);
  const contentBytes = contents.reduce((sum, { length }) => sum + length, 0);
  const before = await line.bytes();
  const startedAt = performance.now();
  for (const [n, bytes] of contents.entries())
    await uploaded(client, bytes, `Film ${n}`);
  const killed = await killSome(players, options.kills, random, (share) =>
    until(async () => {
      const bytes = (await line.bytes()) - before;
      return bytes >= share * contentBytes;
    }, "nothing is downloaded"),
  );
  for (const player of killed) player.process = await startPlayer(player);
  const digests = contents.map((bytes) =>
    createHash("sha256").update(bytes).digest("hex"),
  );
  await until(async () => {
    const reports = await Promise.all(players.map(reportOf));
    return reports.every(
      ({ isInSync, assets }) => isInSync && assets === options.files,
    );
  }, "not every player has everything");
  const seconds = (performance.now() - startedAt) / 1000;
  const wanBytes = (await line.bytes()) - before;
  for (const { dataDir } of players) await assertStored(dataDir, digests);
  const survivors = await Promise.all(
    players.filter((one) => !killed.includes(one)).map(reportOf),
  );
  const sumOf = (of: (report: PlayerReport) => number): number =>
    survivors.reduce((sum, report) => sum + of(report), 0);
  return {
    ...{ contentBytes, wanBytes, seconds },
    filesFromPlayers: sumOf(({ site }) => site?.filesFromPlayers ?? 0),
    filesOfSurvivors: survivors.length * options.files,
  };
}

async function startContentService(dir: string) {
  const dataDir = path.join(dir, "service");
  await mkdir(dataDir);
  return startService({
    ...{ dataDir, databaseUrl: undefined, port: 0 },
    words: ["--api-key", contentKey],
  });
}

async function startLine(
  target: string,
  { wanBytesPerSecond }: SiteRunOptions,
  signal: AbortSignal,
  closing: (() => unknown)[],
) {
  const words = [new URL(target).port, String(wanBytesPerSecond)];
  const child = fork(here("wide-area.ts"), words);
  closing.push(() => child.kill("SIGKILL"));
  const [{ port }] = (await once(child, "message", { signal })) as [
    { port: number },
  ];
  return {
    address: `http://127.0.0.1:${port}`,
    bytes: async (): Promise<number> => {
      const answer = once(child, "message", { signal });
      child.send("bytes");
      const [{ bytes }] = (await answer) as [{ bytes: number }];
      return bytes;
    },
  };
}

/** The socket that holds the port shares it with all others. */
async function holdMulticastPort() {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  await new Promise<void>((resolve) => socket.bind(0, "0.0.0.0", resolve));
  return {
    port: socket.address().port,
    close: () => new Promise<void>((done) => socket.close(() => done())),
  };
}

async function claimAll(
  players: readonly Player[],
  client: ContentClient,
  {
    until,
    reportOf,
  }: {
    readonly until: Until;
    readonly reportOf: (player: Player) => Promise<PlayerReport>;
  },
): Promise<void> {
  for (const player of players) {
    const pin = await until(
      async () => (await reportOf(player)).pin,
      "a player shows no PIN",
    );
    const answer = await client.request("/api/v3/screens/", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pin, name: player.address }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  await until(async () => {
    const reports = await Promise.all(players.map(reportOf));
    return reports.every(({ isPaired }) => isPaired);
  }, "the players are not paired");
}

/** Videos of random bytes, so that nothing on the way makes them smaller. */
async function makeContents(
  { files, fileBytes }: SiteRunOptions,
  random: Random,
): Promise<readonly Buffer[]> {
  const film = await clip({
    ...{ colour: [40, 120, 200], seconds: 1, width: 320, height: 180 },
  });
  return Array.from({ length: files }, () => {
    const head = Buffer.alloc(8);
    const size = Math.max(8, fileBytes - film.length);
    head.writeUInt32BE(size);
    head.write("free", 4);
    return Buffer.concat([film, head, bytesOf(size - head.length, random)]);
  });
}

async function uploaded(
  client: ContentClient,
  bytes: Buffer,
  title: string,
): Promise<void> {
  const answer = await client.upload(bytes, { title });
  if (!answer.ok) throw new Error(await answer.text());
}

function bytesOf(sizeBytes: number, random: Random): Buffer {
  const bytes = Buffer.allocUnsafe(Math.ceil(sizeBytes / 4) * 4);
  for (let at = 0; at < bytes.length; at += 4)
    bytes.writeUInt32LE(random.below(2 ** 32), at);
  return bytes.subarray(0, sizeBytes);
}

/** One after the other, at even parts of the content. */
async function killSome(
  players: readonly Player[],
  kills: number,
  random: Random,
  untilPassed: (share: number) => Promise<unknown>,
): Promise<readonly Player[]> {
  const killed: Player[] = [];
  for (let n = 1; n <= kills; n += 1) {
    await untilPassed(n / (kills + 1));
    const alive = players.filter((player) => !killed.includes(player));
    if (alive.length === 0) break;
    const player = random.oneOf(alive);
    const ended = once(player.process, "exit");
    player.process.kill("SIGKILL");
    await ended;
    killed.push(player);
  }
  return killed;
}

async function assertStored(
  dataDir: string,
  digests: readonly string[],
): Promise<void> {
  const dir = path.join(dataDir, "files", "kept");
  const names = await readdir(dir, { recursive: true });
  const files = names.filter((name) => /[0-9a-f]{64}$/.test(name));
  const stored = await Promise.all(
    files.map(async (name) =>
      createHash("sha256")
        .update(await readFile(path.join(dir, name)))
        .digest("hex"),
    ),
  );
  for (const digest of digests)
    if (!stored.includes(digest))
      throw new Error(`${dataDir} lacks a file, or has a wrong one`);
}

async function reportBy(
  { process: child }: Player,
  signal: AbortSignal,
): Promise<PlayerReport> {
  const answer = once(child, "message", { signal });
  child.send("report");
  const [report] = (await answer) as [PlayerReport];
  return report;
}

type Until = <T>(
  isSo: () => Promise<T | null | false>,
  otherwise: string,
) => Promise<T>;

function untilBy(deadline: AbortSignal): Until {
  return async (isSo, otherwise) => {
    try {
      for (;;) {
        const now = await isSo();
        if (now !== null && now !== false) return now;
        await pause(pollMs, undefined, { signal: deadline });
      }
    } catch (error) {
      throw deadline.aborted ? new Error(otherwise) : error;
    }
  };
}
