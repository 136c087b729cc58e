// Bytes from a connection into a part: hashed as they come, written many at a time, never more than a few in memory.

import type { FileHandle } from "node:fs/promises";
import type { PartHash } from "./part-hash.ts";

export interface PartWriter {
  /** Answers when there is room for more. */
  write(chunk: Buffer): Promise<void>;
  /** Answers when everything is written; throws what a write threw. */
  end(): Promise<void>;
}

/** So much may wait for the disk before the connection does. */
const mostWaitingBytes = 4 * 1024 * 1024;

export function createPartWriter(
  file: FileHandle,
  from: number,
  hash: PartHash,
): PartWriter {
  let at = from;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | null = null;
  let failure: Error | null = null;

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0 && failure === null) {
      const batch = waiting;
      waiting = [];
      waitingBytes = 0;
      await writeWhole(batch);
    }
  }

  async function writeWhole(batch: readonly Buffer[]): Promise<void> {
    let left = [...batch];
    while (left.length > 0) {
      const { bytesWritten } = await file.writev(left, at);
      at += bytesWritten;
      left = behind(left, bytesWritten);
    }
  }

  function begin(): Promise<void> {
    writing ??= writeWaiting()
      .catch((error: unknown) => {
        failure = error as Error;
      })
      .finally(() => {
        writing = null;
      });
    return writing;
  }

  function throwFailure(): void {
    if (failure !== null) throw failure;
  }

  return {
    write: async (chunk) => {
      throwFailure();
      waiting.push(chunk);
      waitingBytes += chunk.length;
      const written = begin();
      await hash.update(chunk);
      if (waitingBytes > mostWaitingBytes) await written;
      throwFailure();
    },
    end: async () => {
      while (writing !== null || (waiting.length > 0 && failure === null))
        await begin();
      throwFailure();
    },
  };
}

/** What is left of these when so many bytes are done with. */
function behind(batch: readonly Buffer[], bytes: number): Buffer[] {
  let done = bytes;
  const left: Buffer[] = [];
  for (const chunk of batch) {
    if (done >= chunk.length) done -= chunk.length;
    else {
      left.push(chunk.subarray(done));
      done = 0;
    }
  }
  return left;
}
