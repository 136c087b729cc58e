// Bytes from a connection into a part: laid into blocks, and from there both written and hashed; never more than a few in memory.

import type { FileHandle } from "node:fs/promises";
import type { ByteSink } from "../../../platform/http-bytes.ts";
import type { PartHash } from "./part-hash.ts";

export interface PartWriter extends ByteSink {
  /** Answers when everything is written; throws what a write threw. */
  end(): Promise<void>;
}

/** A block on its way to the disk. */
interface Filling {
  readonly block: Uint8Array;
  filled: number;
  written: number;
  isFull: boolean;
  readonly wasWritten: () => void;
  readonly whenWritten: Promise<void>;
}

/** What has to be on the disk in the end is on its way there early. */
const flushEveryBytes = 64 * 1024 * 1024;

/** `isGoneOnWith`: what has come is worth something without the rest, and is written as it comes; else by whole blocks. */
export function createPartWriter(
  file: FileHandle,
  from: number,
  hash: PartHash,
  isGoneOnWith: boolean,
): PartWriter {
  let at = from;
  let flushAt = from + flushEveryBytes;
  /** The oldest first; the last one is being filled. */
  const fillings: Filling[] = [];
  let last = newFilling();
  let writing: Promise<void> | null = null;
  let flushing: Promise<void> | null = null;
  let failure: Error | null = null;

  function newFilling(): Filling {
    const block = hash.room();
    if (block === null) throw new Error("more came than there was room for");
    const { promise: whenWritten, resolve: wasWritten } = whenTold();
    const filling = { block, wasWritten, whenWritten, isFull: false };
    const made = { ...filling, filled: 0, written: 0 };
    fillings.push(made);
    return made;
  }

  async function writeOn(): Promise<void> {
    for (let first = fillings[0]; first && failure === null;) {
      const { block, filled, written } = first;
      if (written < filled) {
        const length = filled - written;
        const { bytesWritten } = await file.write(block, written, length, at);
        first.written += bytesWritten;
        at += bytesWritten;
        flushSometimes();
      } else if (first.isFull) {
        first.wasWritten();
        fillings.shift();
        first = fillings[0];
      } else return;
    }
  }

  function flushSometimes(): void {
    if (at < flushAt || flushing !== null) return;
    flushAt = at + flushEveryBytes;
    flushing = file
      .datasync()
      .catch(noteFailure)
      .finally(() => {
        flushing = null;
      });
  }

  function noteFailure(error: unknown): void {
    failure ??= error as Error;
    // Nobody waits for a disk that takes nothing.
    for (const { wasWritten } of fillings) wasWritten();
  }

  function write(): Promise<void> {
    writing ??= writeOn()
      .catch(noteFailure)
      .finally(() => {
        writing = null;
      });
    return writing;
  }

  function throwFailure(): void {
    if (failure !== null) throw failure;
  }

  function close(filling: Filling): void {
    filling.isFull = true;
    hash.take(filling.block, filling.filled, filling.whenWritten);
  }

  /** The next block is always at hand: the connection waits one block early. */
  function nextBlock(): Promise<void> | null {
    close(last);
    last = newFilling();
    return hash.hasRoom() ? null : hash.whenRoom().then(throwFailure);
  }

  return {
    room: () => last.block.subarray(last.filled),
    took: (bytes) => {
      throwFailure();
      last.filled += bytes;
      const isFull = last.filled === last.block.length;
      const wait = isFull ? nextBlock() : null;
      if (isFull || isGoneOnWith) write().catch(noteFailure);
      return wait;
    },
    end: async () => {
      if (!last.isFull) close(last);
      while (fillings.length > 0 && failure === null) await write();
      while (flushing !== null) await flushing;
      throwFailure();
    },
  };
}

function whenTold() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((told) => {
    resolve = told;
  });
  return { promise, resolve };
}
