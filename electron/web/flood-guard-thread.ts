// The thread that pauses or ends a web page which keeps the main process from its own work.

import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { beatPlace, endedPlaces, type PageProcesses } from "./flood-guard.ts";
import {
  firstGuard,
  stepGuard,
  tickIntervalMs,
  type GuardAct,
  type OpenPage,
} from "./flood-guard-policy.ts";

/** A hundredth of a second on every Linux that Electron runs on. */
const ticksPerSecond = 100;

const shared = workerData as Int32Array;
const pidsOfPages = new Map<number, readonly number[]>();
let state = firstGuard(performance.now(), mainSeconds());
let timer: NodeJS.Timeout | undefined;
let endedCount = 0;

parentPort?.on("message", ({ id, pids }: PageProcesses) => {
  const isPaused = state.pausedId === id;
  // Its processes end by themselves once they run.
  if (isPaused && pids.length === 0) carryOut("continue", id);
  if (pids.length === 0) pidsOfPages.delete(id);
  else pidsOfPages.set(id, pids);
  if (pidsOfPages.size === 0) {
    clearInterval(timer);
    timer = undefined;
  } else if (timer === undefined) {
    state = firstGuard(performance.now(), mainSeconds());
    timer = setInterval(tick, tickIntervalMs);
  }
});

function tick(): void {
  const step = stepGuard(
    state,
    {
      ...{ beat: Atomics.load(shared, beatPlace), pages: openPages() },
      mainSeconds: mainSeconds(),
      canPause: process.platform !== "win32",
    },
    performance.now(),
  );
  state = step.state;
  for (const { act, id } of step.acts) carryOut(act, id);
}

function carryOut(act: GuardAct, id: number): void {
  // Before the main process notices its end.
  if (act === "end") {
    Atomics.store(shared, 1 + (endedCount % endedPlaces), id);
    endedCount += 1;
  }
  for (const pid of pidsOfPages.get(id) ?? []) signal(pid, signals[act]);
}

const signals = {
  pause: "SIGSTOP",
  continue: "SIGCONT",
  end: "SIGKILL",
} as const;

function signal(pid: number, name: (typeof signals)[GuardAct]): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended in the meantime.
  }
}

function openPages(): readonly OpenPage[] {
  return [...pidsOfPages].map(([id, pids]) => ({
    id,
    processorSeconds: sum(pids.map(processorSecondsOf)),
  }));
}

const sum = (seconds: readonly (number | null)[]): number | null =>
  seconds.reduce(
    (all, one) => (all === null || one === null ? null : all + one),
    0,
  );

/** Null where the system does not report it; a process that has ended uses nothing. */
function processorSecondsOf(pid: number): number | null {
  if (process.platform !== "linux") return null;
  return secondsIn(`/proc/${pid}/stat`) ?? 0;
}

/** Of the thread that beats, without the others of its process; null where the system does not report it. */
function mainSeconds(): number | null {
  return process.platform === "linux"
    ? secondsIn(`/proc/self/task/${process.pid}/stat`)
    : null;
}

function secondsIn(file: string): number | null {
  try {
    const stat = readFileSync(file, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime and stime
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return null;
  }
}
