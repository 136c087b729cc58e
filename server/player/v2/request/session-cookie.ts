// The cookie of a session, and what a request that is admitted by it must prove (V2-773, V2-775).

import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";
import { managerHeader } from "../../../contract/v2/manager-header.ts";
import {
  isEncrypted,
  isOfOtherSite,
  ownOrigin,
} from "../../../platform/http/allowed-hosts.ts";
import { maxMsOf } from "../../sign-in-sessions.ts";

/**
 * A browser sends a cookie to every port of a host: players behind one name keep apart by theirs. With TLS, the name makes browsers
 * reject one that was set without.
 */
function cookieName({
  headers: { host = "" },
  socket,
}: Pick<Request, "headers" | "socket">): string {
  const isTls = isEncrypted(socket);
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? (isTls ? "443" : "80");
  return `${isTls ? "__Host-" : ""}vitrine_session_${port}`;
}

/** 32 bytes in base64url. */
const secretPattern = /^[\w-]{43}$/;

/** The secret in the cookie; null when there is none, and when a page of another site sent the request. */
export function sessionSecretOf(request: Request): string | null {
  const { headers } = request;
  if (isOfOtherSite(headers, ownOrigin(request))) return null;
  const start = `${cookieName(request)}=`;
  const cookies = (headers.cookie ?? "").split(/; ?/);
  const secret = cookies.find((one) => one.startsWith(start));
  return secret === undefined || !secretPattern.test(secret.slice(start.length))
    ? null
    : secret.slice(start.length);
}

/** For `Set-Cookie`; an empty secret removes it. */
export function sessionCookie(
  request: Request,
  secret: string,
  isPhone = false,
): string {
  const seconds = secret === "" ? 0 : maxMsOf({ isPhone }) / 1000;
  return [
    `${cookieName(request)}=${secret}`,
    ...["Path=/", `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict"],
    ...(isEncrypted(request.socket) ? ["Secure"] : []),
  ].join("; ");
}

/** Sent by the manager with every request it makes itself; no page of another site can add it without permission. */
export function isOfManager(headers: IncomingHttpHeaders): boolean {
  return headers[managerHeader.name] !== undefined;
}

/**
 * A challenge with Basic would make a browser open a dialog of its own in front of the manager: also for the event stream and the
 * images of a page that is no longer signed in, which have neither the header nor a cookie.
 */
export function isOfBrowserManager({ headers }: Request): boolean {
  const { accept = "", "user-agent": agent = "" } = headers;
  const isPartOfPage =
    agent.startsWith("Mozilla/") && !accept.includes("text/html");
  return isOfManager(headers) || isPartOfPage;
}
