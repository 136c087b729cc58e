// Reads a zip file as a series of members, strictly, without guessing anything.

import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import type { ArrivingMember } from "./archive.ts";
import { OutsideError } from "../outside-error.ts";

const zipStart = Buffer.from("PK\u0003\u0004", "latin1");
const gzipStart = Buffer.from([0x1f, 0x8b]);

/** Kind of an archive by its first bytes; null for neither. The bytes are read from the file unless they are passed in. */
export async function archiveKindOf(
  file: string,
  bytes?: Uint8Array,
): Promise<"zip" | "gzip" | null> {
  const first = Buffer.from(
    bytes?.subarray(0, 4) ?? (await firstBytes(file, 4)),
  );
  if (first.equals(zipStart)) return "zip";
  return first.subarray(0, 2).equals(gzipStart) ? "gzip" : null;
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Throws `corrupt` at the first invalid entry: a link, an encrypted file, a path that leads outside. */
export async function* readZip(file: string): AsyncGenerator<ArrivingMember> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(file, {
    autoClose: false,
    strictFileNames: true,
  }).catch((error: unknown) => {
    throw damaged(error);
  });
  try {
    for await (const entry of entriesOf(zip)) {
      const path = entry.fileName;
      yield {
        path,
        kind: kindOf(entry),
        sizeBytes: entry.uncompressedSize,
        content: contentOf(zip, entry),
      };
    }
  } finally {
    zip.close();
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw damaged(error);
  }
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    const bytes: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of bytes) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw damaged(error);
  }
  // The library compares only lengths.
  if (sum !== entry.crc32) throw damaged(new Error("checksum mismatch"));
}

const unixSystem = 3;
const kindBits = 0o170000;
const plainFile = 0o100000;
const folder = 0o040000;

function kindOf(entry: Entry): ArrivingMember["kind"] {
  const { fileName, versionMadeBy, externalFileAttributes } = entry;
  const isUnix = versionMadeBy >>> 8 === unixSystem;
  const kind = isUnix ? (externalFileAttributes >>> 16) & kindBits : 0;
  if (kind !== 0 && kind !== plainFile && kind !== folder)
    throw new OutsideError(
      "corrupt",
      `The archive contains an entry that is neither a file nor a folder: ${fileName.slice(0, 100)}`,
    );
  if (entry.isEncrypted())
    throw new OutsideError("corrupt", "The archive is encrypted.");
  return fileName.endsWith("/") ? "folder" : "file";
}

/** An error of the zip library is about the file; an error of the disk is not. */
function damaged(error: unknown): unknown {
  if (error instanceof OutsideError) return error;
  const code = (error as { code?: unknown }).code;
  const isDisks = typeof code === "string" && /^E[A-Z]+$/.test(code);
  return isDisks
    ? error
    : new OutsideError(
        "corrupt",
        "The file is not a zip archive, or it is damaged.",
        error,
      );
}
