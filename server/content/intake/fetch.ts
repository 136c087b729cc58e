// A source on its way in: what its server says it is, and its bytes, resumed where they broke off (V4-210, V4-212).

import { once } from "node:events";
import { pipeline, Transform, type Readable } from "node:stream";
import type { FilePart } from "../../platform/file-part.ts";
import {
  askHttp,
  reasonOfConnection,
  RefusedAddressError,
  type HttpAnswer,
} from "../../platform/http-client.ts";
import { typeOfBeginning } from "../../platform/media/media-probe.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { Refused } from "./refused.ts";
import { parseSource } from "./sources.ts";

export interface SourceAsk {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string | null;
  /** False takes any certificate. */
  readonly isVerified: boolean;
  readonly mayConnect: (address: string) => boolean;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** What lies at an address: a page to be shown from there, a stream, or bytes to be kept. */
export type Found =
  | { readonly kind: "web" | "streaming"; readonly mimetype: string }
  | { readonly kind: "bytes"; readonly mimetype: string };

const pageTypes = /^(text\/(?!vtt)|application\/(xhtml\+xml|json|xml)\b)/;
const streamTypes =
  /^(application\/(vnd\.apple\.mpegurl|x-mpegurl|dash\+xml)|audio\/(x-)?mpegurl)/;
const streamAddress = /\.(m3u8|mpd)$/i;
const mediaAddress =
  /\.(avif|bmp|gif|ico|jpe?g|png|svg|webp|mp4|m4v|mov|webm|mkv|ogv|mpe?g|avi|ts|3gp|mp3|m4a|aac|ogg|oga|opus|flac|wav|pdf|m3u8|mpd)$/i;

/** Whether the path of this address names a file: what is wrong with it shows in the asset's status alone. */
export function isMediaAddress(address: URL): boolean {
  return mediaAddress.test(address.pathname);
}

/** Why nobody can reach this page now, as the end of a sentence; null when it answers. */
export async function reasonUnreachable(
  ask: SourceAsk,
): Promise<string | null> {
  const tell = async (method: "HEAD" | "GET"): Promise<string | null> => {
    try {
      const { status, body } = await askSource(ask, { method });
      body.destroy();
      return status < 400 ? null : `it answers ${status}`;
    } catch (error) {
      return reasonOf(error);
    }
  };
  // Some servers know GET alone.
  return (await tell("HEAD")) === null ? null : tell("GET");
}

export function reasonOf(error: unknown): string {
  return error instanceof OutsideError || error instanceof RefusedAddressError
    ? error.message.replace(/\.$/, "")
    : reasonOfConnection(error);
}

export interface FetchOptions extends SourceAsk {
  readonly part: FilePart;
  readonly mostBytes: number;
  /** Less than so many bytes in each so long a time is given up. */
  readonly leastRate: { readonly bytes: number; readonly ms: number };
  readonly validator: string | null;
  readonly noteValidator: (validator: string | null) => Promise<void>;
}

/** Throws `Refused` for what another try would not change, and anything else for what it might. */
export async function fetchSource(options: FetchOptions): Promise<Found> {
  const { part } = options;
  const had = await part.sizeBytes();
  const resumes = had > 0 && options.validator !== null;
  const answer = await askSource(options, {
    headers: resumes
      ? { Range: `bytes=${had}-`, "If-Range": options.validator ?? "" }
      : {},
  });
  const { status, headers, body } = answer;
  const mimetype = mimetypeOf(headers["content-type"]);
  if (status >= 400) {
    body.destroy();
    const sentence = `The source cannot be fetched: it answers ${status}.`;
    if (isForGood(status) && !(status === 416 && resumes))
      throw new Refused(sentence);
    if (status === 416) await part.truncate(0);
    throw new OutsideError("corrupt", `it answers ${status}`);
  }
  const found = await foundAs(mimetype, answer, options);
  if (found.kind !== "bytes") {
    body.destroy();
    return found;
  }
  await receive(answer, options, resumes ? had : 0);
  return found;
}

async function receive(
  answer: HttpAnswer,
  { part, mostBytes, leastRate, noteValidator }: FetchOptions,
  had: number,
): Promise<void> {
  const { from, total } = startOf(answer, had);
  if (total !== null && total > mostBytes) {
    answer.body.destroy();
    throw tooLarge(mostBytes);
  }
  if (from === 0) await part.truncate(0);
  await noteValidator(validatorOf(answer));
  const { bytes, isOver } = await part.write(
    watchRate(answer.body, leastRate),
    from,
    (total ?? mostBytes) - from,
  );
  if (isOver) throw tooLarge(total ?? mostBytes);
  if (total !== null && from + bytes < total)
    throw new OutsideError("broken-off", "the connection broke off");
}

/** Ends what only trickles; what is not taken by us waits for us. */
function watchRate(
  body: Readable,
  { bytes, ms }: FetchOptions["leastRate"],
): Readable {
  let got = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      got += chunk.length;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    const isSlow = got < bytes && body.readableLength === 0;
    got = 0;
    if (isSlow)
      counted.destroy(new OutsideError("broken-off", "it sends too slowly"));
  }, ms);
  pipeline(body, counted, () => clearInterval(timer));
  return counted;
}

function tooLarge(mostBytes: number): Refused {
  return new Refused(
    `The source is larger than the ${mostBytes} bytes allowed.`,
  );
}

function askSource(
  ask: SourceAsk,
  more: { method?: "HEAD" | "GET"; headers?: Record<string, string> },
): Promise<HttpAnswer> {
  const source = parseSource(ask.url);
  if ("problem" in source) throw new Refused(source.problem);
  return askHttp(source.address, {
    ...more,
    // The bytes as they are, to be resumed and hashed.
    headers: { ...more.headers, "Accept-Encoding": "identity" },
    originHeaders: {
      ...ask.headers,
      ...(ask.userAgent !== null && { "User-Agent": ask.userAgent }),
    },
    verifyTls: ask.isVerified,
    mayConnect: ask.mayConnect,
    silenceMs: ask.silenceMs,
    signal: ask.signal,
  });
}

/** Asked again, the server would say the same: but for time-outs, too many and its own faults. */
function isForGood(status: number): boolean {
  return status < 500 && ![408, 425, 429].includes(status);
}

async function foundAs(
  mimetype: string,
  { body }: HttpAnswer,
  { url, signal }: FetchOptions,
): Promise<Found> {
  const { pathname } = new URL(url);
  if (streamTypes.test(mimetype) || streamAddress.test(pathname))
    return { kind: "streaming", mimetype };
  // Servers that know no better call everything a page: the bytes have the last word (V4-220).
  if (pageTypes.test(mimetype) && !(await beginsAsMedia(body, signal)))
    return { kind: "web", mimetype };
  return { kind: "bytes", mimetype };
}

/** No media begins as pages and JSON do; everything else is told in the process that reads foreign bytes. */
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

/** Where the answer's bytes begin, and how many there are in all where it says so. */
function startOf(
  { status, headers, body }: HttpAnswer,
  had: number,
): { from: number; total: number | null } {
  const length = Number(headers["content-length"] ?? NaN);
  if (status === 200)
    return { from: 0, total: Number.isSafeInteger(length) ? length : null };
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(
    headers["content-range"] ?? "",
  );
  if (status === 206 && range && Number(range[1]) === had)
    return { from: had, total: range[2] === "*" ? null : Number(range[2]) };
  body.destroy();
  throw new OutsideError("corrupt", `it answers ${status}`);
}

/** A strong entity tag, else the date of the last change. */
function validatorOf({ headers }: HttpAnswer): string | null {
  const { etag } = headers;
  if (etag && !etag.startsWith("W/")) return etag;
  return headers["last-modified"] ?? null;
}
