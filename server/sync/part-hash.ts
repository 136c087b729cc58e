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
/** So much may wait for a thread before the connection does. */
const mostWaitingBytes = 8 * 1024 * 1024;

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
parentPort.on("message", (chunk) => {
  if (chunk === null) return parentPort.postMessage(hash.digest("hex"));
  hash.update(chunk);
  parentPort.postMessage(chunk.length);
});`;

/** Each of the two on its own: the show, and the bytes, go on beside them. */
function onThreads(): PartHash {
  const md5 = createThread("md5");
  const sha256 = createThread("sha256");
  const stop = (): void => {
    md5.stop();
    sha256.stop();
  };
  return {
    update: async (chunk) => {
      await Promise.all([md5.update(chunk), sha256.update(chunk)]);
    },
    digests: async () => {
      const [one, other] = await Promise.all([md5.digest(), sha256.digest()]);
      stop();
      return { md5: one, sha256: other };
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
  let waitingBytes = 0;
  let isRoom = (): void => undefined;
  let isDone = (_digest: string): void => undefined;
  let hasFailed = (_error: Error): void => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    hasFailed = reject;
  });
  failure.catch(() => undefined);
  worker.on("error", (error) => hasFailed(error as Error));
  worker.on("message", (answer: number | string) => {
    if (typeof answer === "string") return isDone(answer);
    waitingBytes -= answer;
    if (waitingBytes <= mostWaitingBytes) isRoom();
  });
  return {
    update: async (chunk: Buffer): Promise<void> => {
      waitingBytes += chunk.length;
      const copy = new Uint8Array(chunk);
      worker.postMessage(copy, [copy.buffer]);
      if (waitingBytes <= mostWaitingBytes) return;
      const room = new Promise<void>((resolve) => {
        isRoom = resolve;
      });
      await Promise.race([room, failure]);
    },
    digest: async (): Promise<string> => {
      const done = new Promise<string>((resolve) => {
        isDone = resolve;
      });
      worker.postMessage(null);
      return Promise.race([done, failure]);
    },
    stop: (): void => void worker.terminate(),
  };
}
