// How an app reaches other servers past their sharing rules: under its own origin, and never the player itself.

import type { Session } from "electron";
import type { PageSurroundings } from "../server/contract/web.ts";
import {
  isLoopback,
  networkAddresses,
  ownNames,
} from "../server/platform/addresses.ts";

/** A server that has not answered after this long, will not. */
const deadlineMs = 30_000;
const mostBodyBytes = 16 * 1024 * 1024;

/** The connection's own business, or what would tell who is behind it. */
const notSent =
  /^(host|connection|content-length|transfer-encoding|te|upgrade|cookie|origin|referer|proxy-.*|sec-.*)$/i;
/** Of the connection, already undone, or meant for a page of that server. */
const notHandedOn =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie2?|clear-site-data|strict-transport-security|x-frame-options|content-security-policy.*|cross-origin-.*|permissions-policy|report-to|nel|alt-svc|service-worker-allowed|refresh|link)$/i;

/** `edge-app://<id>/cors-proxy/https://example.org/` is `https://example.org/`. */
export async function proxied(
  session: Session,
  request: Request,
  address: string,
): Promise<Response> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    return said(400, "Only http and https addresses are fetched.");
  const { method } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await request.arrayBuffer() : undefined;
  if (body && body.byteLength > mostBodyBytes)
    return said(413, "The body is too large.");
  try {
    const answer = await session.fetch(address, {
      method,
      headers: kept(request.headers, notSent),
      ...(body && { body }),
      credentials: "omit",
      signal: AbortSignal.any([
        request.signal,
        AbortSignal.timeout(deadlineMs),
      ]),
    });
    return new Response(mayHaveBody(answer.status) ? answer.body : null, {
      status: answer.status,
      headers: {
        ...kept(answer.headers, notHandedOn),
        // Data for the app, never a page under its origin.
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
      },
    });
  } catch {
    return said(502, "This address cannot be fetched.");
  }
}

/** Whatever in this session asks for the player itself is not asked, by any of its names, after a redirect too. */
export function refuseOwnInterface(
  session: Session,
  surroundings: () => PageSurroundings | undefined,
): void {
  session.webRequest.onBeforeRequest(
    { urls: ["http://*/*", "https://*/*", "ws://*/*", "wss://*/*"] },
    ({ url }, proceed) => {
      const own = surroundings()?.apiAddress ?? "";
      proceed({ cancel: isOwnInterface(url, own) });
    },
  );
}

export function isOwnInterface(address: string, apiAddress: string): boolean {
  if (!URL.canParse(apiAddress) || !URL.canParse(address)) return false;
  const { hostname, port } = new URL(address.replace(/^ws(s?):/i, "http$1:"));
  const own = new URL(apiAddress);
  if (portOf(port) !== portOf(own.port)) return false;
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return (
    host === own.hostname.replace(/^\[|\]$/g, "") ||
    isLoopback(host) ||
    /(^|\.)localhost$/.test(host) ||
    /^(0\.0\.0\.0|::|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/.test(host) ||
    ownNames().includes(host) ||
    networkAddresses().some((entry) => entry.address === host)
  );
}

function portOf(port: string): number {
  return port === "" ? 80 : Number(port);
}

function kept(headers: Headers, without: RegExp): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => !without.test(name)),
  );
}

function mayHaveBody(status: number): boolean {
  return ![101, 204, 205, 304].includes(status);
}

function said(status: number, sentence: string): Response {
  return new Response(sentence, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
