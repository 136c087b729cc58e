// Processor time that a process has used: a busy machine does not add to it, unlike the time on the clock.

import { readFileSync } from "node:fs";

/** Linux reports in hundredths of a second to every program, whatever the kernel counts in. */
const tickMs = 10;

/** In milliseconds; null where the system does not report it, or the process has ended. */
export function processorMsOf(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== "linux") return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in parentheses, may contain anything; utime and stime are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : null;
  } catch {
    return null;
  }
}
