// The soak in its short form: less than a minute of one-second items of every kind; `npm run soak -- 30m` is the whole of it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { fitLine } from "./soak/fit.ts";
import { sampleProcesses } from "./soak/processes.ts";
import { soak } from "./soak/soak.ts";

describe("the fit of the soak", () => {
  const saw = (at: number): number => (at % 20) * 3;
  const series = (perSample: number) =>
    Array.from({ length: 300 }, (_sample, at) => ({
      atMs: at * 5000,
      value: 100 + saw(at) + at * perSample,
    }));

  it("takes a saw for noise, and a saw that climbs for growth", () => {
    expect(fitLine(series(0)).minPerHour).toBeLessThan(0);
    const climbing = fitLine(series(0.2));
    expect(climbing.minPerHour).toBeGreaterThan(0);
    expect(climbing.minPerHour).toBeLessThan(0.2 * 720);
    expect(climbing.maxPerHour).toBeGreaterThan(0.2 * 720);
  });
});

describe("the memory a process made", () => {
  const mebi = 1024;

  /** Tells when it has come so far; a line to it has it fill 32 MiB. */
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

  it("is the same whether another runs the same program or not, and grows by what is filled", async () => {
    const program = path.join(await temporaryFolder(), "program");
    await copyFile(process.execPath, program);
    const one = await start(program);
    const alone = await sampleOf(one.pid);
    const other = await start(program);
    const together = await sampleOf(one.pid);
    // What the two have in common is the program's file.
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
  it("holds its media elements, and neither nodes nor descriptors nor memory run away", async () => {
    // So soon, caches still fill: only what would be a leak with every item is told from that.
    const limits = { mebibytes: 3600, descriptors: 3600, nodes: 3600 };
    const report = await soak({
      ...{ warmUpMs: 12_000, watchMs: 30_000, intervalMs: 1000, limits },
      maxWatches: 3,
    });
    expect(report.mediaElements).toBe(3);
    expect(report.swaps).toBeGreaterThan(20);
    expect(report.lines.filter(({ grows }) => grows)).toEqual([]);
  }, 300_000);
});
