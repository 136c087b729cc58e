// Write requests to a content service: sends JSON and files, receives JSON, and tells intermediaries apart from the service.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";
import type { IncomingHttpHeaders } from "node:http";
import {
  requestHttp,
  type HttpAnswer,
  type SentBody,
} from "../../../platform/http/client.ts";
import { parseUntrustedJson } from "../../../platform/text/untrusted-json.ts";
import {
  isServiceRefusal,
  isPage,
  portal,
  proxyNeedsLogin,
  strangerAnswers,
  textOf,
} from "./remote-http.ts";
import { isBusy, RemoteError, toRemoteError, waitOf } from "./remote-error.ts";

export interface SenderAddress {
  readonly baseUrl: string;
  /** `Token KEY` or `Bearer CREDENTIAL`; null sends none. */
  readonly authorization: string | null;
  readonly isCertificateSkipped: boolean;
  readonly proxyUrl: string | null;
}

export interface SentAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null if the response is not JSON. */
  readonly json: unknown;
}

export type SendMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface SendOptions {
  readonly json?: unknown;
  readonly body?: SentBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Long poll: the service may hold the response for this long. */
  readonly waitSeconds?: number;
  /** Aborts this request only. */
  readonly signal?: AbortSignal;
  /** The path is being searched for: a 404 by an intermediary counts as a response, too. */
  readonly isSearch?: boolean;
}

/**
 * Throws a RemoteError if nothing answers or an intermediary does; returns any other response, including rejections in the
 * service's own error format (V2-530).
 */
export type Send = (
  method: SendMethod,
  path: string,
  options?: SendOptions,
) => Promise<SentAnswer>;

const silenceMs = 20_000;

export function createSend(
  address: SenderAddress,
  now: () => number,
  stopped: AbortSignal,
): Send {
  const { baseUrl, authorization, isCertificateSkipped, proxyUrl } = address;

  async function send(
    method: SendMethod,
    path: string,
    sent: SendOptions,
  ): Promise<SentAnswer> {
    const { json, body, headers, waitSeconds = 0, signal } = sent;
    const answer = await requestHttp(new URL(baseUrl + path), {
      ...{ method, verifyTls: !isCertificateSkipped, proxy: proxyUrl },
      silenceMs: silenceMs + waitSeconds * 1000,
      signal: signal ? AbortSignal.any([stopped, signal]) : stopped,
      ...(authorization !== null && {
        originHeaders: { Authorization: authorization },
      }),
      headers: { Accept: "application/json", ...headers },
      ...(json === undefined ? body && { body } : { body: jsonBody(json) }),
    });
    const { text } = await textOf(answer);
    const { status, headers: received } = answer;
    const parsed = { status, headers: received, json: await read(text) };
    refuseStrangers(answer, text, parsed, now());
    if (!(sent.isSearch === true && status === 404)) assertFromService(parsed);
    return parsed;
  }

  return (method, path, options = {}) =>
    send(method, path, options).catch((error: unknown) => {
      throw toRemoteError(error, connectionSentences["the-service"]);
    });
}

function jsonBody(value: unknown): SentBody {
  const content = Buffer.from(JSON.stringify(value));
  return { type: "application/json", sizeBytes: content.length, content };
}

async function read(text: string): Promise<unknown> {
  try {
    return await parseUntrustedJson(text);
  } catch {
    return null;
  }
}

/** Throws for pages in place of the service and for a service that asks to retry later. */
function refuseStrangers(
  { status, headers }: HttpAnswer,
  text: string,
  parsed: SentAnswer,
  now: number,
): void {
  if (isBusy(status))
    throw new RemoteError(
      status === 511 ? "portal" : "unavailable",
      // Of too many requests, the service itself says which, and when to retry.
      status === 429 && isServiceRefusal(parsed.json)
        ? reasonIn(parsed)
        : composeSentence(connectionSentences["service-status"], { status }),
      waitOf(headers["retry-after"], now) ?? (isTooMuch(status) ? 0 : null),
      status,
    );
  if (status === 407) throw proxyNeedsLogin();
  // A rejection may be a page of the server in front of the service; but only the service itself decides who is unauthorized or no
  // longer known.
  const isAnswer = status >= 400 && ![401, 403, 410].includes(status);
  if (!isAnswer && isPage(headers, text)) throw portal();
}

/** A rejection counts only in the service's own format; but what is too large for an intermediary is so every time (V2-530). */
function assertFromService({ status, json }: SentAnswer): void {
  if (status < 400 || status === 413 || isServiceRefusal(json)) return;
  throw strangerAnswers(status);
}

/** Retry later, even if the response does not state when. */
function isTooMuch(status: number): boolean {
  return status === 425 || status === 429;
}
