// The short soak test: less than a minute of one-second items of every kind; `npm run soak -- 30m` is the full one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { trendOf } from "./soak/trend.ts";
import { sampleProcesses } from "./soak/processes.ts";
import { soak } from "./soak/soak.ts";

describe("the trend of the soak test", () => {
  const saw = (at: number): number => (at % 20) * 3;
  const series = (perSample: number) =>
    Array.from({ length: 300 }, (_sample, at) => ({
      atMs: at * 5000,
      value: 100 + saw(at) + at * perSample,
    }));

  it("treats a sawtooth as noise, and a rising sawtooth as growth", () => {
    expect(trendOf(series(0)).minPerHour).toBeLessThan(0);
    const climbing = trendOf(series(0.2));
    expect(climbing.minPerHour).toBeGreaterThan(0);
    expect(climbing.minPerHour).toBeLessThan(0.2 * 720);
    expect(climbing.maxPerHour).toBeGreaterThan(0.2 * 720);
  });
});

describe("the memory that a process allocated", () => {
  const mebi = 1024;

  /** Starts a process and waits until it is up; a line on its standard input makes it fill 32 MiB. */
  async function start(program: string) {
    const child = spawn(program, [
      "-e",
      `process.stdin.once("data", () => {
        globalThis.kept = Buffer.alloc(32 * 1024 * 1024, 1);
        console.log("filled");
      });
      console.log("up");`,
    ]);
    afterThisTest(async () => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    return child;
  }

  async function sampleOf(pid = 0) {
    const [measurement] = await sampleProcesses(pid);
    return measurement ?? expect.fail("It has gone.");
  }

  it("does not depend on other processes of the same program, and grows by the filled amount", async () => {
    const program = path.join(await temporaryFolder(), "program");
    await copyFile(process.execPath, program);
    const one = await start(program);
    const alone = await sampleOf(one.pid);
    const other = await start(program);
    const together = await sampleOf(one.pid);
    // The two share the program's file.
    expect(alone.ownKiB - together.ownKiB).toBeGreaterThan(8 * mebi);
    expect(Math.abs(alone.madeKiB - together.madeKiB)).toBeLessThan(2 * mebi);
    other.kill("SIGKILL");
    one.stdin.write("\n");
    await once(one.stdout, "data");
    const filled = await sampleOf(one.pid);
    expect(filled.madeKiB - together.madeKiB).toBeGreaterThan(31 * mebi);
    expect(filled.madeKiB - together.madeKiB).toBeLessThan(40 * mebi);
  });
});

describe("the app, playing one-second items of every kind", () => {
  it("keeps the number of media elements, and leaks no nodes, descriptors or memory", async () => {
    // Caches still fill this early: only a leak with every item can be told from that.
    const minSwaps = 21;
    const limits = { mebibytes: 3600, descriptors: 3600, nodes: 3600 };
    const report = await soak({
      ...{ warmUpMs: 12_000, watchMs: 30_000, intervalMs: 1000, limits },
      ...{ maxWatches: 3, minSwaps },
    });
    expect(report.mediaElements).toBe(3);
    expect(report.swaps).toBeGreaterThanOrEqual(minSwaps);
    expect(report.lines.filter(({ grows }) => grows)).toEqual([]);
  }, 300_000);
});
