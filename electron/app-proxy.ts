// How an app reaches other servers past their sharing rules: under its own origin. The player itself it does not reach (own-interface.ts).

import type { Session } from "electron";

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
