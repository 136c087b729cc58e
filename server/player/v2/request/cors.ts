// CORS: pages of the origins that the operator listed may send requests from a browser; all others get no CORS headers (V2-66).

import type { Request, RequestHandler } from "express";
import type { SettingsStore } from "../../settings.ts";

export function listedOrigins(
  settings: SettingsStore,
): (origin: string) => boolean {
  const read = (text: string): ReadonlySet<string> =>
    new Set(text.split(", ").filter((origin) => origin !== ""));
  let listed = read(settings.all().corsOrigins);
  settings.onChanged(({ corsOrigins }) => {
    listed = read(corsOrigins);
  });
  return (origin) => listed.has(origin);
}

/**
 * Requests of a browser extension are made on behalf of its pages: regardless of its author, it is not the operator's program
 * (V2-584).
 */
export function isOfExtension({ headers }: Request): boolean {
  return /^(?:chrome|moz)-extension:/.test(headers.origin ?? "");
}

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const headers =
  "Authorization, Content-Type, Content-Range, Last-Event-ID, Range, X-Upload-Id";
const readable =
  "Allow, Content-Disposition, Content-Range, Retry-After, X-Request-Id";
/** Browsers repeat the preflight after ten minutes, so that an origin removed from the list loses access soon. */
const rememberedSeconds = 600;

/** Never sends `Access-Control-Allow-Credentials`: credentials that a browser would send by itself are not trusted. */
export function answerListedOrigins(
  isListed: (origin: string) => boolean,
): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || !isListed(origin)) {
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Vary", "Origin");
    response.setHeader("Access-Control-Expose-Headers", readable);
    const isPreflight =
      request.method === "OPTIONS" &&
      request.headers["access-control-request-method"] !== undefined;
    if (!isPreflight) {
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Methods", methods);
    response.setHeader("Access-Control-Allow-Headers", headers);
    response.setHeader("Access-Control-Max-Age", rememberedSeconds);
    response.status(204).end();
  };
}
