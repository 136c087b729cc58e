// JSON requests to a content service and the rows in its responses: authenticated, compressed, paged, bounded, and wary of
// intermediaries that answer in its place.

import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { isCredential } from "../../../contract/link/link.ts";
import { certificateEndOf } from "../../../platform/http/certificate-expiry.ts";
import { requestHttp, type HttpAnswer } from "../../../platform/http/client.ts";
import { isBusy, RemoteError, toRemoteError, waitOf } from "./remote-error.ts";
import { idIn, type Row } from "../../../contract/service-rows/read-rows.ts";
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import { parseUntrustedJson } from "../../../platform/text/untrusted-json.ts";

export interface CloudAddress {
  readonly baseUrl: string;
  readonly token: string;
  readonly isCertificateSkipped: boolean;
  readonly proxyUrl: string | null;
  /** Timeout for name resolution, for the response to begin and for any pause in it. */
  readonly silenceMs?: number;
  /** Called before a response is parsed that may take much memory (V2-620). */
  readonly onLargeAnswer?: () => void;
}

export interface CloudAnswer {
  /** Null: unchanged since the validator. */
  readonly body: unknown;
  readonly isUnchanged: boolean;
  readonly etag: string | null;
  /** Hash of the text; equal digests mean equal responses. */
  readonly digest: string;
  /** Number of rows of the whole list; null if the response does not tell. */
  readonly total: number | null;
  /** The service has more rows than these (V2-541); null if unknown. */
  readonly isPartial: boolean | null;
  /** The page was the end of its list: the same response is taken for the end for a while (V2-622). */
  readonly noteLast: () => void;
}

export interface CloudHttp {
  /** Throws a RemoteError. The path begins with a slash; a validator of the previous response saves the transfer. */
  request(
    path: string,
    before?: Validator | null,
    options?: RequestOptions,
  ): Promise<CloudAnswer>;
}

export interface RequestOptions {
  /** The path is being searched for: a rejection by an intermediary counts as a response, too. */
  readonly isSearch?: boolean;
  /** The response is to tell the number of rows of the whole list. */
  readonly isCounted?: boolean;
}

export interface Validator {
  readonly etag: string | null;
  readonly digest: string;
}

/** From the request to the last byte. */
const deadlineMs = 120_000;
const defaultSilenceMs = 10_000;
const largeAnswerLength = 1024 * 1024;

export function createCloudHttp(
  {
    baseUrl,
    token,
    isCertificateSkipped,
    proxyUrl,
    silenceMs = defaultSilenceMs,
    onLargeAnswer,
  }: CloudAddress,
  now: () => number,
  /** Called for each request: aborting one need not abort the next. */
  stopped: () => AbortSignal,
): CloudHttp {
  /** Responses that were the end of their lists, by path. */
  const lastPages = new Map<string, LastPage>();
  // The link only accepts credentials with this scheme (L-3).
  const scheme = isCredential(token) ? "Bearer" : "Token";

  async function answerOf(
    path: string,
    validator: Validator | null,
    { isSearch = false, isCounted = false }: RequestOptions,
  ): Promise<CloudAnswer> {
    const lastPage = lastPages.get(path);
    const isOld =
      lastPage !== undefined &&
      Math.abs(now() - lastPage.at) >= lastPageHoldsMs;
    // A list as long as the largest page grows after its last row, where an unchanged response proves nothing.
    const before = isOld ? null : validator;
    const signal = AbortSignal.any([
      stopped(),
      AbortSignal.timeout(deadlineMs),
    ]);
    const answer = await requestHttp(new URL(baseUrl + path), {
      verifyTls: !isCertificateSkipped,
      ...{ signal, silenceMs, proxy: proxyUrl },
      originHeaders: { Authorization: `${scheme} ${token}` },
      headers: {
        Accept: "application/json",
        "Accept-Encoding": "gzip",
        ...(before?.etag && { "If-None-Match": before.etag }),
        ...(isCounted && { Prefer: "count=exact" }),
      },
    });
    const etag = answer.headers.etag ?? null;
    if (answer.status === 304 && before) {
      answer.body.resume();
      return { ...before, ...unchanged, etag };
    }
    const { text, digest } = await textOf(answer);
    await assertGood(answer, text, now(), isSearch);
    if (before?.digest === digest) return { ...unchanged, etag, digest };
    if (text.length > largeAnswerLength) onLargeAnswer?.();
    const isLast = !isOld && lastPage?.digest === digest;
    return {
      body: await jsonOf(text),
      ...{ isUnchanged: false, etag, digest },
      total: rangeOf(answer).total,
      isPartial: isPartial(answer) ?? (isLast ? false : null),
      noteLast: () => {
        if (lastPages.size >= maxLastPages) lastPages.clear();
        lastPages.set(path, { digest, at: now() });
      },
    };
  }

  /** Adds the expiry date: it shows whether the certificate has expired. */
  async function withDate({ code, message }: RemoteError): Promise<Error> {
    const end = await certificateEndOf(new URL(baseUrl), silenceMs);
    const date = end === null ? "" : new Date(end).toISOString().slice(0, 10);
    return new RemoteError(
      code,
      date === ""
        ? message
        : composeSentence(connectionSentences["service-until"], {
            problem: message,
            date,
          }),
    );
  }

  return {
    request: (path, before = null, options = {}) =>
      answerOf(path, before, options).catch(async (error: unknown) => {
        const failure = toRemoteError(
          error,
          connectionSentences["the-service"],
        );
        throw failure instanceof RemoteError && failure.code === "certificate"
          ? await withDate(failure)
          : failure;
      }),
  };
}

interface LastPage {
  readonly digest: string;
  /** Wall clock, in milliseconds. */
  readonly at: number;
}

const maxLastPages = 1000;
const lastPageHoldsMs = 600_000;
const unchanged = {
  ...{ body: null, isUnchanged: true, isPartial: false, total: null },
  noteLast: () => undefined,
} as const;

/** A response other than 200 with JSON is not from the service, or is its rejection in its own error format (V2-530, V2-542). */
async function assertGood(
  { status, headers }: HttpAnswer,
  text: string,
  now: number,
  isSearch: boolean,
): Promise<void> {
  const isPortalPage = isPage(headers, text);
  if ((status === 200 || status === 206) && !isPortalPage) return;
  const waitMs = waitOf(headers["retry-after"], now);
  if (status === 407) throw proxyNeedsLogin();
  if (status === 511) throw portal();
  if (isBusy(status))
    throw new RemoteError(
      "unavailable",
      composeSentence(connectionSentences["service-status"], { status }),
      waitMs,
      status,
    );
  if (isPortalPage) throw portal(status);
  if (status >= 400 && !isSearch && !(await isRefusal(text)))
    throw strangerAnswers(status);
  if (status === 401 || status === 403)
    throw new RemoteError(
      "unauthorized",
      connectionSentences["token-rejected"],
      null,
      status,
    );
  throw new RemoteError(
    "refused",
    composeSentence(connectionSentences["service-status"], { status }),
    waitMs,
    status,
  );
}

async function isRefusal(text: string): Promise<boolean> {
  return parseUntrustedJson(text).then(isServiceRefusal, () => false);
}

function jsonOf(text: string): Promise<unknown> {
  return parseUntrustedJson(text).catch(() => {
    throw new RemoteError("malformed", connectionSentences["not-json"]);
  });
}

/**
 * A service may return fewer rows than requested: 206, or a range that ends before the total. Without a total it is unknown:
 * PostgREST truncates a list with a plain 200 (V2-541, V2-622).
 */
export function isPartial({
  status,
  headers,
}: Pick<HttpAnswer, "status" | "headers">): boolean | null {
  const { last, total } = rangeOf({ headers });
  if (total !== null) return last !== null && last + 1 < total;
  return status === 206 ? true : null;
}

/** Place of the last row in the whole list, and the length of that; null for what the response does not tell. */
function rangeOf({ headers }: Pick<HttpAnswer, "headers">): {
  readonly last: number | null;
  readonly total: number | null;
} {
  const [, last, total = "*"] =
    /^(?:[a-z]{1,20} )?(?:\d{1,15}-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(
      headers["content-range"] ?? "",
    ) ?? [];
  return {
    last: last === undefined ? null : Number(last),
    total: total === "*" ? null : Number(total),
  };
}

/** No screen has a longer list. */
const maxRows = 100_000;
const maxPages = 2000;

export interface RowPage {
  readonly rows: readonly Row[];
  /** Null: the response does not tell. */
  readonly isPartial: boolean | null;
  /** The page turned out to be the end of the list. */
  readonly noteLast?: () => void;
}

export interface PagesOptions {
  /** The column that the rows are ordered by; null if there is no single one and pages go by offset. */
  readonly key: string | null;
  /** `after` is the key of the last row of the previous page, empty at first; `count` is the number of rows before this page. */
  readonly page: (
    after: string,
    count: number,
  ) => Promise<RowPage | "unchanged">;
  readonly seen: (rows: readonly Row[]) => void;
}

/**
 * Reads a list until the service reports it complete or returns no more rows (V2-541); by key, inserts and deletes in the meantime
 * shift nothing (V2-215). Throws `malformed` for an endless list.
 */
export async function readPages({
  key,
  page,
  seen,
}: PagesOptions): Promise<{ readonly pages: number } | "unchanged"> {
  const lastKeys = new Set<string>();
  let after = "";
  let count = 0;
  let last: RowPage | null = null;
  /** Largest page so far. */
  let most = 0;
  for (let pages = 1; ; pages += 1) {
    const answer = await page(after, count);
    if (answer === "unchanged") return answer;
    const { rows } = answer;
    // A service without paging returns the whole list again.
    if (last && (rows.length === 0 || isAgain(answer, last))) {
      last.noteLast?.();
      return { pages: pages - 1 };
    }
    seen(rows);
    count += rows.length;
    last = answer;
    // A page as long as the largest one may not be the last.
    const isMore = answer.isPartial ?? rows.length >= most;
    if (rows.length === 0 || !isMore) return { pages };
    most = Math.max(most, rows.length);
    if (count > maxRows || pages >= maxPages) throw endless();
    if (key === null) continue;
    const newest = rows
      .map((row) => idIn(row, key))
      .filter((id) => id !== null)
      .at(-1);
    if (newest === undefined || lastKeys.has(newest)) throw endless();
    lastKeys.add(newest);
    after = newest;
  }
}

/**
 * All rows of a list, by the column that the path orders them by, or by offset if that is null; a list with more than `most` rows is
 * not read to its end.
 */
export async function readRows(
  http: CloudHttp,
  [what, path]: readonly [ListName, string],
  key: string | null,
  most = Infinity,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await readPages({
    key,
    page: async (after, count) => {
      if (count > most) return { rows: [], isPartial: false };
      const more = key === null ? `&offset=${count}` : `&${key}=gt.${after}`;
      const answer = await http.request(count === 0 ? path : path + more);
      return { ...answer, rows: rowsOf(answer.body, what) };
    },
    seen: (page) => rows.push(...page),
  });
  return rows;
}

function isAgain({ rows, isPartial }: RowPage, last: RowPage): boolean {
  return (
    isPartial === null && JSON.stringify(rows) === JSON.stringify(last.rows)
  );
}

function endless(): RemoteError {
  return new RemoteError("malformed", connectionSentences.endless);
}

/** Upper bound of one response, uncompressed: a list of ten thousand assets takes a sixth of it. */
const maxAnswerBytes = 64 * 1024 * 1024;

export interface AnswerText {
  readonly text: string;
  /** SHA-256 of its bytes; equal digests mean equal texts. */
  readonly digest: string;
}

/** Throws a RemoteError if it is longer than any list can be (V2-549). */
export async function textOf({
  body,
  headers,
}: HttpAnswer): Promise<AnswerText> {
  const isPacked = /\bgzip\b/i.test(headers["content-encoding"] ?? "");
  const source: Readable = isPacked ? body.pipe(createGunzip()) : body;
  // An error of the connection must also end decompression.
  if (isPacked) body.once("error", (error) => source.destroy(error));
  const decoder = new StringDecoder("utf8");
  const hash = createHash("sha256");
  let text = "";
  let sizeBytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxAnswerBytes) {
      body.destroy();
      throw new RemoteError("malformed", generalSentences["response-large"]);
    }
    hash.update(chunk);
    text += decoder.write(chunk);
  }
  return { text: text + decoder.end(), digest: hash.digest("hex") };
}

/** Detects a web page by its content type or by how it begins. */
export function isPage(headers: IncomingHttpHeaders, text: string): boolean {
  return (
    /html/i.test(headers["content-type"] ?? "") ||
    /^\s*<(!|html)/i.test(text.slice(0, maxBlanks))
  );
}

/** No page has more whitespace than this before it begins. */
const maxBlanks = 4096;

/**
 * A rejection in the service's own format: `{"detail"}` and sentences by field in version 3 and the link, `code` with `message` in
 * version 4 (V2-530).
 */
export function isServiceRefusal(json: unknown): boolean {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return false;
  if ("detail" in json) return typeof json.detail === "string";
  if ("message" in json)
    return typeof json.message === "string" && "code" in json;
  const fields: readonly unknown[] = Object.values(json);
  return fields.length > 0 && fields.every(Array.isArray);
}

/** An intermediary answered in the service's place: this is no rejection by the service (V2-530). */
export function strangerAnswers(status: number): RemoteError {
  return new RemoteError(
    "unavailable",
    composeSentence(connectionSentences.stranger, { status }),
    null,
    status,
  );
}

export function portal(status: number | null = null): RemoteError {
  return new RemoteError("portal", connectionSentences.portal, null, status);
}

export function proxyNeedsLogin(): RemoteError {
  return new RemoteError("proxy", connectionSentences["proxy-login"]);
}

const id = z.string();
const row = z.looseObject({});
const withId = z.looseObject({ id });

/** An embedded relation; a single row if the relation leads to one. */
const assetsOfItem = z.union([withId, z.array(withId), z.null()]);

const playlistV4 = z.looseObject({
  id,
  playlist_items: z.array(
    z.looseObject({ asset_id: id.nullable(), assets: assetsOfItem.optional() }),
  ),
});

/** The row shape of each requested list, by a name for it. */
const rowShapes = {
  anything: row,
  assets: withId,
  "asset groups": withId,
  labels: z.looseObject({ id, playlists: z.array(playlistV4) }),
  "labels of the screen": z.looseObject({ label_id: id }),
  "pages of documents": z.looseObject({ id, pdf_asset_id: id }),
  "files of an app": withId,
  installations: withId,
  channels: z.looseObject({ app_id: id, channel: z.string() }),
  versions: z.looseObject({ app_id: id, revision: z.number() }),
  settings: z.looseObject({ name: z.string() }),
  "groups of version 3": withId,
  "playlists of version 3": z.looseObject({ id, groups: z.array(withId) }),
} as const;

export type ListName = keyof typeof rowShapes;

/** The rows of a list. Throws `malformed` for anything but a list of such rows. */
export function rowsOf(body: unknown, what: ListName): readonly Row[] {
  const reading = z.array(rowShapes[what]).safeParse(body);
  if (reading.success) return reading.data;
  throw new RemoteError(
    "malformed",
    Array.isArray(body)
      ? connectionSentences["unexpected-row"]
      : connectionSentences["not-a-list"],
  );
}

const playlistV3 = z.looseObject({ id, assets: z.array(withId) });

/** A playlist of version 3 in a response of its own. Throws `malformed` for anything else, including another playlist. */
export function playlistOf(body: unknown, playlistId: string): Row {
  const reading = playlistV3.safeParse(body);
  if (reading.success && reading.data.id === playlistId) return reading.data;
  throw new RemoteError("malformed", connectionSentences["not-a-playlist"]);
}
