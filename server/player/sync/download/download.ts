// One file's bytes: fetched, gone on with where they broke off, verified, and only then handed on.

import type { WantedFile } from "../../../core/sync-wanted.ts";
import type { Aside } from "../../../platform/file-part.ts";
import {
  AnswerError,
  digestsOf,
  download as downloadBytes,
  TooManyBytesError,
  type Downloaded,
  type DownloadHead,
} from "../../../platform/http/download.ts";
import type { Part } from "./partial-files.ts";
import type { Rate, Room } from "./limits.ts";
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
  /** False: they may have been cut short, since their server did not tell where they end (V2-681). */
  readonly isEndTold: boolean;

  constructor(message: string, isWhole: boolean, isEndTold = true) {
    super(message);
    this.name = "WrongBytes";
    this.isWhole = isWhole;
    this.isEndTold = isEndTold;
  }
}

/** The server does not give it to us under this address. */
export class NotGiven extends Error {}

/** Larger than any film; nobody fills the disk by not telling an end. */
const mostBytes = 1024 ** 4;
/** So few are sooner there anew than noted how to go on with them. */
const wholeBytes = 256 * 1024;

/** Throws WrongBytes, NotGiven or a CloudTrouble; what came in so far stays aside for the next time. */
export async function download(
  file: WantedFile,
  options: DownloadOptions,
): Promise<Aside> {
  try {
    return await bringIn(file, options);
  } catch (thrown) {
    const error = inWords(thrown, options);
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
  if (had > 0 && had === file.sizeBytes)
    return asideOf(file, part, {
      ...(await digestsOf(part.path)),
      ...{ isWhole: false, isEndTold: true, isAsBefore: false },
    });
  const validator = had > 0 ? await part.validator() : null;
  await assertRoom(options, (file.sizeBytes ?? 0) - had);
  const seen = { isPage: false, totalBytes: file.sizeBytes };
  const { silenceMs, signal, proxyUrl: proxy, token, room, rate } = options;
  const got = await downloadBytes(new URL(options.source), {
    ...{ path: part.path, had, validator },
    mostBytes: file.sizeBytes ?? mostBytes,
    ask: {
      ...{ silenceMs, signal, proxy },
      verifyTls: !options.isCertificateSkipped,
      ...(token !== null && {
        originHeaders: { Authorization: `Token ${token}` },
      }),
    },
    begin: async (head) => {
      seen.isPage = isPage(head);
      seen.totalBytes = head.totalBytes ?? file.sizeBytes;
      assertPlausible(file, head, options.mayBePage);
      const isGoneOnWith = (head.totalBytes ?? Infinity) > wholeBytes;
      if (head.from === 0)
        await part.begin(isGoneOnWith ? head.validator : null);
      return true;
    },
    assertRoom: () => room.assertFor(0, options.reserveBytes),
    took: (bytes, receivedBytes) => {
      options.onBytes(receivedBytes, seen.totalBytes);
      return rate.isLimited() ? inStep(bytes, rate) : null;
    },
  });
  if (got === null) throw new Error("nobody refused it");
  if (seen.isPage && got.sizeBytes !== (file.sizeBytes ?? got.sizeBytes)) {
    await part.discard();
    throw portal();
  }
  return asideOf(file, part, got);
}

/** As evenly as its limit wants, whatever came at once. */
async function inStep(bytes: number, rate: Rate): Promise<void> {
  for (let left = bytes; left > 0;) {
    const step = Math.min(left, rate.stepBytes());
    await rate.take(step);
    left -= step;
  }
}

function asideOf(
  file: WantedFile,
  { path }: Part,
  { md5, sha256: hash, sizeBytes, isWhole, isEndTold, bytes }: Downloaded,
): Aside {
  if (md5 !== file.md5)
    throw new WrongBytes(
      `Its bytes have the MD5 ${md5}, but the cloud says ${file.md5}.`,
      isWhole,
      // As many as there are to be were not cut short.
      isEndTold || sizeBytes === file.sizeBytes,
    );
  return { path, hash, sizeBytes, bytes };
}

/** What this server says of this file alone, and not of itself. */
function inWords(error: unknown, { now }: DownloadOptions): unknown {
  if (error instanceof TooManyBytesError)
    return new WrongBytes("Its server sends more than it announced.", true);
  if (!(error instanceof AnswerError)) return error;
  const { status, headers } = error;
  const sentence = `The server of the file answers ${status}.`;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return new CloudTrouble(
      ...(["unavailable", sentence] as const),
      waitOf(headers["retry-after"], now()),
    );
  return new NotGiven(sentence);
}

/** A page in the place of a picture, or another length than the cloud told: nothing of it is taken. */
function assertPlausible(
  { sizeBytes }: WantedFile,
  head: DownloadHead,
  mayBePage: boolean,
): void {
  const { totalBytes } = head;
  const isOther =
    sizeBytes !== null && totalBytes !== null && sizeBytes !== totalBytes;
  if (isPage(head) && (isOther || !mayBePage)) throw portal();
  if (isOther)
    throw new WrongBytes(
      `It has ${totalBytes} bytes, but the cloud says ${sizeBytes}.`,
      true,
    );
}

function isPage({ headers }: DownloadHead): boolean {
  return /^text\/html/i.test(headers["content-type"] ?? "");
}

function portal(): CloudTrouble {
  return new CloudTrouble(
    "portal",
    "A web page answers in the place of a file: this network may want somebody to log in.",
  );
}

function assertRoom(
  { room, reserveBytes }: DownloadOptions,
  neededBytes: number,
): Promise<void> | null {
  return room.assertFor(Math.max(0, neededBytes), reserveBytes);
}

function hostOf(source: string): string {
  return URL.canParse(source) ? new URL(source).host : "the file";
}
