// What Linux reports about a process in /proc/…/stat: its state, its parent, and the processor time that it has used.

import { readFileSync } from "node:fs";

/** Linux reports in hundredths of a second to every program, whatever the kernel counts in. */
const tickMs = 10;

export interface ProcessStat {
  /** `T` stopped, `t` stopped by a debugger, `Z` ended and not waited for, `X` dead. */
  readonly state: string;
  readonly parent: number;
  /** Unlike the time on the clock, a busy machine does not add to it. */
  readonly processorMs: number;
  /** In ticks since the machine started: process ids are reused. */
  readonly startedAt: number;
}

/** A process, or a thread of this one. */
type Of = number | `self/task/${number}`;

/** Throws the system's error where there is none, or no file descriptor is free. */
export function readProcessStat(of: Of): ProcessStat {
  const stat = readFileSync(`/proc/${of}/stat`, "utf8");
  // The name of the program, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent] = fields;
  const [userTicks, systemTicks] = fields.slice(11);
  return {
    ...{ state, parent: Number(parent), startedAt: Number(fields[19]) },
    processorMs: (Number(userTicks) + Number(systemTicks)) * tickMs,
  };
}

/** Null where the system does not report it, or the process has ended. */
export function processorMsOf(of: Of | undefined): number | null {
  if (of === undefined || process.platform !== "linux") return null;
  try {
    return readProcessStat(of).processorMs;
  } catch {
    return null;
  }
}
