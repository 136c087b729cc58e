// Bytes of an address into a file: gone on with where they broke off, hashed on the way, on disk at the end.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, truncate, type FileHandle } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Duplex, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  requestHttp,
  type HttpRequestOptions,
  type HttpAnswer,
} from "./client.ts";
import { OutsideError, systemCode } from "../outside-error.ts";

/** What is final, how fast, how much and where to: the caller's policy. */
export interface DownloadOptions {
  readonly request: Omit<HttpRequestOptions, "method" | "body">;
  readonly path: string;
  /** Bytes that lie there already. */
  readonly had: number;
  /** What their server knew them by; null where they cannot be gone on with. */
  readonly validator: string | null;
  /** More is not taken. */
  readonly maxBytes: number;
  /**
   * Judges the head of the answer before a byte is written; what it throws ends the download, and so does false, without
   * an error. Where `from` is 0, nothing of what lies there counts any more.
   */
  readonly begin: (head: DownloadHead) => Promise<boolean>;
  /** Throws where the disk is full. */
  readonly assertDiskSpace: () => Promise<void> | null;
  /** So many came; the connection waits for what it answers. */
  readonly took?: (
    bytes: number,
    receivedBytes: number,
  ) => Promise<void> | null;
}

export interface DownloadHead {
  readonly headers: IncomingHttpHeaders;
  /** Unpacked where its server packed it unasked (V2-673). */
  readonly body: Readable;
  /** Where its bytes begin. */
  readonly from: number;
  /** Of the whole file; null where its server does not say. */
  readonly totalBytes: number | null;
  /** A strong entity tag, else the date of the last change; null for what comes packed, which cannot be gone on with. */
  readonly validator: string | null;
}

export interface Digests {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface Downloaded extends Digests {
  /** False where some of it had come before. */
  readonly isFromStart: boolean;
  /** False where it ended with the connection alone: it may have been cut short. */
  readonly isEndDeclared: boolean;
  /** Its end was not told, and it came from the first to the last as it lay there before. */
  readonly isAsBefore: boolean;
  /** All of them, where they are few. */
  readonly bytes?: Uint8Array | undefined;
}

/** The server gives something else than bytes. */
export class AnswerError extends Error {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;

  constructor({ status, headers }: HttpAnswer) {
    super(`it answers ${status}`);
    this.name = "AnswerError";
    this.status = status;
    this.headers = headers;
  }
}

/** More came than is allowed, or than was announced. */
export class TooManyBytesError extends Error {
  readonly wereAnnounced: boolean;

  constructor(wereAnnounced: boolean) {
    super("it sends too many bytes");
    this.name = "TooManyBytesError";
    this.wereAnnounced = wereAnnounced;
  }
}

/** How often the free space is looked at while bytes come in. */
const checkIntervalBytes = 8 * 1024 * 1024;
/** So many are handed on as they are, so that nobody reads them again. */
const fewBytes = 128 * 1024;

/**
 * Null: `begin` did not want them. Throws AnswerError, TooManyBytesError, `broken-off` where less came than announced,
 * and what connection and disk throw; what came in so far stays for the next time.
 */
export async function download(
  address: URL,
  options: DownloadOptions,
): Promise<Downloaded | null> {
  const { had, validator, path } = options;
  const isGoneOnWith = had > 0 && validator !== null;
  // Before anybody sends: a connection that nobody reads from is given up.
  const before = isGoneOnWith ? await hashesOf(path) : createHashes();
  const answer = await requestHttp(address, {
    ...options.request,
    headers: {
      // The bytes as they are, to be gone on with and hashed (V2-671).
      "Accept-Encoding": "identity",
      ...options.request.headers,
      // Only when the server can vouch that it is still the same file.
      ...(isGoneOnWith && { Range: `bytes=${had}-`, "If-Range": validator }),
    },
  });
  try {
    const start = await startOf(answer, options);
    if (start === "complete")
      return {
        ...before.digests(),
        ...{ isFromStart: false, isEndDeclared: true, isAsBefore: false },
      };
    const isFromStart = start.from === 0;
    const isEndDeclared = isEndDeclaredBy(answer, start);
    // Where the end is told, nobody needs to know what lay there before.
    const shaBefore =
      isFromStart && had > 0 && !isEndDeclared
        ? await shaOf(
            isGoneOnWith ? before : path,
            answer.body,
            options.request,
          )
        : null;
    if (!(await options.begin(start))) return null;
    const hashes = isFromStart ? createHashes() : before;
    await receive(answer.body, start, hashes, options);
    const digests = hashes.digests();
    return {
      ...{ ...digests, isFromStart, isEndDeclared },
      isAsBefore: shaBefore === digests.sha256,
      bytes: hashes.bytes(),
    };
  } finally {
    answer.body.destroy();
  }
}

/** Of what lies there; the connection waits where it is still to be read. */
async function shaOf(
  before: Hashes | string,
  connection: IncomingMessage,
  { silenceMs }: DownloadOptions["request"],
): Promise<string> {
  if (typeof before !== "string") return before.digests().sha256;
  let sha = "";
  const read = async (): Promise<void> => {
    sha = (await hashesOf(before)).digests().sha256;
  };
  await unhurried(connection, silenceMs, read());
  return sha;
}

/** Of a file that is there already, flushed. */
export async function digestsOf(path: string): Promise<Digests> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
  return (await hashesOf(path)).digests();
}

/** `complete`: all of it came before anybody could look at it. Throws what the server says instead of bytes. */
async function startOf(
  answer: HttpAnswer,
  { had, path, validator }: DownloadOptions,
): Promise<DownloadHead | "complete"> {
  const { status, headers, body } = answer;
  const head = { headers, body, validator: validatorOf(headers) };
  const unpacker = unpackerOf(headers);
  if (status === 200 && unpacker) {
    // Its error is thrown to whoever reads it.
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
  if (had > 0) await truncate(path, 0);
  throw new OutsideError("corrupt", "its server has another part of it");
}

/** By a length or by chunks, as from HTTP/1.1 on, or by how it is packed; what is left out of any of them is an error. */
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

/** Null for what comes as it is, and for what nobody here can unpack. */
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

/** There are servers that pay no heed to `If-Range` (V2-672). */
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
  hashes: Hashes,
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
    // While the one before is written.
    hashes.update(chunk);
    await unhurried(connection, request.silenceMs, writing);
    writing = writeAll(file, chunk, received);
    // Told to whoever waits for it next.
    writing.catch(() => undefined);
    received += chunk.length;
    const wait = took?.(chunk.length, received) ?? null;
    if (wait !== null) await unhurried(connection, request.silenceMs, wait);
    if (received < nextCheckAt) return;
    nextCheckAt = received + checkIntervalBytes;
    await assertDiskSpace();
  };
  try {
    await takeAll(body, take);
    await writing;
    // Bytes before rows: on disk before anybody is told of them.
    await file.datasync();
  } finally {
    // What came in is kept for the next time, whatever ended it.
    await writing.finally(() => file.close());
  }
  if (totalBytes !== null && received < totalBytes)
    throw new OutsideError("broken-off", "the connection broke off");
}

async function takeAll(
  body: Readable,
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) await take(chunk);
  } catch (error) {
    // It broke off: what had come in before is gone on with.
    if (body.errored === error)
      for (let left = readOn(body); left !== null; left = readOn(body))
        await take(left);
    throw isOfUnpacking(error)
      ? new OutsideError("broken-off", "it is not packed as it says", error)
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

/** While we ourselves wait nobody reads: a connection is not silent for that. */
async function unhurried(
  body: IncomingMessage,
  silenceMs: number,
  wait: Promise<void>,
): Promise<void> {
  // What has ended has given its connection to others.
  const socket = () =>
    body.readableEnded || body.destroyed ? null : body.socket;
  socket()?.setTimeout(0);
  try {
    await wait;
  } finally {
    socket()?.setTimeout(silenceMs);
  }
}

interface Hashes {
  update(chunk: Buffer): void;
  digests(): Digests;
  bytes(): Uint8Array | undefined;
}

/** MD5, which services vouch for, and SHA-256, which the store goes by. */
function createHashes(): Hashes {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  let sizeBytes = 0;
  let few: Buffer[] | null = [];
  return {
    update: (chunk) => {
      md5.update(chunk);
      sha256.update(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > fewBytes) few = null;
      few?.push(chunk);
    },
    digests: () => ({
      md5: md5.digest("hex"),
      sha256: sha256.digest("hex"),
      sizeBytes,
    }),
    bytes: () => (few && Buffer.concat(few)) || undefined,
  };
}

async function hashesOf(path: string): Promise<Hashes> {
  const hashes = createHashes();
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    hashes.update(chunk);
  return hashes;
}
