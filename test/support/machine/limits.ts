// Limits of the system that a test sets for a running process.

import { execFileSync } from "node:child_process";

/** What it launches from now on has no more address space than this; what it has itself stays. */
export function limitMemory(pid: number, bytes: number): void {
  execFileSync("prlimit", ["--pid", String(pid), `--as=${bytes}`]);
}
