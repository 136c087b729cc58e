// A process and all its descendants, on Linux.

import { readdirSync } from "node:fs";
import { readProcessStat } from "../../../server/platform/process/process-stat.ts";

/** Their process ids, the oldest first. */
export function processTree(ancestor: number): readonly number[] {
  const all = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(Number(name))),
  );
  const isBelow = (pid: number): boolean =>
    pid === ancestor || (pid > 1 && isBelow(all.get(pid)?.parent ?? 0));
  // Process ids are reused from the start when they run out, so the kernel's start ticks tell which came first.
  return [...all]
    .filter(([pid]) => isBelow(pid))
    .toSorted(
      ([a, one], [b, other]) => one.startedAt - other.startedAt || a - b,
    )
    .map(([pid]) => pid);
}

/** Nothing for a process that has ended in the meantime. */
function statOf(pid: number) {
  try {
    return [[pid, readProcessStat(pid)] as const];
  } catch {
    return [];
  }
}
