// The thread that pauses or ends a web page which keeps the main process from its own work.

import { parentPort, workerData } from "node:worker_threads";
import { processorMsOf } from "../../server/platform/process/process-stat.ts";
import { beatPlace, endedPlaces, type PageProcesses } from "./flood-guard.ts";
import {
  firstGuard,
  stepGuard,
  tickIntervalMs,
  type GuardAct,
  type OpenPage,
} from "./flood-guard-policy.ts";

const shared = workerData as Int32Array;
const pidsOfPages = new Map<number, readonly number[]>();
let state = firstGuard(performance.now(), mainSeconds());
let timer: NodeJS.Timeout | undefined;
let endedCount = 0;
/** The number of beats when the main process was last asked for one that it owes. */
let askedAt: number | null = null;
/** Beats for which it need not be asked: it was idle. */
let idleBeats = 0;
let usedBefore: number | null = null;
let ticks = 0;

/** Of a tick: with less, the main process gets to everything. */
const busySeconds = 0.4 * (tickIntervalMs / 1000);
/** Ticks between two requests to the main process where its processor time can't be read. */
const ticksUnknown = 4;

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
    askedAt = null;
    timer = setInterval(tick, tickIntervalMs);
  }
});

function tick(): void {
  const used = mainSeconds();
  const step = stepGuard(
    state,
    {
      ...{ beat: beatNow(used), mainSeconds: used, pages: openPages() },
      canPause: process.platform !== "win32",
    },
    performance.now(),
  );
  state = step.state;
  for (const { act, id } of step.acts) carryOut(act, id);
}

function beatNow(used: number | null): number {
  const beats = Atomics.load(shared, beatPlace);
  if (beats !== askedAt) askedAt = null;
  const isIdle =
    used !== null && usedBefore !== null && used - usedBefore < busySeconds;
  usedBefore = used;
  ticks += 1;
  if (askedAt !== null) return beats + idleBeats;
  if (isIdle) idleBeats += 1;
  else if (used !== null || ticks % ticksUnknown === 0) {
    askedAt = beats;
    parentPort?.postMessage(null);
  }
  return beats + idleBeats;
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
  return (processorMsOf(pid) ?? 0) / 1000;
}

/** Of the thread that beats, without the others of its process; null where the system does not report it. */
function mainSeconds(): number | null {
  const usedMs = processorMsOf(`self/task/${process.pid}`);
  return usedMs === null ? null : usedMs / 1000;
}
