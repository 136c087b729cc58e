// Only requests meant for this player are heard: no page elsewhere can use it through a browser (V2-4).

import type { Request, RequestHandler } from "express";
import { Failure } from "../../core/failure.ts";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * A name that was made to point here (DNS rebinding) shows in Host; a page of another site shows in
 * Origin and Sec-Fetch-Site, even where all it sends is the address of a picture.
 */
export const requireOwnAddress: RequestHandler = (request, _response, next) => {
  const host = request.headers.host;
  if (!host || !loopbackNames.has(nameOf(host)))
    throw new Failure("forbidden", "This player does not go by that name.");
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Failure(
      "forbidden",
      "Pages of other sites may not use this player.",
    );
  if (isFromOtherSite(request))
    throw new Failure(
      "forbidden",
      "Pages of other sites may not use this player.",
    );
  next();
};

function isFromOtherSite(request: Request): boolean {
  const site = request.headers["sec-fetch-site"];
  return site === "cross-site" || site === "same-site";
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
