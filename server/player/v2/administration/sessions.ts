// session: sign browsers in and out (V2-772 to V2-775).

import {
  signInV2,
  type SessionV2,
} from "../../../contract/v2/v2-administration.ts";
import { Failure } from "../../../core/failure.ts";
import {
  invalidToken,
  isTokenDemanded,
  type RequireAccessOptions,
} from "../request/authentication.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";
import {
  isOfManager,
  sessionCookie,
  sessionSecretOf,
} from "../request/session-cookie.ts";

export function sessionOperations(options: RequireAccessOptions) {
  const { access, sessions, invalidTokens } = options;
  return {
    readSession: (request, response) => {
      const secret = sessionSecretOf(request);
      const state: SessionV2 = {
        is_required: isTokenDemanded(options),
        is_signed_in: secret !== null && sessions.find(secret) !== null,
      };
      response.setHeader("Cache-Control", "no-store").json(state);
    },
    signIn: (request, response) => {
      // Otherwise a page of another site could sign this browser in with a token of its own.
      if (!isOfManager(request.headers))
        throw new Failure(
          "forbidden",
          "Signing in needs the header X-Vitrine-Manager.",
        );
      const { token } = parseBody(request, signInV2);
      const id = access.idFor(token);
      if (id === null) throw invalidToken(request, response, invalidTokens);
      const before = sessionSecretOf(request);
      if (before !== null) sessions.end(before);
      const state: SessionV2 = {
        is_required: isTokenDemanded(options),
        is_signed_in: true,
      };
      response
        .setHeader("Set-Cookie", sessionCookie(request, sessions.begin(id)))
        .setHeader("Cache-Control", "no-store")
        .json(state);
    },
    signOut: (request, response) => {
      const secret = sessionSecretOf(request);
      if (secret !== null) sessions.end(secret);
      response
        .setHeader("Set-Cookie", sessionCookie(request, ""))
        .status(204)
        .end();
    },
    signOutEverywhere: (request, response) => {
      sessions.endAll();
      response
        .setHeader("Set-Cookie", sessionCookie(request, ""))
        .status(204)
        .end();
    },
  } satisfies Partial<Handlers>;
}
