// Host check: accepts only requests addressed to this player, so that pages of other sites cannot use it through a browser (V2-4,
// V2-65).

import type { RequestHandler } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import {
  createAllowedHosts,
  hasSeveralHosts,
  isOfOtherSite,
  ownOrigin,
} from "../../../platform/http/allowed-hosts.ts";
import { opensManager } from "../../../platform/http/serve-manager.ts";

export function requireAllowedHost(
  apiHost: string,
  isListed: (origin: string) => boolean,
): RequestHandler {
  const allowedHosts = createAllowedHosts(apiHost);
  return (request, _response, next) => {
    const { host, origin } = request.headers;
    if (hasSeveralHosts(request))
      throw new Failure(
        "malformed",
        "The request has more than one Host header.",
      );
    if (!allowedHosts.isAllowed(host))
      throw new Failure("forbidden", playerSentences["host-forbidden"]);
    const isOfListed = origin !== undefined && isListed(origin);
    const isOther = isOfOtherSite(request.headers, ownOrigin(request));
    if (isOther && !isOfListed && !opensManager(request))
      throw new Failure(
        "forbidden",
        "Web pages from other sites cannot use this player.",
      );
    next();
  };
}
