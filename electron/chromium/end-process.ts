// Kills a process of ours by signal: a hung one reacts to nothing else.

/** The process may be gone already. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
