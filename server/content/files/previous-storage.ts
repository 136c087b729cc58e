// Files that are still in a previous storage: read there as well, and copied in the background without a gap (V4-356).

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../platform/log.ts";
import { StorageAwayError } from "./storage-away.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Both storages as one; new files go to the current one. */
export function withPreviousStorage(
  current: StoredFiles,
  previous: StoredFiles,
  isCopied: () => boolean,
): StoredFiles {
  const holderOf = async (hash: string): Promise<StoredFiles> =>
    (await current.sizeOf(hash)) === null ? previous : current;
  return {
    ...current,
    sizeOf: async (hash) =>
      (await current.sizeOf(hash)) ?? (await previous.sizeOf(hash)),
    read: async (hash) => (await holderOf(hash)).read(hash),
    withFile: async (hash, act) => (await holderOf(hash)).withFile(hash, act),
    locate: async (hash, mimetype) =>
      (await current.locate(hash, mimetype)) ??
      (await previous.locate(hash, mimetype)),
    isLocal: false,
    remove: async (hash) => {
      await current.remove(hash);
      await previous.remove(hash).catch((error: unknown) => {
        // It is deleted with the rest of the previous storage.
        const isRefusal = error instanceof StorageAwayError && error.isRefusal;
        if (!previous.isLocal && !isRefusal) throw error;
      });
    },
    isEmpty: async () =>
      (await current.isEmpty()) || (!isCopied() && (await previous.isEmpty())),
    list: () => merged(current.list(), previous.list()),
    check: async () => {
      const [here, before] = await Promise.all([
        current.check(),
        previous.check(),
      ]);
      return { ...here, canRead: here.canRead && before.canRead };
    },
    stop: () => {
      current.stop();
      previous.stop();
    },
  };
}

/** Two ascending lists as one without duplicates. */
async function* merged(
  one: AsyncIterable<string>,
  other: AsyncIterable<string>,
): AsyncGenerator<string> {
  const lists = [one, other].map((list) => list[Symbol.asyncIterator]());
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const values = heads.flatMap(({ done, value }) => (done ? [] : [value]));
    const [least] = values.toSorted();
    if (least === undefined) return;
    yield least;
    for (const [at, list] of lists.entries())
      if (!heads[at]?.done && heads[at]?.value === least)
        heads[at] = await list.next();
  }
}

interface CopyOptions {
  readonly current: StoredFiles;
  readonly previous: StoredFiles;
  readonly log: Pick<Log, "info" | "warn">;
  /** After a pass in which a file could not be copied. */
  readonly pauseMs: number;
  readonly onCopied: () => void;
}

/** Nothing is deleted: whatever is interrupted or goes wrong, no file is lost. */
export function copyFiles(options: CopyOptions): { stop(): Promise<void> } {
  const { current, previous, log, pauseMs, onCopied } = options;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    let left: AsyncIterable<string> | Iterable<string> = previous.list();
    while (!signal.aborted) {
      const failed = await copyAll(left);
      if (signal.aborted) return;
      if (failed?.length === 0) return onCopied();
      await pause(pauseMs, undefined, { signal, ref: false });
      left = failed ?? previous.list();
    }
  }

  /** Those that could not be copied; null when not even the list could be read. */
  async function copyAll(
    hashes: AsyncIterable<string> | Iterable<string>,
  ): Promise<readonly string[] | null> {
    const failed: string[] = [];
    try {
      for await (const hash of hashes) {
        if (signal.aborted) return failed;
        await copy(hash).catch((error: unknown) => {
          failed.push(hash);
          log.warn("storage.copy-failed", { hash, error });
        });
      }
    } catch (error) {
      log.warn("storage.copy-failed", { error });
      return null;
    }
    return failed;
  }

  async function copy(hash: string): Promise<void> {
    if ((await current.sizeOf(hash)) !== null) return;
    const sizeBytes = await previous.sizeOf(hash);
    if (sizeBytes === null) {
      // Otherwise it was deleted meanwhile.
      if (await previous.isEmpty()) throw new Error("All files have gone.");
      return;
    }
    await previous.withFile(hash, async (file) => {
      const digest = createHash("sha256");
      await pipeline(createReadStream(file), digest, { signal });
      if (digest.digest("hex") !== hash) throw new Error("It is damaged.");
      await current.add(hash, file, sizeBytes);
    });
  }

  const running = run().catch((error: unknown) => {
    if (!signal.aborted) log.warn("storage.copy-ended", { error });
  });
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
