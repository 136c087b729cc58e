// Asking a cloud for JSON: with its token, compressed, and with an eye on who else may be answering.

import { isCredential } from "../../../contract/link.ts";
import { certificateEndOf } from "../../../platform/http/certificate-end.ts";
import { askHttp, type HttpAnswer } from "../../../platform/http/client.ts";
import { parseForeignJson } from "./foreign-json.ts";
import {
  isOwnRefusal,
  isPage,
  portal,
  proxyWantsName,
  strangerAnswers,
  textOf,
} from "./remote-text.ts";
import { isPartial } from "./row-range.ts";
import { CloudTrouble, troubleOf, waitOf } from "./remote-error.ts";

export interface CloudAddress {
  readonly baseUrl: string;
  readonly token: string;
  readonly isCertificateSkipped: boolean;
  readonly proxyUrl: string | null;
  /** Names are looked up and answers begun within it, and no pause is longer. */
  readonly silenceMs?: number;
  /** One is about to be read that may take much memory (V2-620). */
  readonly onLargeAnswer?: () => void;
}

export interface CloudAnswer {
  /** Null: what the validator stood for still holds. */
  readonly body: unknown;
  readonly isUnchanged: boolean;
  readonly etag: string | null;
  /** Of the text; two that are equal say the same. */
  readonly digest: string;
  /** The service has more rows than these (V2-541); null where it does not say. */
  readonly isPartial: boolean | null;
  /** It was the end of its list: the same answer is taken for that for a while (V2-622). */
  readonly noteLast: () => void;
}

export interface CloudHttp {
  /** Throws a CloudTrouble. The path begins with a slash; what was told before saves the answer. */
  ask(
    path: string,
    before?: Validator | null,
    options?: RequestOptions,
  ): Promise<CloudAnswer>;
}

export interface RequestOptions {
  /** The path is being looked for: a refusal of whoever stands before the service is an answer, too. */
  readonly isSearch?: boolean;
}

export interface Validator {
  readonly etag: string | null;
  readonly digest: string;
}

/** From asking to the last byte. */
const deadlineMs = 120_000;
const usualSilenceMs = 10_000;
const largeAnswerLength = 1024 * 1024;

export function createCloudHttp(
  {
    baseUrl,
    token,
    isCertificateSkipped,
    proxyUrl,
    silenceMs = usualSilenceMs,
    onLargeAnswer,
  }: CloudAddress,
  now: () => number,
  /** Asked for each question: what calls the one off need not call off the next. */
  stopped: () => AbortSignal,
): CloudHttp {
  /** Answers that were the end of their lists, by path. */
  const lastPages = new Map<string, LastPage>();
  // The link knows credentials by this word alone (L-3).
  const scheme = isCredential(token) ? "Bearer" : "Token";

  async function answerOf(
    path: string,
    validator: Validator | null,
    { isSearch = false }: RequestOptions,
  ): Promise<CloudAnswer> {
    const lastPage = lastPages.get(path);
    const isOld =
      lastPage !== undefined &&
      Math.abs(now() - lastPage.at) >= lastPageHoldsMs;
    // A list that is as long as the service gives at once grows behind its last row, where the same answer tells nothing of it.
    const before = isOld ? null : validator;
    const signal = AbortSignal.any([
      stopped(),
      AbortSignal.timeout(deadlineMs),
    ]);
    const answer = await askHttp(new URL(baseUrl + path), {
      verifyTls: !isCertificateSkipped,
      ...{ signal, silenceMs, proxy: proxyUrl },
      originHeaders: { Authorization: `${scheme} ${token}` },
      headers: {
        Accept: "application/json",
        "Accept-Encoding": "gzip",
        ...(before?.etag && { "If-None-Match": before.etag }),
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
      isPartial: isPartial(answer) ?? (isLast ? false : null),
      noteLast: () => {
        if (lastPages.size >= mostLastPages) lastPages.clear();
        lastPages.set(path, { digest, at: now() });
      },
    };
  }

  /** Whoever reads it wants to know whether it is an old one. */
  async function withDate({ code, message }: CloudTrouble): Promise<Error> {
    const end = await certificateEndOf(new URL(baseUrl), silenceMs);
    const date = end === null ? "" : new Date(end).toISOString().slice(0, 10);
    return new CloudTrouble(
      code,
      date === "" ? message : `${message} It is valid until ${date}.`,
    );
  }

  return {
    ask: (path, before = null, options = {}) =>
      answerOf(path, before, options).catch(async (error: unknown) => {
        const trouble = troubleOf(error, "The cloud");
        throw trouble instanceof CloudTrouble && trouble.code === "certificate"
          ? await withDate(trouble)
          : trouble;
      }),
  };
}

interface LastPage {
  readonly digest: string;
  /** Wall milliseconds. */
  readonly at: number;
}

const mostLastPages = 1000;
const lastPageHoldsMs = 600_000;
const unchanged = {
  ...{ body: null, isUnchanged: true, isPartial: false },
  noteLast: () => undefined,
} as const;

/** Whatever is not 200 and JSON is not the cloud's answer, or is its refusal, in its own shape (V2-530, V2-542). */
async function assertGood(
  { status, headers }: HttpAnswer,
  text: string,
  now: number,
  isSearch: boolean,
): Promise<void> {
  const waitMs = waitOf(headers["retry-after"], now);
  const isForeign = isPage(headers, text);
  if (status === 407) throw proxyWantsName();
  if (status === 511) throw portal();
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new CloudTrouble(
      "unavailable",
      `The cloud answers ${status}.`,
      waitMs,
      status,
    );
  if (isForeign) throw portal(status);
  if (status === 200 || status === 206) return;
  if (status >= 400 && !isSearch && !(await isRefusal(text)))
    throw strangerAnswers(status);
  if (status === 401 || status === 403)
    throw new CloudTrouble(
      "unauthorized",
      "The cloud does not accept this token. Give the account another one.",
      null,
      status,
    );
  throw new CloudTrouble(
    "refused",
    `The cloud answers ${status}.`,
    waitMs,
    status,
  );
}

async function isRefusal(text: string): Promise<boolean> {
  return parseForeignJson(text).then(isOwnRefusal, () => false);
}

function jsonOf(text: string): Promise<unknown> {
  return parseForeignJson(text).catch(() => {
    throw new CloudTrouble("malformed", "The cloud's answer is no JSON.");
  });
}
