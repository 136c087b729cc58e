// Hashes of bytes that arrive in pieces: computed at once, or by a thread where there are many.

import { createHash } from "node:crypto";
import type { Hashes } from "./digests.ts";
import { hashInThread } from "./threaded-hashes.ts";

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
