// Asking a service for more than reading: JSON and files sent, JSON answered, and what stands in between told apart.

import type { IncomingHttpHeaders } from "node:http";
import {
  requestHttp,
  type HttpAnswer,
  type SentBody,
} from "../../../platform/http/client.ts";
import {
  parseUntrustedJson,
  isServiceRefusal,
  isPage,
  portal,
  proxyNeedsLogin,
  strangerAnswers,
  textOf,
} from "./remote-text.ts";
import { RemoteError, toRemoteError, waitOf } from "./remote-error.ts";

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
  /** Null where the answer is no JSON. */
  readonly json: unknown;
}

export type SendMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface SendOptions {
  readonly json?: unknown;
  readonly body?: SentBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer may be held back for so long. */
  readonly waitSeconds?: number;
  /** Calls this one question off. */
  readonly signal?: AbortSignal;
  /** The path is being looked for: a 404 of whoever stands before the service is an answer, too. */
  readonly isSearch?: boolean;
}

/** Throws a RemoteError where nobody answers, or somebody else; any other answer is handed on, refusals in the service's own shape too (V2-530). */
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
    refuseStrangers(answer, text, now());
    const parsed = { status, headers: received, json: await read(text) };
    if (!(sent.isSearch === true && status === 404)) assertFromService(parsed);
    return parsed;
  }

  return (method, path, options = {}) =>
    send(method, path, options).catch((error: unknown) => {
      throw toRemoteError(error, "The cloud");
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

/** A page that answers in the place of the cloud, and a cloud that asks to be left in peace. */
function refuseStrangers(
  { status, headers }: HttpAnswer,
  text: string,
  now: number,
): void {
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new RemoteError(
      status === 511 ? "portal" : "unavailable",
      `The cloud answers ${status}.`,
      waitOf(headers["retry-after"], now) ?? (isTooMuch(status) ? 0 : null),
      status,
    );
  if (status === 407) throw proxyNeedsLogin();
  // A refusal may be a page of the server before the service; but who is not let in, or no longer known, only the service says.
  const isAnswer = status >= 400 && ![401, 403, 410].includes(status);
  if (!isAnswer && isPage(headers, text)) throw portal();
}

/** A refusal counts only as the service itself words it; but what is too large for whoever stands before it is so each time (V2-530). */
function assertFromService({ status, json }: SentAnswer): void {
  if (status < 400 || status === 413 || isServiceRefusal(json)) return;
  throw strangerAnswers(status);
}

/** It is to be left in peace, also where it does not say for how long. */
function isTooMuch(status: number): boolean {
  return status === 425 || status === 429;
}

/** What a refusal says, in one sentence: of version 3, of version 4, or of the link. */
export function reasonIn({ status, json }: SentAnswer): string {
  const received =
    typeof json === "object" && json !== null
      ? (json as Readonly<Record<string, unknown>>)
      : {};
  for (const name of ["detail", "message", "error"])
    if (typeof received[name] === "string" && received[name] !== "")
      return received[name].slice(0, maxReasonLength);
  const fields = Object.entries(received).map(
    ([field, value]) => `${field}: ${[value].flat().map(String).join(" ")}`,
  );
  return fields.length > 0
    ? fields.join(" ").slice(0, maxReasonLength)
    : `The cloud answers ${status}.`;
}

const maxReasonLength = 1000;
