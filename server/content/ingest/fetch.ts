// Fetches a source: identifies what its server sends and downloads the bytes, resuming interrupted transfers (V4-210,
// V4-212).

import { once } from "node:events";
import type { Readable } from "node:stream";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { Aside, FilePart } from "../../platform/files/partial-file.ts";
import {
  requestHttp,
  reasonOfConnection,
  RefusedAddressError,
  type HttpRequestOptions,
} from "../../platform/http/client.ts";
import {
  AnswerError,
  download,
  TooManyBytesError,
  type DownloadHead,
} from "../../platform/http/download.ts";
import { typeOfBeginning } from "../../platform/media/media-probe.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { IngestError } from "./ingest-error.ts";
import { parseSource } from "./source-address.ts";

export interface SourceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string | null;
  /** False accepts any certificate. */
  readonly isVerified: boolean;
  readonly mayConnect: (address: string) => boolean;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** A page or a stream, shown from its address. */
export interface Shown {
  readonly kind: "web" | "streaming";
  readonly mimetype: string;
}

/** What is at an address. */
export type Found =
  | Shown
  | {
      readonly kind: "bytes";
      readonly aside: Aside;
      /** The server sends no length, and the bytes differ from those of the previous attempt (V4-324). */
      readonly mayBeCut: boolean;
    };

/** When a source is given up on. */
export const fetchLimits = {
  /** A connection without a byte for this long is dropped and the transfer resumed. */
  silenceMs: 30_000,
  /** Below the rate of any real line: fewer bytes than this in `slowMs` are a trickle (V4-278). */
  minBytes: 64 * 1024,
  slowMs: 60_000,
  /**
   * Time for the largest clip over a slow line: all attempts at a source together, including the pauses between them
   * (V4-302).
   */
  maxFetchMs: 6 * 3_600_000,
} as const;

const pageTypes = /^(text\/(?!vtt)|application\/(xhtml\+xml|json|xml)\b)/;
const streamTypes =
  /^(application\/(vnd\.apple\.mpegurl|x-mpegurl|dash\+xml)|audio\/(x-)?mpegurl)/;
const streamAddress = /\.(m3u8|mpd)$/i;
const mediaAddress =
  /\.(avif|bmp|gif|ico|jpe?g|png|svg|webp|mp4|m4v|mov|webm|mkv|ogv|mpe?g|avi|ts|3gp|mp3|m4a|aac|ogg|oga|opus|flac|wav|pdf|m3u8|mpd)$/i;

/** Whether the path of this address names a file: problems with it show in the asset's status only. */
export function isMediaAddress(address: URL): boolean {
  return mediaAddress.test(address.pathname);
}

/** Why this page is unreachable, as the end of a sentence; null when it answers. */
export async function reasonUnreachable(
  request: SourceRequest,
): Promise<string | null> {
  const tryMethod = async (method: "HEAD" | "GET"): Promise<string | null> => {
    try {
      const { status, body } = await requestHttp(addressOf(request), {
        ...{ ...requestOptionsOf(request), method },
      });
      body.destroy();
      return status < 400
        ? null
        : composeSentence(generalSentences["server-status"], { status });
    } catch (error) {
      return reasonOf(error);
    }
  };
  // Some servers support GET only.
  return (await tryMethod("HEAD")) === null ? null : tryMethod("GET");
}

export function reasonOf(error: unknown): string {
  return error instanceof OutsideError ||
    error instanceof AnswerError ||
    error instanceof RefusedAddressError
    ? error.message.replace(/\.$/, "")
    : reasonOfConnection(error);
}

export interface FetchOptions extends SourceRequest {
  readonly part: FilePart;
  readonly maxBytes: number;
  /** A transfer of fewer bytes than this within this time is aborted. */
  readonly minRate: { readonly bytes: number; readonly ms: number };
  readonly validator: string | null;
  readonly noteValidator: (validator: string | null) => Promise<void>;
}

interface Seen {
  bytes: number;
  shown: Shown | null;
  endWatch: () => void;
}

/** Throws `IngestError` for what a retry would not change, and anything else for what it might. */
export async function fetchSource(options: FetchOptions): Promise<Found> {
  const { part, maxBytes, minRate } = options;
  const { path, assertDiskSpace } = part;
  const seen: Seen = { bytes: 0, shown: null, endWatch: () => undefined };
  const got = await download(addressOf(options), {
    ...{ path, assertDiskSpace, maxBytes, validator: options.validator },
    had: await part.sizeBytes(),
    request: requestOptionsOf(options),
    begin: async (head) => {
      seen.shown = await shownAs(head, options);
      if (seen.shown !== null) return false;
      if (head.from === 0) await part.truncate(0);
      await options.noteValidator(head.validator);
      seen.endWatch = watchRate(head.body, () => seen.bytes, minRate);
      return true;
    },
    took: (bytes) => {
      seen.bytes += bytes;
      return null;
    },
  })
    .finally(() => seen.endWatch())
    .catch((error: unknown) => {
      throw ingestErrorOf(error, maxBytes) ?? error;
    });
  if (seen.shown !== null) return seen.shown;
  if (got === null) throw new Error("it was not refused");
  const { sha256: hash, sizeBytes } = got;
  return {
    ...{ kind: "bytes", aside: { path, hash, sizeBytes } },
    mayBeCut: !got.isEndDeclared && !got.isAsBefore,
  };
}

/**
 * Aborts a transfer that only trickles; time spent on our own backpressure does not count. Returns a function that
 * stops the watch.
 */
function watchRate(
  body: Readable,
  gotBytes: () => number,
  { bytes, ms }: FetchOptions["minRate"],
): () => void {
  let before = 0;
  const timer = setInterval(() => {
    const isSlow = gotBytes() - before < bytes && body.readableLength === 0;
    before = gotBytes();
    if (isSlow)
      body.destroy(new OutsideError("broken-off", "its server is too slow"));
  }, ms);
  return () => clearInterval(timer);
}

/** What a retry would not change, as an `IngestError`; null for anything else. */
function ingestErrorOf(error: unknown, maxBytes: number): IngestError | null {
  if (error instanceof TooManyBytesError)
    return new IngestError(
      composeSentence(serviceSentences["source-too-large"], {
        limit: maxBytes,
      }),
    );
  if (error instanceof AnswerError && isForGood(error.status))
    return new IngestError(
      composeSentence(serviceSentences["source-status"], {
        status: error.status,
      }),
    );
  return null;
}

function addressOf({ url }: SourceRequest): URL {
  const source = parseSource(url);
  if ("problem" in source) throw new IngestError(source.problem);
  return source.address;
}

function requestOptionsOf(request: SourceRequest): HttpRequestOptions {
  return {
    // Uncompressed, so that the bytes can be resumed and hashed.
    headers: { "Accept-Encoding": "identity" },
    originHeaders: {
      ...request.headers,
      ...(request.userAgent !== null && { "User-Agent": request.userAgent }),
    },
    verifyTls: request.isVerified,
    mayConnect: request.mayConnect,
    silenceMs: request.silenceMs,
    signal: request.signal,
  };
}

/** A retry would get the same answer; excluded are time-outs, rate limits and server errors. */
function isForGood(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** Null: the bytes are to be stored. */
async function shownAs(
  { headers, body }: DownloadHead,
  { url, signal }: FetchOptions,
): Promise<Shown | null> {
  const { pathname } = new URL(url);
  const mimetype = mimetypeOf(headers["content-type"]);
  if (streamTypes.test(mimetype) || streamAddress.test(pathname))
    return { kind: "streaming", mimetype };
  // Misconfigured servers call everything a page: the bytes decide (V4-220).
  if (pageTypes.test(mimetype) && !(await beginsAsMedia(body, signal)))
    return { kind: "web", mimetype };
  return null;
}

/** No media begins like HTML or JSON; everything else is identified in the process that reads untrusted bytes. */
const pageBeginning = /^(?:\xef\xbb\xbf)?\s*[<{[]/;

async function beginsAsMedia(
  body: Readable,
  signal: AbortSignal,
): Promise<boolean> {
  await once(body, "readable");
  const first = body.read() as Buffer | null;
  if (first === null) return false;
  body.unshift(first);
  if (pageBeginning.test(first.toString("latin1", 0, 1024))) return false;
  const type = await typeOfBeginning(first, signal);
  return /^(image|video|audio)\/|^application\/pdf$/.test(type ?? "");
}

function mimetypeOf(header: string | undefined): string {
  return (header ?? "").replace(/;.*/s, "").trim().toLowerCase();
}
