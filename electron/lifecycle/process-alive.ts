// Whether a process with this pid runs, including a child of another process.

import { readProcessStat } from "../../server/platform/process/process-stat.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    // A zombie, which has ended but was not waited for, still exists by name.
    return !/^[ZX]$/.test(readProcessStat(pid).state);
  } catch {
    return false;
  }
}
