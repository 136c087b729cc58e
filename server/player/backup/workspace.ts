// Temporary folder for one backup or one recovery: deleted afterwards, whatever the result.

import { randomBytes } from "node:crypto";
import { rm, statfs } from "node:fs/promises";
import path from "node:path";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { makeFolder } from "../../platform/files/writable-folder.ts";
import { OutsideError } from "../../platform/outside-error.ts";

export interface Workspace {
  readonly dir: string;
  readonly reserveBytes: number;
  /** Throws `no-space` when this many bytes would use up the disk's reserve. */
  assertDiskSpaceFor(bytes: number): Promise<void>;
  clear(): Promise<void>;
}

export interface Workspaces {
  open(): Promise<Workspace>;
}

/** Deletes what killed processes left behind. */
export async function openWorkspaces(
  dir: string,
  reserveBytes: number,
): Promise<Workspaces> {
  await rm(dir, { recursive: true, force: true });
  return {
    open: async () => {
      const folder = path.join(dir, randomBytes(8).toString("hex"));
      makeFolder(folder);
      return {
        dir: folder,
        reserveBytes,
        assertDiskSpaceFor: async (bytes) => {
          const { bavail, bsize } = await statfs(folder);
          if (bavail * bsize - bytes < reserveBytes)
            throw new OutsideError("no-space", playerSentences["disk-reserve"]);
        },
        clear: () =>
          rm(folder, { recursive: true, force: true, maxRetries: 3 }),
      };
    },
  };
}
