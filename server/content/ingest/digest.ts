// Hashes of stored bytes, in one reading: MD5, and the signature that command-line clients compare files by.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

export interface Digest {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** A message of hashes as hex, letter by letter what clients make of the same bytes (V4-222). */
  readonly signature: string;
  readonly sizeBytes: number;
}

/** The pieces a signature is made of. */
const pieceBytes = 512 * 1024;

export async function digestFile(file: string): Promise<Digest> {
  const md5 = createHash("md5");
  const fullHash = createHash("sha256");
  const ofPieces = createHash("sha256");
  const entries: Buffer[] = [];
  let sizeBytes = 0;
  // A chunk is a piece: a stream of files fills each to its mark but the last.
  let piece = createHash("sha1");
  let pieceAt = 0;

  function endPiece(): void {
    const hash = piece.digest();
    ofPieces.update(hash);
    entries.push(
      message(3, Buffer.concat([message(1, hash), offset(pieceAt)])),
    );
    pieceAt = sizeBytes;
    piece = createHash("sha1");
  }

  for await (const chunk of createReadStream(file, {
    highWaterMark: pieceBytes,
  }) as AsyncIterable<Buffer>) {
    md5.update(chunk);
    fullHash.update(chunk);
    for (let from = 0; from < chunk.length;) {
      const freeBytes = pieceAt + pieceBytes - sizeBytes;
      const part = chunk.subarray(from, from + freeBytes);
      piece.update(part);
      sizeBytes += part.length;
      from += part.length;
      if (sizeBytes === pieceAt + pieceBytes) endPiece();
    }
  }
  if (sizeBytes > pieceAt) endPiece();
  const signature = Buffer.concat([
    message(1, fullHash.digest()),
    message(2, ofPieces.digest()),
    ...entries,
  ]);
  return {
    md5: md5.digest("hex"),
    signature: signature.toString("hex"),
    sizeBytes,
  };
}

/** A field of bytes, as protocol buffers write it. */
function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** The second field of a piece: where it begins, the first one's zero included. */
function offset(at: number): Buffer {
  return Buffer.concat([varint(2 << 3), varint(at)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 0x7f) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.from([...bytes, left]);
}
