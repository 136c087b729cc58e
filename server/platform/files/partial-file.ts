// Partial file: bytes that arrive in pieces, written at offsets under a lasting name, and hashed when all have arrived.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Bytes that have arrived completely but are not stored yet. */
export interface Aside {
  readonly path: string;
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** All bytes, if they are few and still in memory. */
  readonly bytes?: Uint8Array | undefined;
  /** The rendition that is shown in their place, in a file of its own; it is stored and discarded with them. */
  readonly shownPath?: string | undefined;
}

export interface FilePart {
  readonly path: string;
  /** Throws when the reserve of its disk would be used up. */
  assertDiskSpace(): Promise<void>;
  /** End of the last byte written; 0 when there are none. */
  sizeBytes(): Promise<number>;
  /** Writes from this offset on, up to the maximum; returns how many bytes arrived, and whether there were more. */
  write(source: Readable, at: number, maxBytes: number): Promise<Written>;
  truncate(sizeBytes: number): Promise<void>;
  /** What was written so far survives a power cut. */
  flush(): Promise<void>;
  /** Flushes and hashes the content; the partial file itself becomes the temporary file. */
  finish(): Promise<Aside>;
  discard(): Promise<void>;
}

export interface Written {
  readonly bytes: number;
  /** The source had more than allowed; the surplus is not written. */
  readonly isOver: boolean;
}

/** How often the free space is checked while bytes arrive. */
const checkIntervalBytes = 8 * 1024 * 1024;

export function openFilePart(
  path: string,
  assertDiskSpace: () => Promise<void>,
): FilePart {
  async function flush(): Promise<void> {
    const file = await open(path, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }

  return {
    ...{ path, assertDiskSpace },
    sizeBytes: () =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    write: async (source, at, maxBytes) => {
      await assertDiskSpace();
      // "r+" keeps what other pieces wrote; "a" creates a missing file.
      await (await open(path, "a")).close();
      const file = await open(path, "r+");
      let bytes = 0;
      let nextCheckAt = checkIntervalBytes;
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          const taken = chunk.subarray(0, maxBytes - bytes);
          for (let done = 0; done < taken.length;) {
            const { bytesWritten } = await file.write(
              taken,
              done,
              taken.length - done,
              at + bytes + done,
            );
            done += bytesWritten;
          }
          bytes += taken.length;
          if (taken.length < chunk.length) return { bytes, isOver: true };
          if (bytes > nextCheckAt) {
            nextCheckAt = bytes + checkIntervalBytes;
            await assertDiskSpace();
          }
        }
        return { bytes, isOver: false };
      } finally {
        await file.close();
      }
    },
    truncate: async (sizeBytes) => {
      const file = await open(path, "a");
      try {
        await file.truncate(sizeBytes);
      } finally {
        await file.close();
      }
    },
    flush,
    finish: async () => {
      await flush();
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      const { size } = await stat(path);
      return { path, hash: hash.digest("hex"), sizeBytes: size };
    },
    discard: () => rm(path, { force: true }),
  };
}
