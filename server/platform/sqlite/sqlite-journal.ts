// Detects damage in the middle of an SQLite journal (WAL): SQLite silently ignores everything that was written after it.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const headBytes = 32;
const frameHeadBytes = 24;
const littleEndian = 0x377f0682;
/** Reading this much takes at most half a second. */
const maxBytes = 256 * 1024 ** 2;

type Sum = readonly [number, number];

/** Number of pages written after the first unreadable one; 0 when the journal is intact, or only ends early. */
export function pagesBehindDamage(journal: string): number {
  let file: number;
  try {
    file = openSync(journal, "r");
  } catch {
    return 0;
  }
  try {
    return countBehind(file);
  } finally {
    closeSync(file);
  }
}

function countBehind(file: number): number {
  const head = Buffer.alloc(headBytes);
  if (readSync(file, head, 0, headBytes, 0) < headBytes) return 0;
  const isLittle = head.readUInt32BE(0) === littleEndian;
  const size = head.readUInt32BE(8);
  // A page size that SQLite never uses: the check of the database itself reports it.
  if (size < 512 || size > 65_536 || (size & (size - 1)) !== 0) return 0;
  const sumOf = (bytes: Buffer, from: Sum): Sum =>
    checksum(bytes, from, isLittle);
  const storedIn = (bytes: Buffer, at: number): Sum => [
    bytes.readUInt32BE(at),
    bytes.readUInt32BE(at + 4),
  ];
  const headSum = sumOf(head.subarray(0, 24), [0, 0]);
  let isIntact = isSame(headSum, storedIn(head, 24));
  let before = storedIn(head, 24);
  let salts: Sum | null = isIntact ? storedIn(head, 16) : null;
  let behind = 0;
  const frame = Buffer.alloc(frameHeadBytes + size);
  const end = Math.min(fstatSync(file).size, maxBytes);
  for (let at = headBytes; at + frame.length <= end; at += frame.length) {
    if (readSync(file, frame, 0, frame.length, at) < frame.length) break;
    // With a damaged header, the first page determines which pages belong together.
    salts ??= storedIn(frame, 8);
    const stored = storedIn(frame, 16);
    const sum = sumOf(
      frame.subarray(frameHeadBytes),
      sumOf(frame.subarray(0, 8), before),
    );
    // Pages with other salts are left from before the journal was restarted.
    const isNext = isSame(storedIn(frame, 8), salts) && isSame(sum, stored);
    if (!isNext) isIntact = false;
    else if (!isIntact) behind += 1;
    before = stored;
  }
  return behind;
}

function isSame(one: Sum, other: Sum): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** SQLite's checksum, over pairs of 32-bit numbers. */
function checksum(bytes: Buffer, [first, second]: Sum, isLittle: boolean): Sum {
  let [one, two] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    const left = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const right = isLittle
      ? bytes.readUInt32LE(at + 4)
      : bytes.readUInt32BE(at + 4);
    one = (one + left + two) >>> 0;
    two = (two + right + one) >>> 0;
  }
  return [one, two];
}
