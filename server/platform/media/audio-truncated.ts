// Detects a truncated audio file from the lengths and checksums of its own format. Runs only in the media process.

import { open, type FileHandle } from "node:fs/promises";

type Read = (at: number, length: number) => Promise<Buffer>;
type Check = (read: Read, sizeBytes: number) => Promise<boolean>;

/** `type` is one from the list of playable types; false when its format declares nothing. */
export async function isAudioTruncated(
  file: string,
  type: string,
): Promise<boolean> {
  const check = checks[type];
  if (!check) return false;
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    return await check(readerOf(handle), size);
  } finally {
    await handle.close();
  }
}

const checks: Readonly<Record<string, Check>> = {
  "audio/ogg": isOggBroken,
  "audio/ogg; codecs=opus": isOggBroken,
  "audio/wav": isWavCut,
  "audio/mpeg": isMp3Cut,
  "audio/aac": isAdtsCut,
};

const maxFrameBytes = 1441;
/** Reads ahead: the smallest frames are a hundred bytes. */
const windowBytes = 1024 * 1024;

/** Returns less than requested at the end of the file. */
function readerOf(handle: FileHandle): Read {
  let window: Buffer = Buffer.alloc(0);
  let from = 0;
  return async (at, length) => {
    if (at < from || at + length > from + window.length) {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.max(length, windowBytes)),
        0,
        Math.max(length, windowBytes),
        at,
      );
      window = buffer.subarray(0, bytesRead);
      from = at;
    }
    return window.subarray(at - from, at - from + length);
  };
}

/** Each page declares its length and a checksum of its bytes. */
async function isOggBroken(read: Read, sizeBytes: number): Promise<boolean> {
  let hasEnded = false;
  for (let at = 0; at < sizeBytes;) {
    const head = await read(at, 27);
    // Bytes after the last page are not part of the audio.
    if (head.length < 27 || head.toString("latin1", 0, 4) !== "OggS")
      return !hasEnded;
    const lacing = await read(at + 27, head.readUInt8(26));
    const length = 27 + lacing.length + lacing.reduce((a, b) => a + b, 0);
    const page = Buffer.from(await read(at, length));
    if (page.length < length) return true;
    const sum = page.readUInt32LE(22);
    page.writeUInt32LE(0, 22);
    if (oggSum(page) !== sum) return true;
    hasEnded = (page.readUInt8(5) & 4) !== 0;
    at += length;
  }
  return false;
}

const oggTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit += 1)
    sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum;
});

/** CRC-32 as in Ogg: bits are not reversed, and it starts with 0. */
function oggSum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes)
    sum = (sum << 8) ^ (oggTable[((sum >>> 24) ^ byte) & 0xff] ?? 0);
  return sum >>> 0;
}

async function isWavCut(read: Read, sizeBytes: number): Promise<boolean> {
  const head = await read(0, 12);
  if (head.length < 12 || head.toString("latin1", 0, 4) !== "RIFF")
    return false;
  const declaredBytes = head.readUInt32LE(4);
  // A stream writer did not know the length; the last byte may be padding.
  return declaredBytes < 0x7ff00000 && declaredBytes + 7 > sizeBytes;
}

/** Most encoders write the number of bytes into the first frame. */
async function isMp3Cut(read: Read, sizeBytes: number): Promise<boolean> {
  const at = await endOfTag(read);
  const frame = await read(at, 200);
  const place = ["Xing", "Info"]
    .map((word) => frame.indexOf(word, 0, "latin1"))
    .find((found) => found > 0);
  if (place === undefined || frame.length < place + 16) return false;
  const flags = frame.readUInt32BE(place + 4);
  if ((flags & 2) === 0) return false;
  const bytes = frame.readUInt32BE(place + 8 + (flags & 1 ? 4 : 0));
  // Some count the tag, too, or omit the last frame.
  return bytes !== sizeBytes && at + bytes > sizeBytes + maxFrameBytes;
}

/** After the ID3 tag that may precede the first frame. */
async function endOfTag(read: Read): Promise<number> {
  const head = await read(0, 10);
  if (head.length < 10 || head.toString("latin1", 0, 3) !== "ID3") return 0;
  const size = head
    .subarray(6, 10)
    .reduce((all, byte) => all * 128 + (byte & 0x7f), 0);
  return 10 + size;
}

/** Each frame declares its length. */
async function isAdtsCut(read: Read, sizeBytes: number): Promise<boolean> {
  for (let at = await endOfTag(read); at < sizeBytes;) {
    const head = await read(at, 6);
    if (head.length > 1 && (head.readUInt16BE(0) & 0xfff6) !== 0xfff0)
      return false;
    if (head.length < 6) return true;
    const length = (head.readUIntBE(3, 3) >> 5) & 0x1fff;
    if (length < 7) return false;
    at += length;
    if (at > sizeBytes) return true;
  }
  return false;
}
