// Hashes computed by one thread for all large files, so that the main thread has time for the screen and the interface meanwhile.

import { Worker } from "node:worker_threads";
import type { Digests, Hashes } from "./digests.ts";
import type { HashJob, HashWord } from "./hash-thread.ts";

/** Memory shared with the thread, per file: while one block is hashed, the next is filled. */
export const blockBytes = 1024 * 1024;
const blockCount = 4;

interface OpenFile {
  take(word: HashWord): void;
  fail(error: Error): void;
}

interface Thread {
  /** The process does not end before the file is closed. */
  open(file: number, opened: OpenFile): void;
  close(file: number): void;
  send(job: HashJob): void;
  stop(): Promise<unknown>;
}

let shared: Thread | null = null;
let number = 0;

function startThread(): Thread {
  const worker = new Worker(new URL("./hash-thread.ts", import.meta.url));
  const files = new Map<number, OpenFile>();
  const end = (error: Error): void => {
    if (shared === thread) shared = null;
    for (const file of files.values()) file.fail(error);
    files.clear();
  };
  const send = (job: HashJob): void => {
    worker.postMessage(job);
  };
  const thread: Thread = {
    open: (file, opened) => {
      files.set(file, opened);
      worker.ref();
    },
    close: (file) => {
      if (!files.delete(file)) return;
      send({ file, kind: "close" });
      if (files.size === 0) worker.unref();
    },
    send,
    stop: () => worker.terminate(),
  };
  worker.unref();
  worker.on("message", (word: HashWord) => files.get(word.file)?.take(word));
  worker.on("error", (error: unknown) => {
    end(error instanceof Error ? error : new Error(String(error)));
  });
  worker.on("exit", () => {
    end(new Error("the thread that computes hashes has ended"));
  });
  return thread;
}

/** The next file starts another one. */
export async function stopHashThread(): Promise<void> {
  await shared?.stop();
}

/** An error of the thread is thrown by the next call, or by the one that waits. */
export function hashInThread(): Hashes {
  const thread = (shared ??= startThread());
  const file = (number += 1);
  const blocks = Array.from(
    { length: blockCount },
    () => new Uint8Array(new SharedArrayBuffer(blockBytes)),
  );
  const free = blocks.map((_, block) => block);
  let current = { block: free.pop() ?? 0, bytes: 0 };
  let sizeBytes = 0;
  let error: Error | null = null;
  let waiting: { resolve(): void; reject(error: Error): void } | null = null;
  let result: Omit<Digests, "sizeBytes"> | null = null;

  const close = (): void => {
    thread.close(file);
  };
  const wait = (isOver: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      if (error) reject(error);
      else if (isOver()) resolve();
      else waiting = { resolve, reject };
    });
  const sendBlock = (): void => {
    if (current.bytes > 0) thread.send({ file, kind: "hash", ...current });
  };
  /** Leaves a block that is not full as the current one. */
  async function fill(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      if (error) throw error;
      done += put(bytes.subarray(done));
      if (current.bytes < blockBytes) continue;
      sendBlock();
      await wait(() => free.length > 0);
      current = { block: free.pop() ?? 0, bytes: 0 };
    }
  }
  /** As many as fit. */
  function put(bytes: Uint8Array): number {
    const part = bytes.subarray(0, blockBytes - current.bytes);
    blocks[current.block]?.set(part, current.bytes);
    current.bytes += part.length;
    sizeBytes += part.length;
    return part.length;
  }

  thread.open(file, {
    take: (word) => {
      if (word.kind === "hashed") free.push(word.block);
      else result = word;
      waiting?.resolve();
      waiting = null;
    },
    fail: (reason) => {
      error = reason;
      waiting?.reject(reason);
      waiting = null;
    },
  });
  thread.send({ file, kind: "open", blocks });
  return {
    update: (bytes) => {
      if (!error && current.bytes + bytes.length < blockBytes) {
        put(bytes);
        return null;
      }
      return fill(bytes);
    },
    digests: async () => {
      try {
        sendBlock();
        thread.send({ file, kind: "digests" });
        // One word after the other: the blocks before, then the digests.
        while (result === null) await wait(() => result !== null);
        const { md5, sha256 } = result;
        return { md5, sha256, sizeBytes };
      } finally {
        close();
      }
    },
    close,
  };
}
