// MD5, which the cloud vouches for, and SHA-256, which the store goes by, of bytes as they come; of many of them on threads of their own.

import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";

export interface Digests {
  readonly md5: string;
  readonly sha256: string;
  /** What was hashed, where all of it was one small block. */
  readonly bytes?: Uint8Array | undefined;
}

export interface PartHash {
  hasRoom(): boolean;
  /** An empty block to fill; null while there is none. */
  room(): Uint8Array | null;
  /** Answers when there is one. Throws when nothing can be hashed any more. */
  whenRoom(): Promise<void>;
  /** The first bytes of a block come next; it is another's once they are hashed and whoever else reads it has done so too. */
  take(block: Uint8Array, length: number, read: Promise<void>): void;
  /** Of everything; nothing may be added afterwards. */
  digests(): Promise<Digests>;
  /** Nobody asks any more. */
  stop(): void;
}

/** Below this a thread takes longer to come up than the hash does. */
const worthThreadsBytes = 16 * 1024 * 1024;
/** A message costs as much as hashing some kilobytes: one for each of these, which a processor still has at hand. */
const blockBytes = 512 * 1024;
/** So many are on their way between connection, disk and threads before the connection waits. */
const mostBlocks = 16;
/** What is hashed on this thread is not to hold up the show. */
const smallBlockBytes = 128 * 1024;
const mostSmallBlocks = 4;

export function newPartHash(expectedBytes: number | null): PartHash {
  if ((expectedBytes ?? 0) >= worthThreadsBytes) return onThreads();
  const most = Math.min(expectedBytes ?? Infinity, smallBlockBytes);
  return onThisThread(Math.max(1, most));
}

/** Blocks that are used again and again. */
function createBlocks(most: number, make: (number: number) => Uint8Array) {
  const free: Uint8Array[] = [];
  const waiting: (() => void)[] = [];
  let made = 0;
  const hasRoom = (): boolean => free.length > 0 || made < most;
  return {
    hasRoom,
    room: () => free.pop() ?? (made < most ? make(made++) : null),
    whenRoom: (): Promise<void> =>
      hasRoom()
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push(resolve)),
    giveBack: (block: Uint8Array): void => {
      free.push(block);
      waiting.shift()?.();
    },
  };
}

function onThisThread(blockBytes: number): PartHash {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  const taken: (Uint8Array | null)[] = [];
  const blocks = createBlocks(mostSmallBlocks, () =>
    Buffer.allocUnsafeSlow(blockBytes),
  );
  return {
    hasRoom: blocks.hasRoom,
    room: blocks.room,
    whenRoom: blocks.whenRoom,
    take: (block, length, read) => {
      const bytes = block.subarray(0, length);
      if (bytes.length > 0) taken.push(taken.length === 0 ? bytes : null);
      md5.update(bytes);
      sha256.update(bytes);
      const giveBack = (): void => blocks.giveBack(block);
      read.then(giveBack, giveBack);
    },
    digests: async () => ({
      md5: md5.digest("hex"),
      sha256: sha256.digest("hex"),
      bytes: taken.length === 1 ? (taken[0] ?? undefined) : undefined,
    }),
    stop: () => undefined,
  };
}

/** As text, so that it needs no file of its own wherever the player is packed. */
const threadSource = `
const { parentPort, workerData } = require("node:worker_threads");
const { algorithm, memory } = workerData;
const hash = require("node:crypto").createHash(algorithm);
parentPort.on("message", (bytes) => {
  if (bytes === null) return parentPort.postMessage(hash.digest("hex"));
  hash.update(new Uint8Array(memory, bytes.at, bytes.length));
  parentPort.postMessage(null);
});`;

/** Each of the two on its own, from memory they share: the show, and the bytes, go on beside them. */
function onThreads(): PartHash {
  const memory = new SharedArrayBuffer(blockBytes * mostBlocks);
  const threads = [
    createThread("md5", memory),
    createThread("sha256", memory),
  ] as const;
  const stop = (): void => {
    for (const thread of threads) thread.stop();
  };
  const blocks = createBlocks(
    mostBlocks,
    (number) => new Uint8Array(memory, number * blockBytes, blockBytes),
  );
  const failure = Promise.race(threads.map((thread) => thread.failure));
  failure.catch(() => undefined);
  return {
    hasRoom: blocks.hasRoom,
    room: blocks.room,
    whenRoom: () => Promise.race([blocks.whenRoom(), failure]),
    take: (block, length, read) => {
      void Promise.all([
        ...threads.map((thread) => thread.update(block.byteOffset, length)),
        read,
      ]).then(
        () => blocks.giveBack(block),
        // Told to whoever waits for room, or for the end.
        () => undefined,
      );
    },
    digests: async () => {
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

function createThread(algorithm: "md5" | "sha256", memory: SharedArrayBuffer) {
  const worker = new Worker(threadSource, {
    eval: true,
    workerData: { algorithm, memory },
  });
  // Whoever ends need not wait for a hash that nobody asks for.
  worker.unref();
  /** In the order in which the thread answers. */
  const waiting: ((digest: string) => void)[] = [];
  const failure = new Promise<never>((_resolve, reject) => {
    worker.on("error", reject);
  });
  failure.catch(() => undefined);
  worker.on("message", (answer: string | null) => {
    waiting.shift()?.(answer ?? "");
  });
  const ask = (question: unknown): Promise<string> => {
    worker.postMessage(question);
    return new Promise<string>((resolve) => waiting.push(resolve));
  };
  return {
    failure,
    update: async (at: number, length: number): Promise<void> => {
      await ask({ at, length });
    },
    digest: () => Promise.race([ask(null), failure]),
    stop: (): void => {
      worker.terminate().catch(() => undefined);
    },
  };
}
