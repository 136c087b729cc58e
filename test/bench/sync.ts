// A sync beside curl, aria2 and the cost of the hash alone: one large file, many small ones, many pages, nothing new.

import { execFile, fork, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Row } from "../../build/bench.ts";
import type { CloudContent, CloudCount } from "./sync/cloud.ts";
import { countFramesLost } from "./sync/glass.ts";

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
/** The goals of the issue. */
const mostOfCurl = 1.3;

export async function run(): Promise<readonly Row[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-sync-"));
  const cloud = await startChild("cloud.ts");
  const rows: Row[] = [];
  try {
    for (const delayMs of delaysMs) {
      const far = await startChild(
        "delay.ts",
        String(cloud.port),
        String(delayMs),
      );
      const base = `http://127.0.0.1:${far.port}`;
      rows.push(...(await measureLarge(dir, cloud, base, delayMs)));
      rows.push(...(await measureSmall(dir, cloud, base, delayMs)));
      if (delayMs === 0) rows.push(...(await measurePages(dir, cloud, base)));
      far.process.kill();
    }
    return rows;
  } finally {
    cloud.process.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measureLarge(
  dir: string,
  cloud: Child,
  base: string,
  delayMs: number,
): Promise<readonly Row[]> {
  await fill(cloud, { kind: "large", sizeBytes: largeBytes });
  const target = path.join(dir, "large");
  let curlCpuMs = 0;
  const curlMs = await timed(async () => {
    const line = `curl -s -o "$0" "$1"; times`;
    const { stdout } = await run_("sh", [
      ...["-c", line, target, `${base}/files/0`],
    ]);
    curlCpuMs = childrenMs(stdout);
  });
  const md5Ms = await timed(() => md5Of(target));
  await rm(target);
  const dataDir = path.join(dir, `large-${delayMs}`);
  const { firstMs, cpuMs, end } = await ours(dataDir, base);
  await end();
  await rm(dataDir, { recursive: true });
  const what = `one file of ${largeBytes / megabyte} MB, ${delayMs} ms away`;
  const rows = [
    row(what, firstMs, curlMs, `at most ${mostOfCurl} × curl`, mostOfCurl),
  ];
  if (delayMs > 0) return rows;
  return [
    ...rows,
    row("the same, beside MD5 of it alone", firstMs, md5Ms, null, null),
    row("the same, in processor time", cpuMs, curlCpuMs, null, null),
    await measureResume(dir, cloud, base),
    await measureFrames(base),
  ];
}

/** What `times` of a shell says of what it ran, in its second line: `0m0.030s 0m0.450s`. */
function childrenMs(said: string): number {
  const [, line = ""] = said.trim().split("\n");
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) =>
      sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );
}

/** Killed in the middle, and begun again: what is asked for twice. */
async function measureResume(
  dir: string,
  cloud: Child,
  base: string,
): Promise<Row> {
  const dataDir = path.join(dir, "resume");
  await count(cloud);
  const child = fork(here("ours.ts"), [dataDir, base]);
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

/** Beside the same time without a sync: a machine that has no graphics card loses some by itself. */
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
  const aria2Ms = await timed(() =>
    run_("aria2c", ["-q", "-d", target, "-i", list, "-j", "16", "-x", "4"]),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    console.warn("aria2c is not installed here: nothing is compared with it.");
    return null;
  });
  await rm(target, { recursive: true, force: true });
  const dataDir = path.join(dir, `small-${delayMs}`);
  const { firstMs, end } = await ours(dataDir, base);
  await end();
  await rm(dataDir, { recursive: true });
  const what = `${smallCount} files of 100 KB, ${delayMs} ms away`;
  return [row(what, firstMs, aria2Ms, "ahead of aria2", 1)];
}

async function measurePages(
  dir: string,
  cloud: Child,
  base: string,
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
  return [
    row(`${pageCount} pages, metadata only`, firstMs, null, null, null),
    row("a look with nothing new", againMs, null, null, null),
    {
      ...{ figure: "requests of a look with nothing new", unit: "requests" },
      ...{ value: requests, against: null, ratio: null },
      ...{ goal: "one, and no write", met: requests === 1 && isUntouched },
    },
  ];
}

function row(
  figure: string,
  ms: number,
  againstMs: number | null,
  goal: string | null,
  most: number | null,
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
  /** Of the processor, over all its threads. */
  readonly cpuMs: number;
  again(): Promise<number>;
  end(): Promise<void>;
}

async function ours(dataDir: string, base: string): Promise<Ours> {
  const child = fork(here("ours.ts"), [dataDir, base]);
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
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
  });
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash("md5");
  for await (const chunk of createReadStream(file, {
    highWaterMark: megabyte,
  }) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest("hex");
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
