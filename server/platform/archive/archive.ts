// Streams .tar.gz archives: writes them with constant memory, and reads them strictly, without guessing anything.

import { createReadStream } from "node:fs";
import { Readable, pipeline } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { Header, Pax } from "tar";
import { OutsideError, systemCode } from "../outside-error.ts";
import type { Place } from "../files/raw-path.ts";
import { readableText } from "../text/readable-text.ts";

export interface ArchiveMember {
  readonly path: string;
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Already compressed: compressing it again takes ten times as long and gains nothing. */
  readonly isDense?: boolean;
}

/** A member as it arrives; its content is read, or skipped, before the next one. */
export interface ArrivingMember extends ArchiveMember {
  readonly kind: "file" | "folder";
  readonly content: AsyncIterable<Buffer>;
}

const blockBytes = 512;
const chunkBytes = 64 * 1024;
/** Names and times of one member; a valid header is never longer. */
const maxExtensionBytes = 64 * 1024;
/** Writers pad their last record with zeros; the largest record in use is half of this. */
const maxPaddingBytes = 1024 * 1024;

/** Opened only when it is read: a file that cannot be opened fails its reader, and nothing else that runs. */
export async function* bytesOfFile(path: Place): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** As a stream that is packed while it is read; an error on the way destroys it. */
export function packArchive(
  members: AsyncIterable<ArchiveMember>,
  moment: number,
): Readable {
  return Readable.from(packed(members, moment), { objectMode: false });
}

/** Consecutive members of one kind share a gzip part; every reader treats consecutive parts as one file. */
async function* packed(
  members: AsyncIterable<ArchiveMember>,
  moment: number,
): AsyncGenerator<Uint8Array> {
  const source = members[Symbol.asyncIterator]();
  let next = await source.next();

  async function* blocksOfRun(isDense: boolean): AsyncGenerator<Uint8Array> {
    while (!next.done && isDense === (next.value.isDense ?? false)) {
      yield* blocksOf(next.value, moment);
      next = await source.next();
    }
    if (next.done) yield Buffer.alloc(2 * blockBytes);
  }

  try {
    while (!next.done) {
      const isDense = next.value.isDense ?? false;
      // Level 1 for the rest: it is small, and a backup should mainly be fast.
      const gzip = createGzip({
        level: isDense ? 0 : 1,
        chunkSize: chunkBytes,
      });
      pipeline(Readable.from(blocksOfRun(isDense)), gzip, () => undefined);
      yield* gzip as AsyncIterable<Uint8Array>;
    }
  } finally {
    await source.return?.();
  }
}

async function* blocksOf(
  { path, sizeBytes, content }: ArchiveMember,
  moment: number,
): AsyncGenerator<Uint8Array> {
  const header = new Header({
    path,
    size: sizeBytes,
    mode: 0o644,
    type: "File",
    mtime: new Date(moment),
  });
  if (header.encode()) throw new Error("a member has an invalid header");
  yield header.block as Uint8Array;
  let written = 0;
  for await (const chunk of content) {
    written += chunk.length;
    yield chunk;
  }
  if (written !== sizeBytes)
    throw new OutsideError(
      "corrupt",
      `${path} has ${written} bytes instead of ${sizeBytes}.`,
    );
  const padding = paddingOf(sizeBytes);
  if (padding > 0) yield Buffer.alloc(padding);
}

/**
 * Throws `corrupt` at the first invalid byte: not gzip, not tar, truncated, a link, a device. The rest of the source is read and
 * discarded, so that its sender can read the response.
 */
export async function* readArchive(
  source: Readable,
): AsyncGenerator<ArrivingMember> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  const breakOff = (): void => {
    gunzip.destroy(
      new OutsideError("broken-off", "The archive was interrupted."),
    );
  };
  source.once("error", breakOff).once("close", () => {
    if (!source.readableEnded) breakOff();
  });
  // It may already have been destroyed before the listener was added.
  if (source.destroyed) breakOff();
  const bytes = readBytes(gunzip);
  source.pipe(gunzip);
  try {
    let extension: Pax | undefined;
    for (;;) {
      const block = await bytes.take(blockBytes);
      if (block.every((byte) => byte === 0)) break;
      const header = headerOf(block, extension);
      const sizeBytes = header.size ?? 0;
      if (isExtension(header.type)) {
        if (sizeBytes > maxExtensionBytes) throw noTar();
        const extensionBytes = await bytes.take(sizeBytes);
        await bytes.take(paddingOf(sizeBytes));
        extension = extensionOf(header.type, extensionBytes, extension);
        continue;
      }
      const path =
        extension?.path === undefined
          ? pathOf(header, block)
          : (header.path ?? "");
      extension = undefined;
      const content = bytes.part(sizeBytes);
      yield { path, kind: kindOf(header.type, path), sizeBytes, content };
      await passOver(content);
      await bytes.take(paddingOf(sizeBytes));
    }
    if (extension) throw noTar();
    for await (const chunk of bytes.part(maxPaddingBytes, true))
      if (chunk.some((byte) => byte !== 0)) throw noTar();
    await bytes.assertEnd();
  } finally {
    source.unpipe(gunzip);
    gunzip.destroy();
    source.resume();
  }
}

function headerOf(block: Buffer, extension: Pax | undefined): Header {
  const header = decoded(block, extension);
  if (!header?.cksumValid || !Number.isSafeInteger(header.size ?? 0))
    throw noTar();
  return header;
}

function decoded(block: Buffer, extension: Pax | undefined): Header | null {
  try {
    return new Header(block, 0, extension);
  } catch {
    // For a number in an unknown notation.
    return null;
  }
}

function isExtension(type: string): boolean {
  return type === "ExtendedHeader" || type === "NextFileHasLongPath";
}

/** Each kind of extension once per member: a chain of them could be endless. */
function extensionOf(
  type: string,
  extensionBytes: Buffer,
  before: Pax | undefined,
): Pax {
  if (type === "ExtendedHeader") {
    if (before) throw noTar();
    return Pax.parse(extensionBytes.toString("utf8"));
  }
  if (before?.path !== undefined) throw noTar();
  return new Pax({ ...before, path: textUntilNul(extensionBytes) });
}

/**
 * The tar library decodes a path that is not UTF-8 with replacement characters, so that two different paths could become the same
 * (V2-373).
 */
function pathOf({ path = "" }: Header, block: Buffer): string {
  if (!path.includes("\ufffd")) return path;
  const name = textUntilNul(block.subarray(0, 100));
  const hasPrefix = block.toString("latin1", 257, 265) === "ustar\u000000";
  const length = block[475] === 0 ? 130 : 155;
  const prefix = hasPrefix
    ? textUntilNul(block.subarray(345, 345 + length))
    : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textUntilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return readableText(end < 0 ? bytes : bytes.subarray(0, end));
}

function kindOf(type: string, path: string): ArrivingMember["kind"] {
  if (type === "File" || type === "OldFile") return "file";
  if (type === "Directory") return "folder";
  throw new OutsideError(
    "corrupt",
    `The archive contains an entry that is neither a file nor a folder: ${path.slice(0, 100)}`,
  );
}

function paddingOf(sizeBytes: number): number {
  return (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
}

async function passOver(content: AsyncGenerator<Buffer>): Promise<void> {
  for (let next = await content.next(); !next.done;)
    next = await content.next();
}

/** Reads exact amounts from a stream that arrives in chunks of any size. */
function readBytes(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Up to this many of the next bytes; none at the end. */
  async function next(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const read = await chunks.next().catch((error: unknown) => {
        throw translated(error);
      });
      if (read.done === true) return rest;
      rest = read.value;
    }
    const portion = rest.subarray(0, most);
    rest = rest.subarray(portion.length);
    return portion;
  }

  async function* part(
    length: number,
    mayEnd = false,
  ): AsyncGenerator<Buffer, void> {
    for (let left = length; left > 0;) {
      const portion = await next(left);
      if (portion.length === 0 && mayEnd) return;
      if (portion.length === 0) throw cutOff();
      left -= portion.length;
      yield portion;
    }
  }

  return {
    part,
    take: async (length: number): Promise<Buffer> => {
      const portions: Buffer[] = [];
      for await (const portion of part(length)) portions.push(portion);
      return Buffer.concat(portions);
    },
    assertEnd: async (): Promise<void> => {
      if ((await next(1)).length > 0) throw noTar();
    },
  };
}

const noTar = (): OutsideError =>
  new OutsideError(
    "corrupt",
    "The file is not a tar archive, or it is damaged.",
  );
const cutOff = (): OutsideError =>
  new OutsideError("corrupt", "The archive is incomplete.");

function translated(error: unknown): unknown {
  switch (systemCode(error)) {
    case "Z_BUF_ERROR":
      return cutOff();
    case "Z_DATA_ERROR":
    case "Z_NEED_DICT":
      return new OutsideError(
        "corrupt",
        "The file is not a gzip archive, or it is damaged.",
        error,
      );
    default:
      return error;
  }
}
