// HTTP client: follows redirects, enforces deadlines, and passes the body on as it arrives.
//
// Written on node:http rather than undici (7.30.2): there, which addresses may be connected to, whether certificates are verified,
// and the proxy are decided per agent and its pool, here per request, also on a connection that is reused. Its redirects keep
// every header but Authorization and Cookie, so that an asset's own headers would reach the server that it redirects to.

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Readable, pipeline } from "node:stream";
import { OutsideError } from "../outside-error.ts";
import { ProxyError, tunnelThrough } from "./proxy-tunnel.ts";

export interface HttpRequestOptions {
  /** Redirects are followed only for GET and HEAD; the response to any other method is the one of the first server. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** True returns a redirect as it is, whatever the method. */
  readonly isFirstServerOnly?: boolean;
  readonly body?: SentBody;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** False accepts any certificate. */
  readonly verifyTls: boolean;
  /** A connection that delivers no byte for this long is closed. */
  readonly silenceMs: number;
  /** Sent to the origin of the first request, and to none it redirects to. */
  readonly originHeaders?: Readonly<Record<string, string>>;
  /** Called for each address before connecting, redirects included; false rejects it. */
  readonly mayConnect?: (address: string) => boolean;
  /** Address of an HTTP proxy; null connects directly. */
  readonly proxy?: string | null;
  /** Opens the connections instead of Node's own agent; only for `https:`, without a proxy. */
  readonly agent?: https.Agent;
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

/** A quarter of what browsers follow before they report a loop. */
const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Throws the connection's error; `reasonOfConnection` returns a message for it. */
export async function requestHttp(
  address: URL,
  options: HttpRequestOptions,
): Promise<HttpAnswer> {
  const body = await following(address, options);
  return { status: body.statusCode ?? 0, headers: body.headers, body };
}

/** Sends the request, and follows redirects. */
async function following(
  address: URL,
  options: HttpRequestOptions,
): Promise<IncomingMessage> {
  let at = address;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const isOrigin = at.origin === address.origin;
    const answer = await send(at, isOrigin ? options : withoutOrigin(options));
    const { location } = answer.headers;
    const isRead =
      !options.isFirstServerOnly &&
      /^(GET|HEAD)$/.test(options.method ?? "GET");
    if (
      !isRead ||
      !redirects.has(answer.statusCode ?? 0) ||
      location === undefined
    )
      return answer;
    answer.destroy();
    at = new URL(location, at);
    if (at.protocol !== "http:" && at.protocol !== "https:")
      throw new Error("redirected to an address that is not http or https");
  }
  throw new Error("redirected too often");
}

function withoutOrigin(options: HttpRequestOptions): HttpRequestOptions {
  const { originHeaders: _, ...others } = options;
  return others;
}

/** Sends one request and returns its response. */
function send(
  address: URL,
  options: HttpRequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest(address, options, reject);
    request.on("response", resolve);
    // Closed without a response, and without an error if the server speaks another protocol unasked (V2-670).
    request.on("close", () => reject(brokenOff()));
    const { body } = options;
    if (body?.content instanceof Readable)
      // An error on either side ends the request, and is reported there.
      pipeline(body.content, request, () => undefined);
    else request.end(body?.content);
  });
}

/** A request of which nothing has been sent yet. */
function openRequest(
  address: URL,
  options: HttpRequestOptions,
  reject: (error: Error) => void,
): http.ClientRequest {
  const { method = "GET", headers, signal, verifyTls, silenceMs } = options;
  const { originHeaders, mayConnect, body, proxy, agent } = options;
  // A host name is looked up on the way; an IP address never is.
  const literal = address.hostname.replace(/^\[|\]$/g, "");
  if (mayConnect && isIP(literal) !== 0 && !mayConnect(literal))
    throw new RefusedAddressError();
  const isSecure = address.protocol === "https:";
  const request = (isSecure ? https : http).request(
    proxy && !isSecure ? new URL(proxy) : address,
    {
      method,
      ...(agent && { agent }),
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
  // A reused connection may come from a request that was allowed to connect anywhere: checked before anything is sent.
  request.prependListener("socket", ({ remoteAddress }) => {
    if (!mayConnect || proxy || !request.reusedSocket || !remoteAddress) return;
    if (!mayConnect(remoteAddress)) request.destroy(new RefusedAddressError());
  });
  let answer: IncomingMessage | null = null;
  request.on("response", (response) => {
    answer = response;
  });
  // The reader of the body receives the reason why it ends.
  request.on("timeout", () => (answer ?? request).destroy(new SilenceError()));
  request.on("error", (error) =>
    reject(proxy && !isSecure ? ofProxy(error) : error),
  );
  return request;
}

/** An error before the first byte of the response is the proxy's. */
function ofProxy(error: NodeJS.ErrnoException): Error {
  return error.syscall === "connect" || error.syscall === "getaddrinfo"
    ? new ProxyError(reasonOfConnection(error))
    : error;
}

/** Looks a name up and connects only to allowed addresses: the address that was checked is the one that is connected to. */
function lookUpAmong(mayConnect: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error
        ? []
        : addresses.filter((one) => mayConnect(one.address));
      const [first] = allowed;
      if (error) done(error, []);
      else if (!first) done(new RefusedAddressError(), []);
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

/** An address that `mayConnect` rejected. */
export class RefusedAddressError extends Error {
  constructor() {
    super("it resolves to an address on a private network");
    this.name = "RefusedAddressError";
  }
}

function brokenOff(): OutsideError {
  return new OutsideError("broken-off", "the connection was lost");
}

class SilenceError extends Error {
  constructor() {
    super("no data arrived for too long");
    this.name = "TimeoutError";
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host name cannot be resolved",
  EAI_AGAIN: "no DNS server responded",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was lost",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the network",
  ETIMEDOUT: "it did not respond in time",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate was issued by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** Why a connection failed, as the end of a sentence. */
export function reasonOfConnection(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  if (error instanceof RefusedAddressError || error instanceof ProxyError)
    return error.message;
  if (error instanceof OutsideError && error.kind === "broken-off")
    return error.message;
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return "it did not respond in time";
  const code = "code" in error ? String(error.code) : "";
  const known = reasons[code];
  if (known !== undefined) return known;
  return error.message.startsWith("redirected")
    ? `it ${error.message.replace("redirected", "redirects")}`
    : "the connection failed";
}
