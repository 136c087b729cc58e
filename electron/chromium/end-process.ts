// Ends a process of ours by the system: one that stands still obeys nothing else.

/** It may have gone meanwhile. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // What has gone needs no end.
  }
}
