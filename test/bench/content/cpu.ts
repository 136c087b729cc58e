// Processor time used by a process: unlike responses per second, it hardly depends on what else the machine is doing.

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Of all its threads, in microseconds; null where the system does not report it. */
export function cpuMicrosecondsOf(pid: number): number | null {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(`${threads}/${pid}/schedstat`)) return null;
  return readdirSync(threads)
    .map((thread) => nanosecondsOf(`${threads}/${thread}/schedstat`) / 1000)
    .reduce((sum, each) => sum + each, 0);
}

/** A thread may end during the measurement. */
function nanosecondsOf(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}
