// Sends a file to another player of the site, also while it is still growing: what is there, and then what arrives.

import { open, type FileHandle } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { systemCode } from "../../../platform/outside-error.ts";
import type { Rate } from "../../../platform/http/transfer-rate.ts";

/** A file as it can be sent at this moment. */
export interface SentFile {
  readonly path: () => string;
  readonly totalBytes: number;
  /** The content service's, with which another player resumes it there. */
  readonly validator: () => string | null;
  /** Bytes that can be read now; null: it is no longer the same file. */
  readonly readable: () => number | null;
  /** More is to come: `changed` resolves then, or after a while. */
  readonly isGrowing: () => boolean;
  readonly changed: (signal: AbortSignal) => Promise<void>;
  /** All bytes before this offset were passed to the network. */
  readonly onSent: (offset: number) => void;
}

export interface SendOptions {
  readonly response: ServerResponse;
  /** Offset of the first byte. */
  readonly from: number;
  /** What the client has was received with this validator. */
  readonly knownValidator: string | undefined;
  readonly rate: Rate;
}

const chunkBytes = 64 * 1024;

/** False: there is nothing to send. With less than announced, the connection breaks off. */
export async function sendGrowingFile(
  file: SentFile,
  options: SendOptions,
): Promise<boolean> {
  const { response, from, knownValidator } = options;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  if (!(await untilReadable(file, from, gone.signal))) return false;
  const handle = await openToRead(file.path());
  if (handle === null) return false;
  try {
    response.writeHead(from > 0 ? 206 : 200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": file.totalBytes - from,
      ...(from > 0 && {
        "Content-Range": `bytes ${from}-${file.totalBytes - 1}/${file.totalBytes}`,
      }),
      // The hash says that it is the same file, whatever server its first bytes came from.
      ...validatorHeader(knownValidator ?? file.validator()),
    });
    if (await sendAll(file, handle, options, gone.signal)) response.end();
    else response.destroy();
  } finally {
    await handle.close();
  }
  return true;
}

/** False: there is no byte at this offset, and none is to come. */
async function untilReadable(
  file: SentFile,
  at: number,
  gone: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const readable = file.readable();
    if (gone.aborted || readable === null) return false;
    if (readable > at) return true;
    if (!file.isGrowing()) return false;
    await file.changed(gone);
  }
}

async function sendAll(
  file: SentFile,
  handle: FileHandle,
  { response, from, rate }: SendOptions,
  gone: AbortSignal,
): Promise<boolean> {
  let at = from;
  while (at < file.totalBytes) {
    if (!(await untilReadable(file, at, gone))) return false;
    const bytes = Math.min(chunkBytes, (file.readable() ?? at) - at);
    const chunk = Buffer.allocUnsafe(bytes);
    const { bytesRead } = await handle.read(chunk, 0, bytes, at);
    // It is shorter than it should be, or was replaced while it was read.
    if (bytesRead === 0 || file.readable() === null) return false;
    await rate.take(bytesRead);
    if (!response.write(chunk.subarray(0, bytesRead)))
      await drained(response, gone);
    at += bytesRead;
    file.onSent(at);
  }
  return true;
}

async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    // Moved or deleted a moment ago, or too many files are open.
    if (systemCode(error) !== undefined) return null;
    throw error;
  }
}

function validatorHeader(validator: string | null): Record<string, string> {
  if (validator === null) return {};
  return validator.startsWith('"')
    ? { ETag: validator }
    : { "Last-Modified": validator };
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off("drain", end);
      gone.removeEventListener("abort", end);
      resolve();
    };
    response.on("drain", end);
    if (gone.aborted) end();
    else gone.addEventListener("abort", end, { once: true });
  });
}
