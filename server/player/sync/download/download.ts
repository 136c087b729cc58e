// One file's bytes: fetched, gone on with where they broke off, verified, and only then handed on.

import { open } from "node:fs/promises";
import type { WantedFile } from "../../../core/sync-wanted.ts";
import type { Aside } from "../../../platform/file-part.ts";
import { askForBytes, type BytesAnswer } from "../../../platform/http-bytes.ts";
import { OutsideError } from "../../../platform/outside-error.ts";
import { createPartWriter } from "./part-writer.ts";
import { newPartHash, type PartHash } from "./part-hash.ts";
import type { Part } from "./partial-files.ts";
import type { Rate } from "./rate-limit.ts";
import type { Room } from "./disk-space.ts";
import { CloudTrouble, troubleOf, waitOf } from "../remote/remote-error.ts";

export interface DownloadOptions {
  readonly part: Part;
  /** Apps are made of web pages: one of the right length is none of a portal. */
  readonly mayBePage: boolean;
  /** Where it lies at this moment. */
  readonly source: string;
  /** Sent to the cloud itself and to nobody it leads to. */
  readonly token: string | null;
  readonly isCertificateSkipped: boolean;
  readonly proxyUrl: string | null;
  readonly rate: Rate;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly room: Room;
  /** This much of the disk stays free. */
  readonly reserveBytes: number;
  /** Without a byte for this long a connection is given up, and gone on with later. */
  readonly silenceMs: number;
  /** How far it is, and how far it will be where that is known. */
  readonly onBytes: (receivedBytes: number, totalBytes: number | null) => void;
}

/** The bytes are not those that the cloud vouches for. */
export class WrongBytes extends Error {
  /** They were asked for anew, from the first to the last. */
  readonly isWhole: boolean;

  constructor(message: string, isWhole: boolean) {
    super(message);
    this.name = "WrongBytes";
    this.isWhole = isWhole;
  }
}

/** The server does not give it to us under this address. */
export class NotGiven extends Error {}

/** Larger than any film; nobody fills the disk by not telling an end. */
const mostBytes = 1024 ** 4;
/** So few are sooner there anew than noted how to go on with them. */
const wholeBytes = 256 * 1024;
const lookEveryBytes = 16 * 1024 * 1024;
/** Below this a connection that is there already is worth more than memory that is not cleared away. */
const ownConnectionBytes = 2 * 1024 * 1024;

/** Throws WrongBytes, NotGiven or a CloudTrouble; what came in so far stays aside for the next time. */
export async function download(
  file: WantedFile,
  options: DownloadOptions,
): Promise<Aside> {
  try {
    return await bringIn(file, options);
  } catch (error) {
    if (error instanceof WrongBytes) await options.part.discard();
    if (error instanceof WrongBytes || error instanceof NotGiven) throw error;
    throw troubleOf(error, `The server of ${hostOf(options.source)}`);
  }
}

async function bringIn(
  file: WantedFile,
  options: DownloadOptions,
): Promise<Aside> {
  const { part } = options;
  const had = await part.sizeBytes();
  // Whole already, and interrupted before anybody looked at it.
  if (had > 0 && had === file.sizeBytes) return verified(file, had, options);
  const validator = had > 0 ? await part.validator() : null;
  // Before anybody sends: a connection that nobody reads from is given up.
  const hashed = validator === null ? null : await part.hash();
  try {
    return await fetchRest(file, options, had, validator, hashed);
  } finally {
    hashed?.stop();
  }
}

/** `hashed` is what is here already; null: nothing that could be gone on with. */
async function fetchRest(
  file: WantedFile,
  options: DownloadOptions,
  had: number,
  validator: string | null,
  hashed: PartHash | null,
): Promise<Aside> {
  const { part } = options;
  await assertRoom(options, (file.sizeBytes ?? 0) - had);
  const start = validator === null ? 0 : had;
  const answer = await ask(file, options, start, validator);
  const { from, totalBytes } = await startOf(answer, had, options);
  if (from === null) return verified(file, had, options);
  assertPlausible(file, totalBytes, answer, options.mayBePage);
  const isGoneOnWith = (totalBytes ?? Infinity) > wholeBytes;
  if (from === 0) await part.begin(isGoneOnWith ? validatorOf(answer) : null);
  const limit = totalBytes ?? file.sizeBytes;
  const hash =
    from === 0 ? newPartHash(limit) : (hashed ?? (await part.hash()));
  try {
    const received = await receive(answer, from, limit, hash, options);
    if (totalBytes !== null && received < totalBytes)
      throw new OutsideError("broken-off", "the connection broke off");
    if (isPageIn(answer) && received !== (file.sizeBytes ?? received)) {
      await part.discard();
      throw portal();
    }
    return await asideOf(file, hash, received, options, from === 0);
  } finally {
    hash.stop();
  }
}

async function asideOf(
  file: WantedFile,
  hash: PartHash,
  sizeBytes: number,
  { part }: DownloadOptions,
  isWhole: boolean,
): Promise<Aside> {
  const { md5, sha256, bytes } = await hash.digests();
  if (md5 !== file.md5)
    throw new WrongBytes(
      `Its bytes have the MD5 ${md5}, but the cloud says ${file.md5}.`,
      isWhole,
    );
  return { path: part.path, hash: sha256, sizeBytes, bytes };
}

/** What was there before. */
async function verified(
  file: WantedFile,
  sizeBytes: number,
  options: DownloadOptions,
): Promise<Aside> {
  const { part } = options;
  const handle = await open(part.path, "r+");
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
  const hash = await part.hash();
  try {
    return await asideOf(file, hash, sizeBytes, options, false);
  } finally {
    hash.stop();
  }
}

function ask(
  { sizeBytes }: WantedFile,
  options: DownloadOptions,
  from: number,
  validator: string | null,
): Promise<BytesAnswer> {
  const { source, token, signal, silenceMs, proxyUrl: proxy } = options;
  const areMany = (sizeBytes ?? 0) >= ownConnectionBytes;
  return askForBytes(new URL(source), {
    ...{ signal, silenceMs, proxy, areMany },
    verifyTls: !options.isCertificateSkipped,
    ...(token !== null && {
      originHeaders: { Authorization: `Token ${token}` },
    }),
    headers:
      validator !== null && from > 0
        ? { Range: `bytes=${from}-`, "If-Range": validator }
        : {},
  });
}

/** Where the answer's bytes begin; null: all of them are here. Throws what the server says instead of bytes. */
async function startOf(
  answer: BytesAnswer,
  had: number,
  options: DownloadOptions,
): Promise<{
  readonly from: number | null;
  readonly totalBytes: number | null;
}> {
  const { status, headers } = answer;
  if (status === 200) {
    const length = Number(headers["content-length"] ?? NaN);
    return {
      from: 0,
      totalBytes: Number.isSafeInteger(length) ? length : null,
    };
  }
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(
    headers["content-range"] ?? "",
  );
  const totalBytes = Number(range?.[2] ?? NaN) || null;
  if (status === 206 && range && Number(range[1]) === had)
    return { from: had, totalBytes };
  answer.destroy();
  if (status === 416 && totalBytes === had) return { from: null, totalBytes };
  if (status === 416 || status === 206) {
    await options.part.discard();
    throw new OutsideError("broken-off", "its server has another part of it");
  }
  const waitMs = waitOf(headers["retry-after"], options.now());
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new CloudTrouble(
      "unavailable",
      `The server of the file answers ${status}.`,
      waitMs,
    );
  throw new NotGiven(`The server of the file answers ${status}.`);
}

/** A page in the place of a picture, or another length than the cloud told: nothing of it is taken. */
function assertPlausible(
  { sizeBytes }: WantedFile,
  totalBytes: number | null,
  answer: BytesAnswer,
  mayBePage: boolean,
): void {
  const isOther =
    sizeBytes !== null && totalBytes !== null && sizeBytes !== totalBytes;
  if (isPageIn(answer) && (isOther || !mayBePage)) {
    answer.destroy();
    throw portal();
  }
  if (isOther) {
    answer.destroy();
    throw new WrongBytes(
      `It has ${totalBytes} bytes, but the cloud says ${sizeBytes}.`,
      true,
    );
  }
}

function isPageIn({ headers }: BytesAnswer): boolean {
  return /^text\/html/i.test(headers["content-type"] ?? "");
}

function portal(): CloudTrouble {
  return new CloudTrouble(
    "portal",
    "A web page answers in the place of a file: this network may want somebody to log in.",
  );
}

async function receive(
  answer: BytesAnswer,
  from: number,
  totalBytes: number | null,
  hash: PartHash,
  options: DownloadOptions,
): Promise<number> {
  const { part, rate, onBytes } = options;
  const handle = await open(part.path, from === 0 ? "w" : "r+");
  const isGoneOnWith = (totalBytes ?? Infinity) > wholeBytes;
  const writer = createPartWriter(handle, from, hash, isGoneOnWith);
  let received = from;
  let lookAt = received + lookEveryBytes;

  function look(): Promise<void> | null {
    if (received <= lookAt) return null;
    lookAt = received + lookEveryBytes;
    return assertRoom(options, 0);
  }

  try {
    await answer.pourInto({
      room: () =>
        rate.isLimited()
          ? writer.room().subarray(0, rate.stepBytes())
          : writer.room(),
      took: (bytes) => {
        received += bytes;
        if (received > (totalBytes ?? mostBytes))
          throw new WrongBytes(
            "Its server sends more than it announced.",
            true,
          );
        const waits = [writer.took(bytes), look(), rate.take(bytes)];
        onBytes(received, totalBytes);
        return allOf(waits);
      },
    });
    await writer.end();
    // Bytes before rows: on disk before anybody is told of them.
    await handle.datasync();
    return received;
  } finally {
    answer.destroy();
    // What came in is kept for the next time, whatever ended it.
    await writer.end().finally(() => handle.close());
  }
}

function allOf(waits: readonly (Promise<void> | null)[]): Promise<void> | null {
  const left = waits.filter((wait) => wait !== null);
  return left.length === 0 ? null : Promise.all(left).then(() => undefined);
}

function assertRoom(
  { room, reserveBytes }: DownloadOptions,
  neededBytes: number,
): Promise<void> | null {
  return room.assertFor(Math.max(0, neededBytes), reserveBytes);
}

/** A strong entity tag, else the date of the last change. */
function validatorOf({ headers }: BytesAnswer): string | null {
  const { etag } = headers;
  if (etag && !etag.startsWith("W/")) return etag;
  return headers["last-modified"] ?? null;
}

function hostOf(source: string): string {
  return URL.canParse(source) ? new URL(source).host : "the file";
}
