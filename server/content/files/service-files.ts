// The files of the service: where they are stored, and which columns refer to them.

import path from "node:path";
import { outsideSentences } from "../../contract/sentences/outside-sentences.ts";
import { openFileStore } from "../../platform/files/file-store.ts";
import type { Log } from "../../platform/log.ts";
import type { Traces } from "../traces/traces.ts";
import type { CdnOptions } from "./cdn.ts";
import { copyFiles, withPreviousStorage } from "./previous-storage.ts";
import { storageText, type StorageAddress } from "./storage-address.ts";
import { filesInFolder, type StoredFiles } from "./stored-files.ts";

/** Kept free for the database, the log and the system. */
const reserveBytes = 512 * 1024 ** 2;

/** Columns that contain the hash of a stored file, by table. */
export const fileColumns: Readonly<Record<string, readonly string[]>> = {
  asset_intakes: ["source_hash", "file_hash", "preview_hash"],
  uploads: ["source_hash"],
  screen_pictures: ["hash"],
  support_bundles: ["hash"],
};

export interface ServiceFilesOptions extends CdnOptions {
  readonly dataDir: string;
  /** Undefined: in the data folder. */
  readonly storage?: StorageAddress | undefined;
  /** Undefined: in the data folder, if files are stored there. */
  readonly previousStorage?: StorageAddress | undefined;
  readonly log?: Pick<Log, "info" | "warn"> | undefined;
  readonly now?: (() => number) | undefined;
  readonly traces?: Traces | null;
}

export interface ServiceFiles {
  readonly store: StoredFiles;
  /** Begins to copy what is in the previous storage. */
  copy(): { stop(): Promise<void> };
}

/** Until a damaged file of the previous storage, or a storage that was unavailable, is tried again. */
const copyAgainMs = 600_000;

export async function openServiceFiles({
  dataDir,
  storage,
  previousStorage,
  log = { info: () => undefined, warn: () => undefined },
  now = Date.now,
  traces = null,
  ...cdnOptions
}: ServiceFilesOptions): Promise<ServiceFiles> {
  const working = await openFileStore(path.join(dataDir, "files"), {
    ...{ reserveBytes, owner: outsideSentences["owner-service"] },
  });
  const folder = filesInFolder(working);
  const opened = async (
    address: StorageAddress,
    hasCdn: boolean,
  ): Promise<StoredFiles> => {
    // Most services do without.
    const { openObjectStorage } = await import("./object-storage.ts");
    const { openCdn } = await import("./cdn.ts");
    return openObjectStorage({
      ...{ address, working, log, now, traces },
      cdn: hasCdn ? await openCdn(cdnOptions) : undefined,
      monotonic: () => performance.now(),
    });
  };
  const current = storage === undefined ? folder : await opened(storage, true);
  const previous =
    previousStorage !== undefined
      ? await opened(previousStorage, false)
      : storage !== undefined && !(await folder.isEmpty())
        ? folder
        : null;
  if (previous === null)
    return {
      store: current,
      copy: () => ({ stop: () => Promise.resolve() }),
    };
  let isCopied = false;
  const textOf = (address: StorageAddress | undefined): string =>
    address === undefined ? "the data folder" : storageText(address);
  return {
    store: withPreviousStorage(current, previous, () => isCopied),
    copy: () =>
      copyFiles({
        ...{ current, previous, log, pauseMs: copyAgainMs },
        onCopied: () => {
          isCopied = true;
          log.info("storage.copied", {
            ...{ from: textOf(previousStorage), to: textOf(storage) },
          });
        },
      }),
  };
}
