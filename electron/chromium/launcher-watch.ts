// Decides what to do about a launcher process of Chromium (a zygote) that is stopped or gone: pure decisions.

export type LauncherSight = "runs" | "stopped" | "gone";

/** How many times in a row this state was seen. */
export interface LauncherWatch {
  readonly sight: LauncherSight;
  readonly looks: number;
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
export const lookEveryMs = 2000;
/** A single check may find a process that is stopped for a moment, or is about to end with the whole app. */
const leastLooks = 2;
const endAfterLooks = 4;

export const firstLauncher: LauncherWatch = { sight: "runs", looks: 0 };

export function stepLauncher(
  before: LauncherWatch,
  sight: LauncherSight,
): LauncherStep {
  const looks = sight === before.sight ? before.looks + 1 : 1;
  return { state: { sight, looks }, act: actOn(sight, looks) };
}

function actOn(sight: LauncherSight, looks: number): LauncherAct | null {
  if (sight === "gone") return looks === leastLooks ? "lost" : null;
  if (sight === "runs" || looks < leastLooks) return null;
  return looks < endAfterLooks ? "continue" : "end";
}
