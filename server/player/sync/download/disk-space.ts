// Whether a disk has room for what comes in: it is asked again when that may have changed, not for each of a thousand small files.

import { statfs } from "node:fs/promises";
import { OutsideError } from "../../../platform/outside-error.ts";

export interface Room {
  /** Throws `no-space` where so many bytes more would touch the reserve. */
  assertFor(bytes: number, reserveBytes: number): Promise<void> | null;
}

/** Others write to a disk, too. */
const lookEveryMs = 500;
/** With less than this to spare each is looked at. */
const plentyBytes = 256 * 1024 * 1024;

export function createRoom(dir: string, monotonic: () => number): Room {
  let lookedAt = -Infinity;
  /** As it was then, without what was promised room since. */
  let freeBytes = 0;

  async function look(bytes: number, reserveBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dir);
    lookedAt = monotonic();
    freeBytes = bavail * bsize - bytes;
    if (freeBytes < reserveBytes)
      throw new OutsideError(
        "no-space",
        "The disk of this player is full: its reserve would be touched.",
      );
  }

  return {
    assertFor: (bytes, reserveBytes) => {
      const isLately = monotonic() - lookedAt < lookEveryMs;
      if (!isLately || freeBytes - bytes < reserveBytes + plentyBytes)
        return look(bytes, reserveBytes);
      freeBytes -= bytes;
      return null;
    },
  };
}
