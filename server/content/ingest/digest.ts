// Computes the hashes of stored bytes in one pass: MD5, and the signature by which command-line clients compare files.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

export interface Digest {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** A protobuf message of hashes as hex, byte for byte what clients compute for the same content (V4-222). */
  readonly signature: string;
  readonly sizeBytes: number;
}

/** Block size of a signature. */
const pieceBytes = 512 * 1024;

export async function digestFile(file: string): Promise<Digest> {
  const md5 = createHash("md5");
  const fullHash = createHash("sha256");
  const ofPieces = createHash("sha256");
  const entries: Buffer[] = [];
  let sizeBytes = 0;
  // Each chunk is one block: the file stream fills every chunk to its high-water mark except the last.
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

/** A bytes field in protocol buffer encoding. */
function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** The second field of a block: its offset, written even when it is 0. */
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
