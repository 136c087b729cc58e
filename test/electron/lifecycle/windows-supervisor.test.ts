// The app's own supervisor with a player that is a Node script, so that it also runs on Windows, where processes have no signals;
// test/build/supervisor.test.ts compares it with the script for Linux.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { afterThisTest } from "../../support/after-this-test.ts";
import { temporaryFolder } from "../../support/folder.ts";

const supervisor = new URL(
  "../../../electron/lifecycle/windows-supervisor.ts",
  import.meta.url,
);

const supervising = `
  const { supervise } = await import(${JSON.stringify(supervisor.href)});
  const [adopted, script, dir] = process.argv.slice(1);
  const supervision = {
    adopted: adopted === "none" ? null : Number(adopted),
    program: process.execPath,
    flags: [script, dir],
    self: "the supervisor",
    env: process.env,
  };
  const report = (sentence) => process.stderr.write(sentence + "\\n");
  process.exit(await supervise(supervision, report));
`;

/** Records its start, writes a heartbeat ten times a second, and obeys files in its folder. */
const player = `
  import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
  const [dir] = process.argv.slice(2);
  const { VITRINE_HEARTBEAT: heartbeat, VITRINE_SUPERVISOR: supervisor, VITRINE_SUPERVISOR_PROGRAM: program } = process.env;
  appendFileSync(dir + "/starts", JSON.stringify({ pid: process.pid, heartbeat, supervisor, program }) + "\\n");
  let beat = 0;
  setInterval(() => {
    if (existsSync(dir + "/hang-" + process.pid)) return;
    if (existsSync(dir + "/exit")) {
      const [code, last] = readFileSync(dir + "/exit", "utf8").split(" ");
      rmSync(dir + "/exit");
      if (last) writeFileSync(heartbeat, last);
      process.exit(Number(code));
    }
    beat += 1;
    writeFileSync(heartbeat, String(beat));
  }, 100);
`;

interface Start {
  readonly pid: number;
  readonly heartbeat: string;
  readonly supervisor: string;
  readonly program: string;
}

interface Supervised {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown[]>;
  output(): string;
}

async function supervisedFolder() {
  const dir = await temporaryFolder();
  const script = path.join(dir, "player.mjs");
  writeFileSync(script, player);
  const starts = (): readonly Start[] => {
    const file = path.join(dir, "starts");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line) as Start);
  };
  const supervise = (env = {}, adopted = "none"): Supervised => {
    const child = spawn(
      process.execPath,
      ["--input-type=module", "-e", supervising, adopted, script, dir],
      {
        env: { ...process.env, VITRINE_HANG_SECONDS: "2", ...env },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, "exit");
    afterThisTest(async () => {
      child.kill("SIGKILL");
      await exited;
    });
    return { process: child, exited, output: () => output };
  };
  afterThisTest(async () => {
    for (const { pid } of starts())
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended already.
      }
  });
  return {
    supervise,
    /** The latest start, once there were this many. */
    start: async (count: number): Promise<Start> => {
      await expect.poll(() => starts().length).toBeGreaterThanOrEqual(count);
      const last = starts().at(-1);
      if (last === undefined) throw new Error("no start");
      return last;
    },
    count: () => starts().length,
    order: (name: string, content = "") => {
      const file = path.join(dir, name);
      writeFileSync(`${file}.part`, content);
      renameSync(`${file}.part`, file);
    },
  };
}

const beatOf = ({ heartbeat }: Start): number =>
  Number(readFileSync(heartbeat, "utf8"));

describe("the supervisor of the app", () => {
  it("[V2-698] restarts a killed player, and reports to it who supervises it", async () => {
    const { supervise, start } = await supervisedFolder();
    const { process: own, output } = supervise();
    const first = await start(1);
    expect(first).toMatchObject({
      supervisor: String(own.pid),
      program: "the supervisor",
    });
    process.kill(first.pid, "SIGKILL");
    expect((await start(2)).pid).not.toBe(first.pid);
    expect(output()).toMatch(/exited with code \d+; restarting/);
  });

  it("[V2-698] kills a player without a heartbeat, and restarts it", async () => {
    const { supervise, start, order } = await supervisedFolder();
    const { output } = supervise();
    const first = await start(1);
    await expect.poll(() => beatOf(first)).toBeGreaterThan(3);
    order(`hang-${first.pid}`);
    await start(2);
    expect(output()).toContain("unresponsive for 2 s, killed");
    expect(() => process.kill(first.pid, 0)).toThrow();
  });

  it.each([0, 2])(
    "[V2-698] ends with a player that ends with %i",
    async (code) => {
      const { supervise, start, order, count } = await supervisedFolder();
      const { exited } = supervise();
      await start(1);
      order("exit", String(code));
      expect(await exited).toEqual([code, null]);
      expect(count()).toBe(1);
    },
  );

  it("[V2-698] restarts a player that requests it, that found another copy, or that crashed", async () => {
    const { supervise, start, order } = await supervisedFolder();
    const { output } = supervise({ VITRINE_ELSEWHERE_SECONDS: "1" });
    for (const [index, code] of ["75", "76", "3"].entries()) {
      await start(index + 1);
      order("exit", code);
    }
    await start(4);
    expect(output()).toContain(
      "another instance is running; trying again in 1 s",
    );
  });

  it.each([
    ["is killed", "kill", 2],
    ["requests a restart", "75 again", 2],
    ["ends as ordered", "0 ended", 1],
  ])(
    "[V2-698] takes over a running player, also when that %s",
    async (_how, end, expected) => {
      const { supervise, start, order, count } = await supervisedFolder();
      const before = supervise();
      const first = await start(1);
      before.process.kill("SIGKILL");
      await before.exited;
      // It outlives its supervisor.
      const beat = beatOf(first);
      await expect.poll(() => beatOf(first)).toBeGreaterThan(beat);
      const next = supervise(
        { VITRINE_HEARTBEAT: first.heartbeat },
        String(first.pid),
      );
      await expect
        .poll(next.output)
        .toContain(`watching the running player ${first.pid}`);
      if (end === "kill") process.kill(first.pid, "SIGKILL");
      else order("exit", end);
      if (expected === 1) expect(await next.exited).toEqual([0, null]);
      else await start(2);
      expect(count()).toBe(expected);
    },
  );
});
