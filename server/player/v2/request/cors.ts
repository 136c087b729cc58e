// Pages of the origins that the operator listed may ask from a browser; nobody else is told anything (V2-66).

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

/** What a browser's extension asks, its pages ask for it: whoever wrote it, it is no program of the operator's (V2-584). */
export function isOfExtension({ headers }: Request): boolean {
  return /^(?:chrome|moz)-extension:/.test(headers.origin ?? "");
}

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const headers =
  "Authorization, Content-Type, Content-Range, Last-Event-ID, Range, X-Upload-Id";
const readable =
  "Allow, Content-Disposition, Content-Range, Retry-After, X-Request-Id";
/** A browser asks again after ten minutes, so that an origin taken off the list is out soon. */
const rememberedSeconds = 600;

/** Never `Access-Control-Allow-Credentials`: what a browser would send by itself is not trusted. */
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
