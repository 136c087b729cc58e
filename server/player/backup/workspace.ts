// A folder aside for one backup or one recovery: whatever comes of it, it is gone afterwards.

import { randomBytes } from "node:crypto";
import { mkdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { OutsideError } from "../../platform/outside-error.ts";

export interface Workspace {
  readonly dir: string;
  readonly reserveBytes: number;
  /** Throws `no-space` when so many bytes would touch the disk's reserve. */
  assertDiskSpaceFor(bytes: number): Promise<void>;
  clear(): Promise<void>;
}

export interface Workspaces {
  open(): Promise<Workspace>;
}

/** Removes what a kill left aside. */
export async function openWorkspaces(
  dir: string,
  reserveBytes: number,
): Promise<Workspaces> {
  await rm(dir, { recursive: true, force: true });
  return {
    open: async () => {
      const own = path.join(dir, randomBytes(8).toString("hex"));
      await mkdir(own, { recursive: true });
      return {
        dir: own,
        reserveBytes,
        assertDiskSpaceFor: async (bytes) => {
          const { bavail, bsize } = await statfs(own);
          if (bavail * bsize - bytes < reserveBytes)
            throw new OutsideError(
              "no-space",
              "The disk of this player has no room for this: its reserve would be touched.",
            );
        },
        clear: () => rm(own, { recursive: true, force: true, maxRetries: 3 }),
      };
    },
  };
}
