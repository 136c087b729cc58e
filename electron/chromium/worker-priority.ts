// Lowers the priority of the worker threads of web pages: however many of them compute, everything else gets its share of the
// processors first (V2-734).

import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = os.constants.priority;

/** DedicatedWorker, SharedWorker and ServiceWorker threads; the system cuts names to 15 characters. */
const workerName = /^\w+Worker( |\n|$)/;

/** Lowers the worker threads of a page's process that have started since the previous call. */
export function lowerWorkers(pid: number): void {
  try {
    if (process.platform === "linux") lowerThreads(pid);
    // Windows has priorities for whole processes only; a page is seen by people, so it stays above what is idle.
    else if (process.platform === "win32")
      os.setPriority(pid, PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended in the meantime, or belongs to another user.
  }
}

function lowerThreads(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8");
    // Linux has a priority for each thread, under its own id.
    if (workerName.test(name) && os.getPriority(Number(thread)) < PRIORITY_LOW)
      os.setPriority(Number(thread), PRIORITY_LOW);
  }
}
