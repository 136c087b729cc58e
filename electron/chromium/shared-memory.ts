// Size of the memory that Chromium's processes share (/dev/shm): in some containers and small systems it is too small for one
// image.

import { statfsSync } from "node:fs";

/** One image of a large display, one frame of a video, and as much again. */
const minBytes = 256 * 1024 ** 2;

/**
 * Its size in bytes where it is too small for the screen (V2-464); null where it is large enough, or on other systems than Linux.
 */
export function tooSmallSharedMemory(folder = "/dev/shm"): number | null {
  try {
    const { bsize, blocks } = statfsSync(folder);
    const bytes = bsize * blocks;
    return bytes < minBytes ? bytes : null;
  } catch {
    return process.platform === "linux" ? 0 : null;
  }
}
