// The files of the service: where they are stored, and which columns refer to them.

import path from "node:path";
import {
  openFileStore,
  type FileStore,
} from "../../platform/files/file-store.ts";

/** Kept free for the database, the log and the system. */
const reserveBytes = 512 * 1024 ** 2;

/** Columns that contain the hash of a stored file, by table. */
export const fileColumns: Readonly<Record<string, readonly string[]>> = {
  asset_intakes: ["source_hash", "file_hash", "preview_hash"],
  uploads: ["source_hash"],
  screen_pictures: ["hash"],
  support_bundles: ["hash"],
};

export function openServiceFiles(dataDir: string): Promise<FileStore> {
  return openFileStore(path.join(dataDir, "files"), {
    ...{ reserveBytes, owner: "this service" },
  });
}
