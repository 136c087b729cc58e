// Asking others over HTTP: redirects followed, deadlines kept, the body handed on as it comes.

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Readable, pipeline } from "node:stream";
import { OutsideError } from "../outside-error.ts";
import { ProxyError, tunnelThrough } from "./proxy-tunnel.ts";

export interface HttpRequestOptions {
  /** What is sent by another method than GET and HEAD is answered by whoever is asked: nobody follows a redirect with it. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: SentBody;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** False takes any certificate. */
  readonly verifyTls: boolean;
  /** Without a byte for this long the connection is given up. */
  readonly silenceMs: number;
  /** Sent to the origin that was asked first, and to nobody it redirects to. */
  readonly originHeaders?: Readonly<Record<string, string>>;
  /** Asked for each address that is about to be connected to, redirects included; false refuses it. */
  readonly mayConnect?: (address: string) => boolean;
  /** Of a proxy that speaks HTTP; none goes straight. */
  readonly proxy?: string | null;
}

export interface SentBody {
  readonly type: string;
  readonly sizeBytes: number;
  readonly content: Uint8Array | Readable;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/** As many as browsers follow before they call it a loop, divided by four. */
const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Throws what the connection throws; see `reasonOfConnection` for words. */
export async function requestHttp(
  address: URL,
  options: HttpRequestOptions,
): Promise<HttpAnswer> {
  const body = await following(address, options);
  return { status: body.statusCode ?? 0, headers: body.headers, body };
}

/** Asks, and asks whoever is redirected to. */
async function following(
  address: URL,
  options: HttpRequestOptions,
): Promise<IncomingMessage> {
  let at = address;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const isOrigin = at.origin === address.origin;
    const answer = await send(at, isOrigin ? options : withoutOrigin(options));
    const { location } = answer.headers;
    const isRead = /^(GET|HEAD)$/.test(options.method ?? "GET");
    if (
      !isRead ||
      !redirects.has(answer.statusCode ?? 0) ||
      location === undefined
    )
      return answer;
    answer.destroy();
    at = new URL(location, at);
    if (at.protocol !== "http:" && at.protocol !== "https:")
      throw new Error("redirected to something that is no web address");
  }
  throw new Error("redirected too often");
}

function withoutOrigin(options: HttpRequestOptions): HttpRequestOptions {
  const { originHeaders: _, ...others } = options;
  return others;
}

/** One question, and whatever answers it. */
function send(
  address: URL,
  options: HttpRequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest(address, options, reject);
    request.on("response", resolve);
    // Without an answer, and without an error where another protocol is spoken unasked (V2-670).
    request.on("close", () => reject(brokenOff()));
    const { body } = options;
    if (body?.content instanceof Readable)
      // What breaks off on either side ends the request, and is told there.
      pipeline(body.content, request, () => undefined);
    else request.end(body?.content);
  });
}

/** A request that nothing is sent of yet. */
function openRequest(
  address: URL,
  options: HttpRequestOptions,
  reject: (error: Error) => void,
): http.ClientRequest {
  const { method = "GET", headers, signal, verifyTls, silenceMs } = options;
  const { originHeaders, mayConnect, body, proxy } = options;
  // A name is looked up on the way; an address never is.
  const literal = address.hostname.replace(/^\[|\]$/g, "");
  if (mayConnect && isIP(literal) !== 0 && !mayConnect(literal))
    throw new RefusedAddressError();
  const isSecure = address.protocol === "https:";
  const request = (isSecure ? https : http).request(
    proxy && !isSecure ? new URL(proxy) : address,
    {
      method,
      ...(proxy &&
        (isSecure
          ? { agent: tunnelThrough(proxy, silenceMs) }
          : { path: address.href, setHost: false })),
      headers: {
        ...{ "User-Agent": "Vitrine", Accept: "*/*" },
        ...(proxy && !isSecure && { Host: address.host }),
        ...(body && {
          "Content-Type": body.type,
          "Content-Length": String(body.sizeBytes),
        }),
        ...headers,
        ...originHeaders,
      },
      ...(mayConnect && { lookup: lookUpAmong(mayConnect) }),
      ...(signal && { signal }),
      rejectUnauthorized: verifyTls,
      timeout: silenceMs,
    },
  );
  // A connection that is used again may come from a request that was allowed to connect anywhere: checked before anything is sent.
  request.prependListener("socket", ({ remoteAddress }) => {
    if (!mayConnect || proxy || !request.reusedSocket || !remoteAddress) return;
    if (!mayConnect(remoteAddress)) request.destroy(new RefusedAddressError());
  });
  let answer: IncomingMessage | null = null;
  request.on("response", (response) => {
    answer = response;
  });
  // Whoever reads the body is told why it ends.
  request.on("timeout", () => (answer ?? request).destroy(new SilenceError()));
  request.on("error", (error) =>
    reject(proxy && !isSecure ? ofProxy(error) : error),
  );
  return request;
}

/** Before the first word of the answer, it is the proxy that failed. */
function ofProxy(error: NodeJS.ErrnoException): Error {
  return error.syscall === "connect" || error.syscall === "getaddrinfo"
    ? new ProxyError(reasonOfConnection(error))
    : error;
}

/** Looks a name up and connects only where that is allowed: what was judged is what is connected to. */
function lookUpAmong(mayConnect: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error
        ? []
        : found.filter((one) => mayConnect(one.address));
      const [first] = allowed;
      if (error) done(error, []);
      else if (!first) done(new RefusedAddressError(), []);
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

/** An address that `mayConnect` says no to. */
export class RefusedAddressError extends Error {
  constructor() {
    super("it leads to an address of a private network");
    this.name = "RefusedAddressError";
  }
}

function brokenOff(): OutsideError {
  return new OutsideError("broken-off", "the connection broke off");
}

class SilenceError extends Error {
  constructor() {
    super("no byte came for too long");
    this.name = "TimeoutError";
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "no name server answers",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke off",
  EHOSTUNREACH: "there is no way to that machine",
  ENETUNREACH: "there is no way to that network",
  ETIMEDOUT: "it does not answer in time",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "nobody known vouches for its certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** Why a connection failed, as the end of a sentence. */
export function reasonOfConnection(error: unknown): string {
  if (!(error instanceof Error)) return "the connection fails";
  if (error instanceof RefusedAddressError || error instanceof ProxyError)
    return error.message;
  if (error instanceof OutsideError && error.kind === "broken-off")
    return error.message;
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return "it does not answer in time";
  const code = "code" in error ? String(error.code) : "";
  const known = reasons[code];
  if (known !== undefined) return known;
  return error.message.startsWith("redirected")
    ? `it ${error.message.replace("redirected", "redirects")}`
    : "the connection fails";
}
