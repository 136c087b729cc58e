// session: sign browsers in and out (V2-772 to V2-775, V2-780).

import type { Request, Response } from "express";
import {
  signInV2,
  type SessionV2,
} from "../../../contract/v2/v2-administration.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import {
  invalidToken,
  isTokenDemanded,
  type RequireAccessOptions,
} from "../request/authentication.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";
import { createPasswordCheck } from "../request/password-check.ts";
import {
  isOfManager,
  sessionCookie,
  sessionSecretOf,
} from "../request/session-cookie.ts";

export function sessionOperations(options: RequireAccessOptions) {
  const { access, sessions, invalidTokens } = options;
  const checkPassword = createPasswordCheck(options);

  /** A token works in place of the password too: the manager has one field for both. */
  async function credentialOf(
    request: Request,
    response: Response,
  ): Promise<string> {
    const { token, password } = parseBody(request, signInV2);
    const secret = token ?? password;
    if (secret === undefined)
      throw fieldFailure("password", "password or token is required");
    const id = access.idFor(secret);
    if (id !== null) return id;
    if (password !== undefined && token === undefined)
      return checkPassword(request, response, password);
    throw invalidToken(request, response, invalidTokens);
  }

  return {
    readSession: (request, response) => {
      const secret = sessionSecretOf(request);
      const state: SessionV2 = {
        is_required: isTokenDemanded(options),
        is_signed_in: secret !== null && sessions.find(secret) !== null,
      };
      response.setHeader("Cache-Control", "no-store").json(state);
    },
    signIn: async (request, response) => {
      // Otherwise a page of another site could sign this browser in with a token of its own.
      if (!isOfManager(request.headers))
        throw new Failure(
          "forbidden",
          "Signing in needs the header X-Vitrine-Manager.",
        );
      const id = await credentialOf(request, response);
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
