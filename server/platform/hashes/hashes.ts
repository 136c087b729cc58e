// MD5, which services declare, and SHA-256, which the store uses, of bytes that arrive in pieces.

import { createHash } from "node:crypto";
import { hashInThread } from "./threaded-hashes.ts";

export interface Digests {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface Hashes {
  /** The bytes may be reused afterwards. Where it returns a promise, the next call has to wait for it. */
  update(bytes: Uint8Array): Promise<void> | null;
  /** Of all bytes so far; nothing can follow. */
  digests(): Promise<Digests>;
  /** Without a result; needless after `digests`. */
  close(): void;
}

/** A gigabyte takes two seconds, during which nothing else would run; a thread of its own is worth its start from here on. */
export const threadFromBytes = 8 * 1024 * 1024;

export function createHashes(expectedBytes: number): Hashes {
  return expectedBytes < threadFromBytes ? hashHere() : hashInThread();
}

function hashHere(): Hashes {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  let sizeBytes = 0;
  return {
    update: (bytes) => {
      md5.update(bytes);
      sha256.update(bytes);
      sizeBytes += bytes.length;
      return null;
    },
    digests: () =>
      Promise.resolve({
        md5: md5.digest("hex"),
        sha256: sha256.digest("hex"),
        sizeBytes,
      }),
    close: () => undefined,
  };
}
