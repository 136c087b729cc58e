// The supervisor where no shell script can be one (Windows): starts the player, kills it when it hangs, and restarts it. It
// behaves as build/linux/vitrine-supervisor, and both pass the same tests.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { runsElsewhere, startAgain } from "./exit-codes.ts";
import { isAlive } from "./process-alive.ts";
import type { Supervision } from "./windows-supervisor-arguments.ts";

const seconds = (byDefault: number) =>
  z.coerce.number().positive().catch(byDefault);

/** The limits of the supervisor for Linux, from the same variables. */
const limits = z.object({
  VITRINE_HANG_SECONDS: seconds(5),
  VITRINE_START_SECONDS: seconds(60),
  VITRINE_END_SECONDS: seconds(10),
  VITRINE_ELSEWHERE_SECONDS: seconds(30),
  VITRINE_MOST_STARTS: seconds(30),
});
const windowMs = 600_000;
const restSeconds = 60;
const pauseMs = 500;
const tickMs = 1000;

/** Resolves with the exit code once there is nothing left to watch; `report` receives each event as a sentence. */
export async function supervise(
  { adopted, program, flags, self, env }: Supervision,
  report: (sentence: string) => void,
): Promise<number> {
  const limit = limits.parse(env);
  const ownDir =
    env.VITRINE_HEARTBEAT === undefined
      ? mkdtempSync(join(tmpdir(), "vitrine-supervisor-"))
      : null;
  const beats = env.VITRINE_HEARTBEAT ?? join(ownDir ?? "", "heartbeat");
  const readBeat = (): string => {
    try {
      return readFileSync(beats, "utf8").trim();
    } catch {
      return "";
    }
  };

  let player: number | null = null;
  let isEnding = false;
  let silent = 0;
  /** Ends a wait early. */
  let wake = (): void => undefined;
  const end = (): void => {
    isEnding = true;
    silent = 0;
    if (player !== null) kill(player, "SIGTERM");
    else wake();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);

  const waited = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Resolves when the player has ended; kills one without a heartbeat, and one that does not end on request. */
  async function stayWith(pid: number, lives: () => boolean): Promise<void> {
    let last = readBeat();
    let timeoutSeconds = limit.VITRINE_START_SECONDS;
    silent = 0;
    while (lives()) {
      await waited(tickMs);
      if (!lives()) return;
      const beat = readBeat();
      if (isEnding) timeoutSeconds = limit.VITRINE_END_SECONDS;
      if (!isEnding && beat !== last) {
        last = beat;
        silent = 0;
        timeoutSeconds = limit.VITRINE_HANG_SECONDS;
      } else silent += 1;
      if (silent < timeoutSeconds) continue;
      report(`unresponsive for ${silent} s, killed`);
      kill(pid, "SIGKILL");
      silent = 0;
    }
  }

  async function startAndStay(): Promise<number> {
    writeFileSync(beats, "");
    const child = spawn(program, [...flags], {
      env: {
        ...env,
        VITRINE_HEARTBEAT: beats,
        VITRINE_SUPERVISOR: String(process.pid),
        VITRINE_SUPERVISOR_PROGRAM: self,
      },
      // On Windows it would otherwise end with this process, and could not start another supervisor.
      ...{ detached: true, windowsHide: true },
      stdio: ["ignore", ...inherited],
    });
    const end: { code: number | null } = { code: null };
    const ended = (code: number): void => {
      end.code = code;
      wake();
    };
    child.on("exit", (exit, signal) =>
      ended(exit ?? 128 + constants.signals[signal ?? "SIGKILL"]),
    );
    child.on("error", () => ended(notFound));
    player = child.pid ?? null;
    if (player !== null) await stayWith(player, () => end.code === null);
    else while (end.code === null) await waited(tickMs);
    player = null;
    return end.code ?? notFound;
  }

  let starts: readonly number[] = [];
  function isTooOften(): boolean {
    const now = performance.now();
    starts = [...starts.filter((start) => now - start < windowMs), now];
    return starts.length > limit.VITRINE_MOST_STARTS;
  }

  async function run(): Promise<number> {
    if (adopted !== null) {
      player = adopted;
      report(`watching the running player ${adopted}`);
      await stayWith(adopted, () => isAlive(adopted));
      player = null;
      // It is not a child of this process, so how it ended is read from the heartbeat file.
      if (readBeat() === "ended") return 0;
    }
    while (!isEnding) {
      if (isTooOften()) {
        report(
          `started ${limit.VITRINE_MOST_STARTS} times in ten minutes; waiting one minute`,
        );
        await waited(restSeconds * 1000);
        if (isEnding) break;
      }
      const code = await startAndStay();
      // Ended on purpose, or started with flags that will never be valid.
      if (code === 0 || code === 2) return code;
      // It reported its end and crashed on the last step: that counts as an end all the same, unless it asks for a restart.
      if (readBeat() === "ended" && code !== startAgain) return 0;
      if (isEnding) return code;
      if (code === runsElsewhere) {
        report(
          `another instance is running; trying again in ${limit.VITRINE_ELSEWHERE_SECONDS} s`,
        );
        await waited(limit.VITRINE_ELSEWHERE_SECONDS * 1000);
        continue;
      }
      report(`exited with code ${code}; restarting`);
      await waited(pauseMs);
    }
    return 0;
  }

  try {
    return await run();
  } finally {
    for (const signal of signals) process.off(signal, end);
    rmSync(ownDir ?? beats, { recursive: true, force: true });
  }
}

/** As shells report it. */
const notFound = 127;

const inherited =
  process.platform === "win32"
    ? (["ignore", "ignore"] as const)
    : (["inherit", "inherit"] as const);

function kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
