// Resumable download into a file: continues where it broke off, hashes the bytes on the way, and flushes them to disk at the end.

import { createReadStream } from "node:fs";
import { open, stat, truncate, type FileHandle } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Duplex, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  requestHttp,
  type HttpRequestOptions,
  type HttpAnswer,
} from "./client.ts";
import type { Digests } from "../hashes/digests.ts";
import { createHashes } from "../hashes/hashes.ts";
import { OutsideError, systemCode } from "../outside-error.ts";

/** What is final, the rate, the limits and the target: the caller's policy. */
export interface DownloadOptions {
  readonly request: Omit<HttpRequestOptions, "method" | "body">;
  readonly path: string;
  /** Number of bytes in the partial file. */
  readonly had: number;
  /** The server's validator for them; null when they cannot be resumed. */
  readonly validator: string | null;
  /** A response that doesn't begin where the partial file ends is refused, and the file kept, with an UnexpectedHeadError. */
  readonly isRestOnly?: boolean;
  /** Called when the partial file was read, and the request is sent. */
  readonly requested?: () => void;
  /** Bytes beyond this are rejected. */
  readonly maxBytes: number;
  /**
   * Checks the head of the response before a byte is written; an error that it throws ends the download, and so does false, without
   * an error. If `from` is 0, the existing partial file no longer counts.
   */
  readonly begin: (head: DownloadHead) => Promise<boolean>;
  /** Throws when the disk is full. */
  readonly assertDiskSpace: () => Promise<void> | null;
  /** Called with each amount received; the connection waits for its result. */
  readonly took?: (
    bytes: number,
    receivedBytes: number,
  ) => Promise<void> | null;
}

export interface DownloadHead {
  readonly headers: IncomingHttpHeaders;
  /** Unpacked if the server compressed it unasked (V2-673). */
  readonly body: Readable;
  /** Offset of its first byte. */
  readonly from: number;
  /** Of the whole file; null when the server does not declare it. */
  readonly totalBytes: number | null;
  /** A strong entity tag, else the date of the last change; null for a compressed body, which cannot be resumed. */
  readonly validator: string | null;
}

export interface Downloaded extends Digests {
  /** False when some of it was received before. */
  readonly isFromStart: boolean;
  /** False when only the closed connection ended it: the file may be incomplete. */
  readonly isEndDeclared: boolean;
  /** No end was declared, and the bytes are identical to those of the previous attempt. */
  readonly isAsBefore: boolean;
  /** All of them, if they are few. */
  readonly bytes?: Uint8Array | undefined;
}

/** The server responds with something other than the bytes. */
export class AnswerError extends Error {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;

  constructor({ status, headers }: HttpAnswer) {
    super(`its server responded with status ${status}`);
    this.name = "AnswerError";
    this.status = status;
    this.headers = headers;
  }
}

/** The server began to send something that can't be the rest of the file. */
export class UnexpectedHeadError extends Error {
  constructor() {
    super("its server sent something other than the rest of the file");
    this.name = "UnexpectedHeadError";
  }
}

/** More bytes arrived than allowed, or than declared. */
export class TooManyBytesError extends Error {
  readonly wereAnnounced: boolean;

  constructor(wereAnnounced: boolean) {
    super("it sent more bytes than expected");
    this.name = "TooManyBytesError";
    this.wereAnnounced = wereAnnounced;
  }
}

/** How often the free space is checked while bytes arrive. */
const checkIntervalBytes = 8 * 1024 * 1024;
/** Up to this many are returned in memory, so that the file need not be read again. */
const fewBytes = 128 * 1024;

/**
 * Null: `begin` rejected them. Throws AnswerError, UnexpectedHeadError, TooManyBytesError, `broken-off` when fewer bytes arrived than
 * declared, and errors of the connection and the disk; the bytes received so far are kept for the next attempt.
 */
export async function download(
  address: URL,
  options: DownloadOptions,
): Promise<Downloaded | null> {
  // Before the request: a connection that is not read from would be closed.
  const before = isResumable(options)
    ? await hashesOf(options.path)
    : hashesFor(0);
  try {
    options.requested?.();
    return await receiveAfter(before, address, options);
  } finally {
    before.close();
  }
}

function isResumable({ had, validator }: DownloadOptions): boolean {
  return had > 0 && validator !== null;
}

/** `before`: of the partial file, if it can be resumed; else of nothing. */
async function receiveAfter(
  before: FileHashes,
  address: URL,
  options: DownloadOptions,
): Promise<Downloaded | null> {
  const { had, validator, path } = options;
  const isGoneOnWith = isResumable(options);
  const answer = await requestHttp(address, {
    ...options.request,
    headers: {
      // The bytes as they are, to be resumed and hashed (V2-671).
      "Accept-Encoding": "identity",
      ...options.request.headers,
      // Only if the server can confirm that it is still the same file.
      ...(isGoneOnWith &&
        validator !== null && {
          ...{ Range: `bytes=${had}-`, "If-Range": validator },
        }),
    },
  });
  try {
    const start = await startOf(answer, options);
    if (options.isRestOnly && !isRestFrom(start, isGoneOnWith ? had : 0))
      throw new UnexpectedHeadError();
    if (start === "complete")
      return {
        ...(await before.digests()),
        ...{ isFromStart: false, isEndDeclared: true, isAsBefore: false },
      };
    const isFromStart = start.from === 0;
    const isEndDeclared = isEndDeclaredBy(answer, start);
    // When the end is declared, the previous bytes need not be compared.
    const shaBefore =
      isFromStart && had > 0 && !isEndDeclared
        ? await shaOf(
            isGoneOnWith ? before : path,
            answer.body,
            options.request,
          )
        : null;
    if (!(await options.begin(start))) return null;
    const hashes = isFromStart ? hashesFor(start.totalBytes ?? 0) : before;
    try {
      await receive(answer.body, start, hashes, options);
      const digests = await hashes.digests();
      return {
        ...{ ...digests, isFromStart, isEndDeclared },
        isAsBefore: shaBefore === digests.sha256,
        bytes: hashes.bytes(),
      };
    } finally {
      hashes.close();
    }
  } finally {
    answer.body.destroy();
  }
}

/** Hash of the existing file; the connection waits while it is read. */
async function shaOf(
  before: FileHashes | string,
  connection: IncomingMessage,
  { silenceMs }: DownloadOptions["request"],
): Promise<string> {
  let sha = "";
  const read = async (): Promise<void> => {
    const hashes = typeof before === "string" ? await hashesOf(before) : before;
    sha = (await hashes.digests()).sha256;
  };
  await unhurried(connection, silenceMs, read());
  return sha;
}

/** Of an existing file, flushed. */
export async function digestsOf(path: string): Promise<Digests> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
  const hashes = await hashesOf(path);
  return hashes.digests();
}

/**
 * `complete`: the whole body had arrived before it could be read. Throws the server's error when it sends something other than the
 * bytes.
 */
async function startOf(
  answer: HttpAnswer,
  { had, path, validator, isRestOnly }: DownloadOptions,
): Promise<DownloadHead | "complete"> {
  const { status, headers, body } = answer;
  const head = { headers, body, validator: validatorOf(headers) };
  const unpacker = unpackerOf(headers);
  if (status === 200 && unpacker) {
    // Its error is thrown to the reader of the stream.
    const unpacked = pipeline(body, unpacker, () => undefined);
    return {
      ...{ headers, body: unpacked, validator: null },
      ...{ from: 0, totalBytes: null },
    };
  }
  if (status === 200) {
    const length = Number(headers["content-length"] ?? NaN);
    const totalBytes = Number.isSafeInteger(length) ? length : null;
    return { ...head, from: 0, totalBytes };
  }
  if (status !== 206 && status !== 416) throw new AnswerError(answer);
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(
    headers["content-range"] ?? "",
  );
  const totalBytes = Number(range?.[2] ?? NaN) || null;
  const isGoneOnWith =
    had > 0 && totalBytes !== null && isSameFile(validator, headers);
  const isRest = status === 206 && !unpacker && range?.[1] === String(had);
  if (isRest && (had === 0 || isGoneOnWith))
    return { ...head, from: had, totalBytes };
  if (status === 416 && isGoneOnWith && totalBytes === had) return "complete";
  if (isRestOnly) throw new UnexpectedHeadError();
  if (had > 0) await truncate(path, 0);
  throw new OutsideError("corrupt", "its server returned a different range");
}

function isRestFrom(start: DownloadHead | "complete", offset: number): boolean {
  return start !== "complete" && start.from === offset;
}

/** By a length or by chunks, as from HTTP/1.1 on, or by its compression format; a body that ends early is then an error. */
function isEndDeclaredBy(
  { headers, body }: HttpAnswer,
  start: DownloadHead,
): boolean {
  return (
    start.totalBytes !== null ||
    headers["transfer-encoding"] !== undefined ||
    start.body !== body
  );
}

/** Null for an uncompressed body, and for an encoding that is not supported. */
function unpackerOf(headers: IncomingHttpHeaders): Duplex | null {
  const coding = headers["content-encoding"]?.trim().toLowerCase();
  if (coding === "gzip" || coding === "x-gzip") return createGunzip();
  if (coding === "br") return createBrotliDecompress();
  return coding === "deflate" ? createInflate() : null;
}

function validatorOf(headers: IncomingHttpHeaders): string | null {
  const { etag } = headers;
  if (etag && !etag.startsWith("W/")) return etag;
  return headers["last-modified"] ?? null;
}

/** Some servers ignore `If-Range` (V2-672). */
function isSameFile(
  validator: string | null,
  { etag, "last-modified": lastModified }: IncomingHttpHeaders,
): boolean {
  if (validator === null) return false;
  const now = validator.startsWith('"') ? etag : lastModified;
  return now === undefined || now === validator;
}

async function receive(
  connection: IncomingMessage,
  { body, from, totalBytes }: DownloadHead,
  hashes: FileHashes,
  { path, maxBytes, assertDiskSpace, took, request }: DownloadOptions,
): Promise<void> {
  if ((totalBytes ?? 0) > maxBytes) throw new TooManyBytesError(false);
  await assertDiskSpace();
  const most = totalBytes ?? maxBytes;
  const file = await open(path, from === 0 ? "w" : "r+");
  let received = from;
  let nextCheckAt = received + checkIntervalBytes;
  let writing: Promise<void> = Promise.resolve();
  const take = async (chunk: Buffer): Promise<void> => {
    if (received + chunk.length > most)
      throw new TooManyBytesError(totalBytes !== null);
    // While the previous chunk is written.
    const hashed = hashes.update(chunk);
    // The error is thrown at the next await.
    hashed?.catch(() => undefined);
    await unhurried(connection, request.silenceMs, writing);
    writing = writeAll(file, chunk, received);
    // The error is thrown at the next await.
    writing.catch(() => undefined);
    received += chunk.length;
    if (hashed) await unhurried(connection, request.silenceMs, hashed);
    const wait = took?.(chunk.length, received) ?? null;
    if (wait !== null) await unhurried(connection, request.silenceMs, wait);
    if (received < nextCheckAt) return;
    nextCheckAt = received + checkIntervalBytes;
    await assertDiskSpace();
  };
  try {
    await takeAll(body, take);
    await writing;
    // Bytes before rows: flushed to disk before the result is returned.
    await file.datasync();
  } finally {
    // Received bytes are kept for the next attempt, whatever ended this one.
    try {
      await writing;
    } finally {
      await file.close();
    }
  }
  if (totalBytes !== null && received < totalBytes)
    throw new OutsideError("broken-off", "the connection was lost");
}

async function takeAll(
  body: Readable,
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) await take(chunk);
  } catch (error) {
    // The connection broke: the bytes received before are resumed.
    if (body.errored === error)
      for (let left = readOn(body); left !== null; left = readOn(body))
        await take(left);
    throw isOfUnpacking(error)
      ? new OutsideError(
          "broken-off",
          "its Content-Encoding does not match its data",
          error,
        )
      : error;
  }
}

function isOfUnpacking(error: unknown): boolean {
  return /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(systemCode(error) ?? "");
}

function readOn(body: Readable): Buffer | null {
  return body.read() as Buffer | null;
}

async function writeAll(
  file: FileHandle,
  chunk: Buffer,
  at: number,
): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const left = chunk.length - done;
    done += (await file.write(chunk, done, left, at + done)).bytesWritten;
  }
}

/** While this side waits, nothing is read: the connection is not counted as silent then. */
async function unhurried(
  body: IncomingMessage,
  silenceMs: number,
  wait: Promise<void>,
): Promise<void> {
  // A finished response has returned its socket to the pool.
  const socket = () =>
    body.readableEnded || body.destroyed ? null : body.socket;
  socket()?.setTimeout(0);
  try {
    await wait;
  } finally {
    socket()?.setTimeout(silenceMs);
  }
}

/** Hashes of a file, and its bytes, if they are few. */
interface FileHashes {
  /** Where it returns a promise, the next call has to wait for it. */
  update(chunk: Buffer): Promise<void> | null;
  digests(): Promise<Digests>;
  bytes(): Uint8Array | undefined;
  close(): void;
}

function hashesFor(expectedBytes: number): FileHashes {
  const { update, digests, close } = createHashes(expectedBytes);
  let sizeBytes = 0;
  let few: Buffer[] | null = [];
  return {
    update: (chunk) => {
      sizeBytes += chunk.length;
      if (sizeBytes > fewBytes) few = null;
      few?.push(chunk);
      return update(chunk);
    },
    ...{ digests, close },
    bytes: () => (few && Buffer.concat(few)) || undefined,
  };
}

async function hashesOf(path: string): Promise<FileHashes> {
  const hashes = hashesFor((await stat(path)).size);
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
      await hashes.update(chunk);
    return hashes;
  } catch (error) {
    hashes.close();
    throw error;
  }
}
