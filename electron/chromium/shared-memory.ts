// The memory that Chromium's processes share: what some containers and small systems give is too little for a picture.

import { statfsSync } from "node:fs";

/** One picture of a large display, a film's, and as much again. */
const minBytes = 256 * 1024 ** 2;

/** Where it is too small for the glass (V2-464), how large it is, in bytes; null where it is large enough, or none of Linux. */
export function tooSmallSharedMemory(folder = "/dev/shm"): number | null {
  try {
    const { bsize, blocks } = statfsSync(folder);
    const bytes = bsize * blocks;
    return bytes < minBytes ? bytes : null;
  } catch {
    return process.platform === "linux" ? 0 : null;
  }
}
