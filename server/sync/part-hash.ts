// MD5, which the cloud vouches for, and SHA-256, which the store goes by, of bytes as they come; of many of them on threads of their own.

import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";

export interface Digests {
  readonly md5: string;
  readonly sha256: string;
}

export interface PartHash {
  /** Answers when there is room for more. */
  update(chunk: Buffer): Promise<void>;
  /** Of everything; nothing may be added afterwards. */
  digests(): Promise<Digests>;
  /** Nobody asks any more. */
  stop(): void;
}

/** Below this a thread takes longer to come up than the hash does. */
const worthThreadsBytes = 16 * 1024 * 1024;
/** A message costs as much as hashing some tens of kilobytes: one for each of these. */
const blockBytes = 1024 * 1024;
/** So many may wait for a thread before the connection does. */
const mostBlocks = 16;

export function newPartHash(expectedBytes: number | null): PartHash {
  return (expectedBytes ?? 0) < worthThreadsBytes
    ? onThisThread()
    : onThreads();
}

function onThisThread(): PartHash {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  return {
    update: async (chunk) => {
      md5.update(chunk);
      sha256.update(chunk);
    },
    digests: async () => ({
      md5: md5.digest("hex"),
      sha256: sha256.digest("hex"),
    }),
    stop: () => undefined,
  };
}

/** As text, so that it needs no file of its own wherever the player is packed. */
const threadSource = `
const { parentPort, workerData } = require("node:worker_threads");
const hash = require("node:crypto").createHash(workerData);
parentPort.on("message", (block) => {
  if (block === null) return parentPort.postMessage(hash.digest("hex"));
  hash.update(new Uint8Array(block.memory, 0, block.length));
  parentPort.postMessage(null);
});`;

/** Each of the two on its own, from memory they share: the show, and the bytes, go on beside them. */
function onThreads(): PartHash {
  const threads = [createThread("md5"), createThread("sha256")] as const;
  const stop = (): void => {
    for (const thread of threads) thread.stop();
  };
  const free: SharedArrayBuffer[] = [];
  let made = 0;
  let block: SharedArrayBuffer | null = null;
  let filled = 0;
  /** Given to the threads, the oldest first; each settles when both are done with it. */
  const given: Promise<void>[] = [];

  async function room(): Promise<SharedArrayBuffer> {
    while (free.length === 0 && made >= mostBlocks) await given[0];
    const old = free.pop();
    if (old) return old;
    made += 1;
    return new SharedArrayBuffer(blockBytes);
  }

  function give(): void {
    if (block === null) return;
    const [memory, length] = [block, filled];
    block = null;
    filled = 0;
    const done = Promise.all(
      threads.map((thread) => thread.update(memory, length)),
    ).then(() => {
      free.push(memory);
      void given.shift();
    });
    // Told to whoever waits for room, or for the end.
    done.catch(() => undefined);
    given.push(done);
  }

  return {
    update: async (chunk) => {
      for (let at = 0; at < chunk.length;) {
        block ??= await room();
        const length = Math.min(chunk.length - at, blockBytes - filled);
        new Uint8Array(block, filled, length).set(
          chunk.subarray(at, at + length),
        );
        filled += length;
        at += length;
        if (filled === blockBytes) give();
      }
    },
    digests: async () => {
      give();
      const [md5, sha256] = await Promise.all([
        threads[0].digest(),
        threads[1].digest(),
      ]);
      stop();
      return { md5, sha256 };
    },
    stop,
  };
}

function createThread(algorithm: "md5" | "sha256") {
  const worker = new Worker(threadSource, {
    eval: true,
    workerData: algorithm,
  });
  // Whoever ends need not wait for a hash that nobody asks for.
  worker.unref();
  /** In the order in which the thread answers. */
  const waiting: ((digest: string) => void)[] = [];
  let hasFailed = (_error: Error): void => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    hasFailed = reject;
  });
  failure.catch(() => undefined);
  worker.on("error", (error) => hasFailed(error as Error));
  worker.on("message", (answer: string | null) => {
    waiting.shift()?.(answer ?? "");
  });
  const ask = (question: unknown): Promise<string> => {
    const answered = new Promise<string>((resolve) => waiting.push(resolve));
    worker.postMessage(question);
    return Promise.race([answered, failure]);
  };
  return {
    update: async (memory: SharedArrayBuffer, length: number) => {
      await ask({ memory, length });
    },
    digest: () => ask(null),
    stop: (): void => void worker.terminate(),
  };
}
