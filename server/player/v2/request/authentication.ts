// Authentication of requests: an access token as Bearer, or as the password of Basic (V2-60 to V2-63).

import type { RequestHandler, Response } from "express";
import { Failure } from "../../../core/failure.ts";
import type { Log } from "../../../platform/log.ts";
import type { Access } from "../../access-tokens.ts";
import type { History } from "../../logs/logs.ts";
import { isOfExtension } from "./cors.ts";
import { isLoopback } from "../../../platform/http/machine-addresses.ts";
import type { SettingsStore } from "../../settings.ts";
import {
  createInvalidTokenLimit,
  maxInvalidTokens,
} from "./invalid-token-limit.ts";

export interface RequireAccessOptions {
  readonly access: Access;
  readonly settings: SettingsStore;
  /** Where the interface listens. */
  readonly apiHost: string;
  readonly monotonic: () => number;
  readonly history: Pick<History, "note">;
  readonly log: Log;
}

/** Whether requests need a token now (V2-60). */
export function isTokenDemanded({
  access,
  settings,
  apiHost,
}: Pick<RequireAccessOptions, "access" | "settings" | "apiHost">): boolean {
  return (
    !isLoopback(apiHost) ||
    (settings.all().apiTokenRequired && access.hasTokens())
  );
}

export function requireAccess(options: RequireAccessOptions): RequestHandler {
  const { access } = options;
  const invalidTokens = createInvalidTokenLimit(options);

  return (request, response, next) => {
    const isDemanded = (): boolean =>
      isTokenDemanded(options) || isOfExtension(request);
    if (!isDemanded()) {
      letIn(response, () => !isDemanded());
      next();
      return;
    }
    const secret = secretFrom(request.headers.authorization);
    const id = secret === null ? null : access.idFor(secret);
    if (id !== null) {
      letIn(response, () => access.has(id));
      next();
      return;
    }
    response.setHeader("WWW-Authenticate", 'Bearer, Basic realm="Vitrine"');
    if (secret === null)
      throw new Failure("unauthorized", "An access token is required.");
    const { isLockedOut, secondsLeft } = invalidTokens.note(
      request.socket.remoteAddress ?? "",
    );
    if (!isLockedOut)
      throw new Failure("unauthorized", "This access token is not valid.");
    response.removeHeader("WWW-Authenticate");
    response.setHeader("Retry-After", secondsLeft);
    throw new Failure(
      "too-many",
      `This address sent more than ${maxInvalidTokens} invalid access tokens. Try again in ${secondsLeft} seconds.`,
    );
  };
}

/** For responses that outlive their request, such as event streams: whether the client is still authorised. */
function letIn(response: Response, mayStay: () => boolean): void {
  (response.locals as { mayStay?: () => boolean }).mayStay = mayStay;
}

export function mayStay(response: Response): boolean {
  return (response.locals as { mayStay?: () => boolean }).mayStay?.() ?? false;
}

/** The token of `Bearer`, or the password of `Basic`; null when neither is present. */
function secretFrom(authorization: string | undefined): string | null {
  const [, scheme, credentials] =
    /^(bearer|basic) +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (scheme === undefined || credentials === undefined) return null;
  if (scheme.toLowerCase() === "bearer") return credentials;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? null : text.slice(colon + 1);
}
