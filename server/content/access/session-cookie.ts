// The cookie of a person's session, and what a request that is admitted by it must prove (V4-371, V4-372).

import type { Request } from "express";
import { managerHeader } from "../../contract/v2/manager-header.ts";
import { Failure } from "../../core/failure.ts";
import { isRead } from "../../platform/http/request-log.ts";

/** What is kept in a browser: its session, and what it has begun with a provider or a passkey (V3-207, V3-212). */
type CookieKind = "session" | "openid" | "passkey";

/**
 * A browser sends a cookie to every port of a host: services behind one name keep apart by theirs. With HTTPS, the name makes
 * browsers reject one that was set without.
 */
function cookieName({ secure, host }: Request, kind: CookieKind): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? (secure ? "443" : "80");
  return `${secure ? "__Host-" : ""}vitrine_content_${kind}_${port}`;
}

/** 32 bytes in base64url. */
const secretPattern = /^[\w-]{43}$/;

export function sessionSecretOf(
  request: Request,
  kind: CookieKind = "session",
): string | null {
  const start = `${cookieName(request, kind)}=`;
  const cookies = (request.headers.cookie ?? "").split(/; ?/);
  const secret = cookies
    .find((one) => one.startsWith(start))
    ?.slice(start.length);
  return secret !== undefined && secretPattern.test(secret) ? secret : null;
}

/** For `Set-Cookie`; an empty secret removes it. */
export function sessionCookie(
  request: Request,
  secret: string,
  maxMs: number,
  kind: CookieKind = "session",
): string {
  const seconds = secret === "" ? 0 : maxMs / 1000;
  // The provider, which is another site, sends the browser back.
  const sameSite = kind === "openid" ? "Lax" : "Strict";
  return [
    `${cookieName(request, kind)}=${secret}`,
    ...["Path=/", `Max-Age=${seconds}`, "HttpOnly", `SameSite=${sameSite}`],
    ...(request.secure ? ["Secure"] : []),
  ].join("; ");
}

/** No page of another site can send this header: that needs a preflight, which no origin gets. */
export function requireManagerHeader(request: Request): void {
  if (!isRead(request) && request.headers[managerHeader.name] === undefined)
    throw new Failure(
      "forbidden",
      "A request that changes something needs the header X-Vitrine-Manager beside the session cookie.",
    );
}
