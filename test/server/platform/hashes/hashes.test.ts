// Hashes of bytes that arrive in pieces, computed here and in a thread.

import { createHash, randomFillSync } from "node:crypto";
import { expect, it } from "vitest";
import type { Hashes } from "../../../../server/platform/hashes/digests.ts";
import {
  createHashes,
  threadFromBytes,
} from "../../../../server/platform/hashes/hashes.ts";
import {
  blockBytes,
  stopHashThread,
} from "../../../../server/platform/hashes/threaded-hashes.ts";

const bytes = randomFillSync(Buffer.alloc(9 * blockBytes + 4711));

const digestsOf = (content: Buffer) => ({
  md5: createHash("md5").update(content).digest("hex"),
  sha256: createHash("sha256").update(content).digest("hex"),
  sizeBytes: content.length,
});

async function feed(hashes: Hashes, content: Buffer, pieceBytes: number) {
  for (let at = 0; at < content.length; at += pieceBytes) {
    // The same memory for every piece.
    const piece = Buffer.from(content.subarray(at, at + pieceBytes));
    await hashes.update(piece);
    piece.fill(0);
  }
}

it.each([
  ["a small file", 0],
  ["a large file, in a thread", threadFromBytes],
])(
  "%s has the same hashes whatever the pieces",
  async (_title, expectedBytes) => {
    for (const length of [0, 1, blockBytes, 2 * blockBytes + 1, bytes.length])
      for (const pieceBytes of [
        ...[8191, 65_536, blockBytes, 3 * blockBytes + 5],
      ]) {
        const content = bytes.subarray(0, length);
        const hashes = createHashes(expectedBytes);
        await feed(hashes, content, pieceBytes);
        expect(await hashes.digests()).toEqual(digestsOf(content));
      }
  },
);

it("many large files at once do not mix, and one that is closed halfway does not hold the others up", async () => {
  const lengths = Array.from({ length: 8 }, (_, n) => blockBytes * n + n);
  const abandoned = createHashes(threadFromBytes);
  await feed(abandoned, bytes.subarray(0, 3 * blockBytes), 65_536);
  abandoned.close();
  const all = lengths.map(async (length) => {
    const content = bytes.subarray(bytes.length - length);
    const hashes = createHashes(threadFromBytes);
    await feed(hashes, content, 65_536 + length);
    return hashes.digests();
  });
  expect(await Promise.all(all)).toEqual(
    lengths.map((length) => digestsOf(bytes.subarray(bytes.length - length))),
  );
});

it("a thread that ends fails the files that it was reading, and the next file has another one", async () => {
  const broken = createHashes(threadFromBytes);
  await broken.update(bytes.subarray(0, 10));
  await stopHashThread();
  await expect(broken.update(bytes)).rejects.toThrow("has ended");
  await expect(broken.digests()).rejects.toThrow("has ended");
  broken.close();

  const next = createHashes(threadFromBytes);
  await feed(next, bytes, 65_536);
  expect(await next.digests()).toEqual(digestsOf(bytes));
});
