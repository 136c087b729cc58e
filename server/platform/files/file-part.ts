// Bytes that come in pieces: a file aside under a lasting name, filled at offsets, hashed when it is whole.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Bytes that came in whole but are not yet kept. */
export interface Aside {
  readonly path: string;
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** All of them, where they are few and still at hand. */
  readonly bytes?: Uint8Array | undefined;
  /** What is shown in their place, in a file of its own; it is kept and discarded with them. */
  readonly shownPath?: string | undefined;
}

export interface FilePart {
  readonly path: string;
  /** Throws where the reserve of its disk would be touched. */
  assertDiskSpace(): Promise<void>;
  /** Bytes up to the last one written; 0 when there are none. */
  sizeBytes(): Promise<number>;
  /** Writes from this offset on, at most so many bytes; answers how many came. More than that is `false`. */
  write(source: Readable, at: number, maxBytes: number): Promise<Written>;
  truncate(sizeBytes: number): Promise<void>;
  /** Flushes and hashes what is there; the part itself becomes the bytes aside. */
  finish(): Promise<Aside>;
  discard(): Promise<void>;
}

export interface Written {
  readonly bytes: number;
  /** The source had more than allowed; what was over is not written. */
  readonly isOver: boolean;
}

/** How often the free space is looked at while bytes come in. */
const checkIntervalBytes = 8 * 1024 * 1024;

export function openFilePart(
  path: string,
  assertDiskSpace: () => Promise<void>,
): FilePart {
  return {
    ...{ path, assertDiskSpace },
    sizeBytes: () =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    write: async (source, at, maxBytes) => {
      await assertDiskSpace();
      // "r+" keeps what other pieces wrote; "a" makes the file where there is none.
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
    finish: async () => {
      const file = await open(path, "r+");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      const { size } = await stat(path);
      return { path, hash: hash.digest("hex"), sizeBytes: size };
    },
    discard: () => rm(path, { force: true }),
  };
}
