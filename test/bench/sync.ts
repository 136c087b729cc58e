// A sync compared with curl through MD5 and a flush, and with aria2, near and far: one large file, many small ones, many pages,
// nothing new.

import { execFile, fork, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Row } from "../../build/bench.ts";
import type { CloudContent, CloudCount } from "./sync/content-service.ts";
import { countFramesLost } from "./sync/screen.ts";

const run_ = promisify(execFile);
const here = (name: string): string =>
  fileURLToPath(new URL(`sync/${name}`, import.meta.url));
const isShort = process.env.VITRINE_BENCH_SHORT === "1";
const megabyte = 1024 * 1024;
const largeBytes = (isShort ? 32 : 512) * megabyte;
const smallCount = isShort ? 50 : 1000;
const smallBytes = 100 * 1024;
const pageCount = isShort ? 500 : 10_000;
const delaysMs = isShort ? [0, 50] : [0, 50, 200];
/** Sides alternate, and the median of their times counts: a machine has other things to do. */
const rounds = isShort ? 1 : 3;
/** For what takes only a second, so that a bad moment of the machine is not the median. */
const quickRounds = isShort ? 1 : 9;
/** Compared with curl whose bytes pass through MD5 on their way to a disk that is flushed: what we do, done by other programs. */
const maxOfPlain = 1.1;

export async function run(): Promise<readonly Row[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-sync-"));
  const cloud = await startChild("content-service.ts");
  const rows: Row[] = [];
  try {
    for (const delayMs of delaysMs) {
      // Without a distance there is no proxy in between.
      const far = delayMs > 0 ? await startFar(cloud, delayMs) : null;
      const base = `http://127.0.0.1:${(far ?? cloud).port}`;
      rows.push(...(await measureLarge(dir, cloud, base, delayMs)));
      rows.push(...(await measureSmall(dir, cloud, base, delayMs)));
      rows.push(...(await measurePages(dir, cloud, base, delayMs)));
      far?.process.kill();
    }
    return rows;
  } finally {
    cloud.process.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

function startFar(cloud: Child, delayMs: number): Promise<Child> {
  return startChild("delay.ts", String(cloud.port), String(delayMs));
}

async function measureLarge(
  dir: string,
  cloud: Child,
  base: string,
  delayMs: number,
): Promise<readonly Row[]> {
  await fill(cloud, { kind: "large", sizeBytes: largeBytes });
  const target = path.join(dir, "large");
  const address = `${base}/files/0`;
  const taken: Record<"plain" | "ours", Took[]> = { plain: [], ours: [] };
  for (let round = 0; round < rounds; round += 1) {
    taken.plain.push(
      await shell(
        `curl -s "$1" | tee "$0" | openssl md5; sync -d "$0"`,
        target,
        address,
      ),
    );
    await rm(target);
    taken.ours.push(await oursOnce(path.join(dir, "large-ours"), base));
  }
  const what = `one file of ${largeBytes / megabyte} MB, ${delayMs} ms away`;
  const ms = (side: keyof typeof taken): number =>
    middle(taken[side].map((took) => took.ms));
  const cpuMs = (side: keyof typeof taken): number =>
    middle(taken[side].map((took) => took.cpuMs));
  const rows: Row[] = [
    row(
      `${what}, beside curl through MD5 and a flush`,
      ms("ours"),
      ms("plain"),
      `at most ${maxOfPlain} × that`,
      maxOfPlain,
    ),
    row("the same, in processor time", cpuMs("ours"), cpuMs("plain")),
  ];
  if (delayMs > 0) return rows;
  return [
    ...rows,
    await measureResume(dir, cloud, base),
    await measureFrames(base),
  ];
}

interface Took {
  readonly ms: number;
  /** Processor time of all processes that ran. */
  readonly cpuMs: number;
}

/** Runs a shell command line with its arguments from `$0` on. */
async function shell(line: string, ...words: string[]): Promise<Took> {
  const startedAt = performance.now();
  const { stdout } = await run_("sh", [
    ...["-c", `{ ${line}; } > /dev/null; times`],
    ...words,
  ]);
  return { ms: performance.now() - startedAt, cpuMs: childrenMs(stdout) };
}

async function oursOnce(dataDir: string, base: string): Promise<Took> {
  const { firstMs, cpuMs, end } = await ours(dataDir, base);
  await end();
  await rm(dataDir, { recursive: true });
  return { ms: firstMs, cpuMs };
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** What `times` of a shell reports of its children, in its second line: `0m0.030s 0m0.450s`. */
function childrenMs(output: string): number {
  const [, line = ""] = output.trim().split("\n");
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) =>
      sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );
}

/** Killed in the middle, and restarted: measures what is requested twice. */
async function measureResume(
  dir: string,
  cloud: Child,
  base: string,
): Promise<Row> {
  const dataDir = path.join(dir, "resume");
  await count(cloud);
  const child = fork(here("sync-process.ts"), [dataDir, base]);
  const parts = path.join(dataDir, "sync", "parts");
  await until(async () => (await sizeOfParts(parts)) > largeBytes / 2);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  const had = await sizeOfParts(parts);
  await count(cloud);
  const { end } = await ours(dataDir, base);
  const { bytes } = await count(cloud);
  await end();
  await rm(dataDir, { recursive: true });
  const twice = Math.max(0, bytes - (largeBytes - had));
  return {
    ...{ figure: "asked for twice after a kill at half of it", unit: "bytes" },
    ...{ value: twice, against: null, ratio: null },
    ...{ goal: "at most one block (64 KiB)", met: twice <= 65_536 },
  };
}

/** Compared with the same time without a sync: a machine without a graphics card loses some frames anyway. */
async function measureFrames(base: string): Promise<Row> {
  const { seconds, frames, lost, lostWithout } = await countFramesLost(base);
  return {
    figure: `frames lost of ${frames}, in ${seconds.toFixed()} s of a sync; without one`,
    ...{ unit: "frames", value: lost, against: lostWithout, ratio: null },
    ...{ goal: "no more than without", met: lost <= lostWithout },
  };
}

async function measureSmall(
  dir: string,
  cloud: Child,
  base: string,
  delayMs: number,
): Promise<readonly Row[]> {
  const content = { kind: "small", count: smallCount, sizeBytes: smallBytes };
  await fill(cloud, content as CloudContent);
  const list = path.join(dir, "list");
  const addresses = Array.from(
    { length: smallCount },
    (_, number) => `${base}/files/${number}\n out=${number}`,
  );
  await writeFile(list, addresses.join("\n"));
  const target = path.join(dir, "aria2");
  const taken: Record<"aria2" | "ours", Took[]> = { aria2: [], ours: [] };
  const many = delayMs === 0 ? quickRounds : rounds;
  for (let round = 0; round < many; round += 1) {
    taken.aria2.push(
      await shell(`aria2c -q -d "$0" -i "$1" -j 16 -x 4`, target, list),
    );
    await rm(target, { recursive: true });
    taken.ours.push(await oursOnce(path.join(dir, "small"), base));
  }
  const ms = (side: keyof typeof taken): number =>
    middle(taken[side].map((took) => took.ms));
  const what = `${smallCount} files of 100 KB, ${delayMs} ms away`;
  return [
    row(`${what}, beside aria2`, ms("ours"), ms("aria2"), "ahead of aria2", 1),
  ];
}

async function measurePages(
  dir: string,
  cloud: Child,
  base: string,
  delayMs: number,
): Promise<readonly Row[]> {
  await fill(cloud, { kind: "pages", count: pageCount });
  const dataDir = path.join(dir, "pages");
  const { firstMs, again, end } = await ours(dataDir, base);
  await again();
  await count(cloud);
  const journal = path.join(dataDir, "vitrine.db-wal");
  const before = await stat(journal);
  const againMs = await again();
  const { requests } = await count(cloud);
  const after = await stat(journal);
  await end();
  await rm(dataDir, { recursive: true });
  const isUntouched = before.mtimeMs === after.mtimeMs;
  const what = `${delayMs} ms away`;
  return [
    row(`${pageCount} pages, metadata only, ${what}`, firstMs),
    row(`a look with nothing new, ${what}`, againMs),
    {
      ...{ figure: `requests of a look with nothing new, ${what}` },
      ...{ unit: "requests", value: requests, against: null, ratio: null },
      ...{ goal: "one, and no write", met: requests === 1 && isUntouched },
    },
  ];
}

function row(
  figure: string,
  ms: number,
  againstMs: number | null = null,
  goal: string | null = null,
  most: number | null = null,
): Row {
  const ratio = againstMs === null ? null : ms / againstMs;
  return {
    ...{ figure, unit: "ms", goal, ratio },
    value: Math.round(ms),
    against: againstMs === null ? null : Math.round(againstMs),
    met: ratio === null || most === null ? null : ratio <= most,
  };
}

interface Ours {
  readonly firstMs: number;
  /** Processor time of all its threads. */
  readonly cpuMs: number;
  again(): Promise<number>;
  end(): Promise<void>;
}

async function ours(dataDir: string, base: string): Promise<Ours> {
  const child = fork(here("sync-process.ts"), [dataDir, base]);
  const { firstMs, cpuMs } = (await answerOf(child)) as Ours;
  return {
    ...{ firstMs, cpuMs },
    again: async () => {
      const answer = answerOf(child);
      child.send("again");
      return ((await answer) as { againMs: number }).againMs;
    },
    end: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.send("end");
      await gone;
    },
  };
}

interface Child {
  readonly process: ChildProcess;
  readonly port: number;
}

async function startChild(name: string, ...words: string[]): Promise<Child> {
  const child = fork(here(name), words);
  const { port } = (await answerOf(child)) as { port: number };
  return { process: child, port };
}

async function fill({ process: cloud }: Child, content: CloudContent) {
  const answer = answerOf(cloud);
  cloud.send(content);
  await answer;
}

async function count({ process: cloud }: Child): Promise<CloudCount> {
  const answer = answerOf(cloud);
  cloud.send("count");
  return (await answer) as CloudCount;
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const isGone = (code: number | null): void =>
      reject(new Error(`it ended with ${code}`));
    child.once("exit", isGone);
    child.once("message", (answer) => {
      child.off("exit", isGone);
      resolve(answer);
    });
  });
}

async function sizeOfParts(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => []);
  const part = names.find((name) => name.endsWith(".part"));
  return part ? (await stat(path.join(dir, part))).size : 0;
}

async function until(isRight: () => Promise<boolean>): Promise<void> {
  while (!(await isRight()))
    await new Promise((resolve) => setTimeout(resolve, 2));
}
