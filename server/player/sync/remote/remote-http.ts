// Asking a cloud for JSON: with its token, compressed, and with an eye on who else may be answering.

import { createHash } from "node:crypto";
import { isCredential } from "../../../contract/link.ts";
import { certificateEndOf } from "../../../platform/certificate-end.ts";
import { askHttp, type HttpAnswer } from "../../../platform/http-client.ts";
import { isPage, portal, proxyWantsName, textOf } from "./remote-text.ts";
import { CloudTrouble, troubleOf, waitOf } from "./remote-error.ts";

export interface CloudAddress {
  readonly baseUrl: string;
  readonly token: string;
  readonly isCertificateSkipped: boolean;
  readonly proxyUrl: string | null;
  /** Names are looked up and answers begun within it, and no pause is longer. */
  readonly silenceMs?: number;
}

export interface CloudAnswer {
  /** Null: what the validator stood for still holds. */
  readonly body: unknown;
  readonly isUnchanged: boolean;
  readonly etag: string | null;
  /** Of the text; two that are equal say the same. */
  readonly digest: string;
}

export interface CloudHttp {
  /** Throws a CloudTrouble. The path begins with a slash; what was told before saves the answer. */
  ask(path: string, before?: Validator | null): Promise<CloudAnswer>;
}

export interface Validator {
  readonly etag: string | null;
  readonly digest: string;
}

/** A list of ten thousand assets is a tenth of it. */
const mostBytes = 256 * 1024 * 1024;
/** From asking to the last byte. */
const deadlineMs = 120_000;
const usualSilenceMs = 10_000;

export function createCloudHttp(
  {
    baseUrl,
    token,
    isCertificateSkipped,
    proxyUrl,
    silenceMs = usualSilenceMs,
  }: CloudAddress,
  now: () => number,
  /** Asked for each question: what calls the one off need not call off the next. */
  stopped: () => AbortSignal,
): CloudHttp {
  // The link knows credentials by this word alone (L-3).
  const scheme = isCredential(token) ? "Bearer" : "Token";

  async function answerOf(
    path: string,
    before: Validator | null,
  ): Promise<CloudAnswer> {
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
      return { ...before, etag, body: null, isUnchanged: true };
    }
    const text = await textOf(answer, mostBytes);
    assertGood(answer, text, now());
    const digest = createHash("sha256").update(text).digest("hex");
    if (before?.digest === digest)
      return { body: null, isUnchanged: true, etag, digest };
    return { body: jsonOf(text), isUnchanged: false, etag, digest };
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
    ask: (path, before = null) =>
      answerOf(path, before).catch(async (error: unknown) => {
        const trouble = troubleOf(error, "The cloud");
        throw trouble instanceof CloudTrouble && trouble.code === "certificate"
          ? await withDate(trouble)
          : trouble;
      }),
  };
}

/** Whatever is not 200 and JSON is not the cloud's answer, or is its refusal. */
function assertGood(
  { status, headers }: HttpAnswer,
  text: string,
  now: number,
): void {
  const waitMs = waitOf(headers["retry-after"], now);
  const isForeign = isPage(headers, text);
  if (status === 401 || status === 403) {
    if (isForeign) throw portal();
    throw new CloudTrouble(
      "unauthorized",
      "The cloud does not accept this token. Give the account another one.",
    );
  }
  if (status === 407) throw proxyWantsName();
  if (status === 511) throw portal();
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new CloudTrouble(
      "unavailable",
      `The cloud answers ${status}.`,
      waitMs,
    );
  if (isForeign) throw portal();
  if (status !== 200 && status !== 206)
    throw new CloudTrouble("refused", `The cloud answers ${status}.`, waitMs);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CloudTrouble("malformed", "The cloud's answer is no JSON.");
  }
}
