// Files that are still in a previous storage: read there as well, and copied in the background without a gap (V4-356).

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../platform/log.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Both storages as one; new files go to the current one. */
export function withPreviousStorage(
  current: StoredFiles,
  previous: StoredFiles,
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
    remove: async (hash) => {
      await current.remove(hash);
      await previous.remove(hash);
    },
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
}

/** Nothing is deleted from the previous storage: whatever is interrupted or goes wrong, no file is lost. */
export function copyFiles(options: CopyOptions): { stop(): Promise<void> } {
  const { current, previous, log, pauseMs } = options;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const failed = await copyAll().catch((error: unknown) => {
        log.warn("storage.copy-failed", { error });
        return 1;
      });
      if (signal.aborted) return;
      if (failed === 0) return log.info("storage.copied");
      await pause(pauseMs, undefined, { signal, ref: false });
    }
  }

  /** How many could not be copied. */
  async function copyAll(): Promise<number> {
    let failed = 0;
    for await (const hash of previous.list()) {
      if (signal.aborted) return failed;
      await copy(hash).catch((error: unknown) => {
        failed += 1;
        log.warn("storage.copy-failed", { hash, error });
      });
    }
    return failed;
  }

  async function copy(hash: string): Promise<void> {
    if ((await current.sizeOf(hash)) !== null) return;
    const sizeBytes = await previous.sizeOf(hash);
    // Deleted meanwhile.
    if (sizeBytes === null) return;
    await previous.withFile(hash, async (file) => {
      const digest = createHash("sha256");
      await pipeline(createReadStream(file), digest);
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
