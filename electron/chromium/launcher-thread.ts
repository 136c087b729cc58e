// Checks the state of Chromium's launcher processes (zygotes), in a separate thread: a stopped one blocks the main thread.

import { readdirSync, readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { systemCode } from "../../server/platform/outside-error.ts";
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
  setInterval(look, checkIntervalMs);
  setTimeout(() => {
    const still = findLaunchers();
    // Until it has a name of its own, a process that one of them has just launched looks like a launcher, too.
    for (const pid of first.keys())
      if (still.has(pid) && !watched.has(pid)) watched.set(pid, firstLauncher);
  }, checkIntervalMs);
}

function look(): void {
  for (const [pid, state] of watched) {
    const step = stepLauncher(state, sightOf(pid));
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
    const { parent } = Number.isInteger(pid) ? statOf(pid) : { parent: 0 };
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

function sightOf(pid: number): LauncherState {
  const { state } = statOf(pid);
  // A stop by a debugger (t) is none of our business.
  if (state === "T") return "stopped";
  return state === "Z" || state === "X" ? "gone" : "runs";
}

interface Stat {
  /** `X` when there is no such process, and empty when that is unknown. */
  readonly state: string;
  readonly parent: number;
}

function statOf(pid: number): Stat {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ");
    return { state, parent: Number(parent) };
  } catch (error) {
    // Without a free file descriptor, its state is unknown.
    const isGone = /^(ENOENT|ESRCH)$/.test(systemCode(error) ?? "");
    return { state: isGone ? "X" : "", parent: 0 };
  }
}
