// Checks the state of Chromium's launcher processes (zygotes), in a separate thread: a stopped one blocks the main thread.

import { readdirSync, readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { systemCode } from "../../server/platform/outside-error.ts";
import { readProcessStat } from "../../server/platform/process/process-stat.ts";
import {
  firstLauncher,
  checkIntervalMs,
  stepLauncher,
  type LauncherAct,
  type LauncherState,
  type LauncherWatch,
} from "./launcher-watchdog-policy.ts";

export type LauncherMessage =
  | { readonly launchers: readonly number[] }
  | { readonly pid: number; readonly act: LauncherAct };

const { pid: main } = process;
const watched = new Map<number, LauncherWatch>();
const first = findLaunchers();
for (const [pid, parent] of first)
  if (parent === main) watched.set(pid, firstLauncher);
post({ launchers: [...first.keys()] });
// They are created once, before everything else, and never again.
if (watched.size > 0) {
  setInterval(checkAll, checkIntervalMs);
  setTimeout(() => {
    const still = findLaunchers();
    // Until it has a name of its own, a process that one of them has just launched looks like a launcher, too.
    for (const pid of first.keys())
      if (still.has(pid) && !watched.has(pid)) watched.set(pid, firstLauncher);
  }, checkIntervalMs);
}

function checkAll(): void {
  for (const [pid, state] of watched) {
    const step = stepLauncher(state, stateOf(pid));
    watched.set(pid, step.state);
    if (step.act === null) continue;
    if (step.act !== "lost") signal(pid, step.act);
    post({ pid, act: step.act });
  }
}

function signal(pid: number, act: "continue" | "end"): void {
  try {
    process.kill(pid, act === "end" ? "SIGKILL" : "SIGCONT");
  } catch {
    // It has ended in the meantime.
  }
}

function post(message: LauncherMessage): void {
  parentPort?.postMessage(message);
}

/** Launchers that are children of this process, or of another launcher; each with its parent. */
function findLaunchers(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? parentOf(pid) : 0;
    if (parent > 0 && isLauncher(pid)) parents.set(pid, parent);
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid === main || (pid !== undefined && isOurs(parents.get(pid)));
  return new Map([...parents].filter(([pid]) => isOurs(pid)));
}

function isLauncher(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(
      "--type=zygote",
    );
  } catch {
    return false;
  }
}

function parentOf(pid: number): number {
  try {
    return readProcessStat(pid).parent;
  } catch {
    return 0;
  }
}

function stateOf(pid: number): LauncherState {
  try {
    const { state } = readProcessStat(pid);
    // A stop by a debugger (t) is none of our business.
    if (state === "T") return "stopped";
    return state === "Z" || state === "X" ? "gone" : "runs";
  } catch (error) {
    // Without a free file descriptor, its state is unknown.
    return /^(ENOENT|ESRCH)$/.test(systemCode(error) ?? "") ? "gone" : "runs";
  }
}
