// What is to be done about a process that launches others for Chromium (a zygote) and is stopped or gone: pure decisions.

export type LauncherSight = "runs" | "stopped" | "gone";

/** How often in a row it was seen so. */
export interface LauncherWatch {
  readonly sight: LauncherSight;
  readonly looks: number;
}

/**
 * `continue`: what was stopped by a signal goes on by another, and nothing is lost by that. `end`: it is stopped again and
 * again, and whoever waits for it waits no longer. `lost`: nothing can be launched any more.
 */
export type LauncherAct = "continue" | "end" | "lost";

export interface LauncherStep {
  readonly state: LauncherWatch;
  readonly act: LauncherAct | null;
}

/** With the looks below, a stopped one goes on within 4 s: before a supervisor takes a main process that waits for it for a hung one (5 s). */
export const lookEveryMs = 2000;
/** One look may meet what is stopped for a moment, or is about to end with the whole app. */
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
