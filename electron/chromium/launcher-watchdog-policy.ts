// Decides what to do about a launcher process of Chromium (a zygote) that is stopped or gone: pure decisions.

export type LauncherState = "runs" | "stopped" | "gone";

/** How many times in a row this state was seen. */
export interface LauncherWatch {
  readonly launcherState: LauncherState;
  readonly checks: number;
}

/**
 * `continue`: a process stopped by a signal is continued by another, and nothing is lost. `end`: it is stopped again and again;
 * once it is killed, what waits for it continues. `lost`: nothing can be launched any more.
 */
export type LauncherAct = "continue" | "end" | "lost";

export interface LauncherStep {
  readonly state: LauncherWatch;
  readonly act: LauncherAct | null;
}

/**
 * With the limits below, a stopped one continues within 4 s: before a supervisor takes a main process that waits for it to be hung
 * (5 s).
 */
export const checkIntervalMs = 2000;
/** A single check may find a process that is stopped for a moment, or is about to end with the whole app. */
const minChecks = 2;
const endAfterChecks = 4;

export const firstLauncher: LauncherWatch = {
  launcherState: "runs",
  checks: 0,
};

export function stepLauncher(
  before: LauncherWatch,
  launcherState: LauncherState,
): LauncherStep {
  const checks = launcherState === before.launcherState ? before.checks + 1 : 1;
  return {
    state: { launcherState, checks },
    act: actOn(launcherState, checks),
  };
}

function actOn(
  launcherState: LauncherState,
  checks: number,
): LauncherAct | null {
  if (launcherState === "gone") return checks === minChecks ? "lost" : null;
  if (launcherState === "runs" || checks < minChecks) return null;
  return checks < endAfterChecks ? "continue" : "end";
}
