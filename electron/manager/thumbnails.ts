// Thumbnails of stored files, made once by the manager and kept by the hash of the original file.

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StoredFile } from "../web/asset-protocol.ts";
import { replaceFile } from "../../server/platform/files/replace-file.ts";

export interface Thumbnails {
  keep(hash: string, bytes: Uint8Array): Promise<void>;
  /** Where it is stored, whether it has been made or not. */
  file(hash: string): StoredFile;
  /** Removes thumbnails whose files no longer exist. */
  sweep(isInUse: (hash: string) => boolean): Promise<void>;
}

export function createThumbnails(folder: string): Thumbnails {
  const pathOf = (hash: string): string => join(folder, `${hash}.webp`);
  return {
    keep: async (hash, bytes) => {
      await mkdir(folder, { recursive: true });
      await replaceFile(pathOf(hash), bytes);
    },
    file: (hash) => ({ path: pathOf(hash), type: "image/webp" }),
    sweep: async (isInUse) => {
      const names = await readdir(folder).catch(() => []);
      for (const name of names)
        if (!isInUse(name.split(".")[0] ?? ""))
          await rm(join(folder, name), { force: true });
    },
  };
}
