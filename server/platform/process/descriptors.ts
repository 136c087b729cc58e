// How many file descriptors this process may still open: without one, Chromium and Node end or fail in ways that nobody foresees.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { systemCode } from "../outside-error.ts";

/** What a page and its processes, some files and connections take. */
const defaultReserve = 64;
/** Half as many again as `descriptors.recovered` asks for, with all that is kept back. */
const plenty = 4 * defaultReserve;

/** Whether the process or the system has none left: no fault of what was to be opened. */
export function isOutOfDescriptors(error: unknown): boolean {
  return /^(EMFILE|ENFILE)$/.test(systemCode(error) ?? "");
}

/** How many may be open at once; null where the system tells none. */
export function descriptorLimit(of = "/proc/self"): number | null {
  try {
    const text = readFileSync(`${of}/limits`, "utf8");
    const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
    return soft === undefined ? null : Number(soft);
  } catch (error) {
    return isOutOfDescriptors(error) ? 0 : null;
  }
}

/** How many more can be opened; null where the system tells none. Those above a limit that was lowered take no place below it. */
export function freeDescriptors(
  of = "/proc/self",
  limit = descriptorLimit(of),
): number | null {
  if (limit === null) return null;
  try {
    // Newer kernels tell how many there are; only where they might be few it matters which.
    const { size } = statSync(`${of}/fd`);
    if (size > 0 && limit - size >= plenty) return limit - size;
    const open = readdirSync(`${of}/fd`).filter((name) => Number(name) < limit);
    // One of them was the list itself.
    return Math.max(0, limit - open.length + (of === "/proc/self" ? 1 : 0));
  } catch (error) {
    return isOutOfDescriptors(error) ? 0 : null;
  }
}

/** Fewer than these are too few for anything that can wait (V2-653). */
export function minFree(limit: number): number {
  return Math.min(defaultReserve, Math.floor(limit / 4));
}

/** Whether so few are free that nothing may be begun that can wait. */
export function areDescriptorsFew(): boolean {
  const limit = descriptorLimit();
  const free = freeDescriptors("/proc/self", limit);
  return free !== null && limit !== null && free < minFree(limit);
}
