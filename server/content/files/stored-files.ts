// The stored files of the service by the SHA-256 of their bytes: received into a working folder of this instance, then kept in the
// data folder or in object storage (V4-354).

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { systemCode } from "../../platform/outside-error.ts";

/** Bytes on their way, in a folder of this instance alone. */
type WorkingFiles = Pick<
  FileStore,
  "receive" | "part" | "newAside" | "discard" | "sweepStill"
>;

export interface StoredFiles extends WorkingFiles {
  /** Kept durably when it resolves; the same content is stored once. */
  keep(aside: Aside): Promise<void>;
  /** Stores a copy of a local file with these bytes. */
  add(hash: string, file: string, sizeBytes: number): Promise<void>;
  remove(hash: string): Promise<void>;
  /** Null when it is missing. */
  sizeOf(hash: string): Promise<number | null>;
  /** All its bytes. */
  read(hash: string): Promise<Readable>;
  /** Runs `act` with the path of a local file that contains these bytes, which exists until it ends. */
  withFile<T>(hash: string, act: (file: string) => Promise<T>): Promise<T>;
  /** Where a client gets these bytes; null when they are missing. */
  locate(hash: string, mimetype: string): Promise<FileLocation | null>;
  /** Every stored hash, in ascending order. */
  list(): AsyncIterable<string>;
  /** Whether nothing is stored, as when the disk of the folder is not mounted. */
  isEmpty(): Promise<boolean>;
  check: FileStore["check"];
  /** Ends all transfers. */
  stop(): void;
  /** Whether every file is in the data folder: deleted within a transaction, and listed at no cost. */
  readonly isLocal: boolean;
  /** Where this service alone can find damage; null where the storage checks its bytes itself. */
  readonly folder: FileStore | null;
}

export type FileLocation =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly sizeBytes: number;
    }
  /** A signed address at the storage, valid for an hour at least unless the service's own credentials expire. */
  | {
      readonly kind: "address";
      readonly address: string;
      readonly sizeBytes: number;
    };

/** Files that are kept in the same folder. */
export function filesInFolder(store: FileStore): StoredFiles {
  const sizeOf = (hash: string): Promise<number | null> =>
    stat(store.pathOf(hash)).then(({ size }) => size, nullIfGone);
  return {
    ...store,
    ...{ sizeOf, folder: store, isLocal: true, stop: () => undefined },
    add: async (hash, file, sizeBytes) => {
      if ((await sizeOf(hash)) === sizeBytes) return;
      const aside = await store.receive(createReadStream(file), sizeBytes);
      await store.keep(aside);
    },
    read: (hash) => Promise.resolve(store.read(hash)),
    withFile: (hash, act) => act(store.pathOf(hash)),
    locate: async (hash) => {
      const sizeBytes = await sizeOf(hash);
      if (sizeBytes === null) return null;
      return { kind: "file", path: store.pathOf(hash), sizeBytes };
    },
    list: async function* () {
      yield* (await store.list()).toSorted();
    },
  };
}

/** A failing disk is not a missing file: the client should retry. */
function nullIfGone(error: unknown): null {
  const code = systemCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}
