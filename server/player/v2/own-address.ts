// Only requests meant for this player are heard: no page elsewhere can use it through a browser (V2-4, V2-65).

import type { Request, RequestHandler } from "express";
import { isIP } from "node:net";
import { Failure } from "../../core/failure.ts";
import { hostInAddress, isLoopback, ownNames } from "../addresses.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * A name that was made to point here (DNS rebinding) shows in Host; a page of another site shows in
 * Origin and Sec-Fetch-Site, even where all it sends is the address of a picture.
 */
export function requireOwnAddress(
  apiHost: string,
  isListed: (origin: string) => boolean,
): RequestHandler {
  const isOpen = !isLoopback(apiHost);
  const names = new Set([
    ...loopbackNames,
    hostInAddress(apiHost.toLowerCase()),
    ...(isOpen ? ownNames() : []),
  ]);
  // A name can be made to point anywhere; an address is what it is.
  const isOwn = (name: string): boolean =>
    names.has(name) || (isOpen && isIP(name.replace(/^\[|\]$/g, "")) !== 0);

  return (request, _response, next) => {
    const { host, origin } = request.headers;
    if (!host || !isOwn(nameOf(host)))
      throw new Failure("forbidden", "This player does not go by that name.");
    const isOfListed = origin !== undefined && isListed(origin);
    const isForeign =
      isFromOtherSite(request) ||
      (origin !== undefined && origin !== `http://${host}`);
    if (isForeign && !isOfListed)
      throw new Failure(
        "forbidden",
        "Pages of other sites may not use this player.",
      );
    next();
  };
}

function isFromOtherSite(request: Request): boolean {
  const site = request.headers["sec-fetch-site"];
  return site === "cross-site" || site === "same-site";
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
}
