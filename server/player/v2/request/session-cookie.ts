// The cookie of a session, and what a request that is admitted by it must prove (V2-773, V2-775).

import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";
import { managerHeader } from "../../../contract/v2/manager-header.ts";
import { isOfOtherSite } from "../../../platform/http/allowed-hosts.ts";
import { maxSessionMs } from "../../sign-in-sessions.ts";

const cookieName = "vitrine_session";
/** 32 bytes in base64url. */
const cookiePattern = /(?:^|; ?)vitrine_session=([\w-]{43})(?=;|$)/;

/** The secret in the cookie; null when there is none, and when a page of another site sent the request. */
export function sessionSecretOf({ headers }: Request): string | null {
  if (isOfOtherSite(headers, `http://${headers.host}`)) return null;
  return cookiePattern.exec(headers.cookie ?? "")?.[1] ?? null;
}

/** For `Set-Cookie`; an empty secret removes it. */
export function sessionCookie(request: Request, secret: string): string {
  const seconds = secret === "" ? 0 : maxSessionMs / 1000;
  return [
    `${cookieName}=${secret}`,
    ...["Path=/", `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict"],
    ...("encrypted" in request.socket ? ["Secure"] : []),
  ].join("; ");
}

/** Sent by the manager with every request it makes itself; no page of another site can add it without permission. */
export function isOfManager(headers: IncomingHttpHeaders): boolean {
  return headers[managerHeader.name] !== undefined;
}

/** A challenge with Basic would make a browser open a dialog of its own in front of the manager. */
export function isOfBrowserManager({ headers }: Request): boolean {
  return (
    isOfManager(headers) || (headers.cookie ?? "").includes(`${cookieName}=`)
  );
}
