// Counts the file descriptors that this process may still open: without one, Chromium and Node end or fail in unpredictable ways.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { systemCode } from "../outside-error.ts";

/** What a page and its processes, some files and connections need. */
const defaultReserve = 64;
/** One and a half times what `descriptors.recovered` requires, including all reserves. */
const plenty = 4 * defaultReserve;

/** Whether the process or the system has none left: not a fault of what was to be opened. */
export function isOutOfDescriptors(error: unknown): boolean {
  return /^(EMFILE|ENFILE)$/.test(systemCode(error) ?? "");
}

/** How many may be open at once; null when the system does not report it. */
export function descriptorLimit(of = "/proc/self"): number | null {
  try {
    const text = readFileSync(`${of}/limits`, "utf8");
    const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
    return soft === undefined ? null : Number(soft);
  } catch (error) {
    return isOutOfDescriptors(error) ? 0 : null;
  }
}

/** How many more can be opened; null when the system does not report it. Those above a lowered limit occupy no place below it. */
export function freeDescriptors(
  of = "/proc/self",
  limit = descriptorLimit(of),
): number | null {
  if (limit === null) return null;
  try {
    // Newer kernels report how many are open; their numbers matter only when few may be left.
    const { size } = statSync(`${of}/fd`);
    if (size > 0 && limit - size >= plenty) return limit - size;
    const open = readdirSync(`${of}/fd`).filter((name) => Number(name) < limit);
    // One of them was the directory listing itself.
    return Math.max(0, limit - open.length + (of === "/proc/self" ? 1 : 0));
  } catch (error) {
    return isOutOfDescriptors(error) ? 0 : null;
  }
}

/** Below this, nothing that can wait may start (V2-653). */
export function minFree(limit: number): number {
  return Math.min(defaultReserve, Math.floor(limit / 4));
}

/** Whether so few are free that nothing that can wait may start. */
export function areDescriptorsFew(): boolean {
  const limit = descriptorLimit();
  const free = freeDescriptors("/proc/self", limit);
  return free !== null && limit !== null && free < minFree(limit);
}
