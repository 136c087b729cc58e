// session: sign browsers and phones in and out (V2-772 to V2-775, V2-780, V2-785).

import type { Request, Response } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import {
  signInV2,
  type SessionV2,
} from "../../../contract/v2/v2-administration.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import { networkOf } from "../../../platform/failed-sign-ins.ts";
import type { History } from "../../logs/logs.ts";
import {
  addressOf,
  assertMayChangeAccess,
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

export interface SessionsOptions extends RequireAccessOptions {
  readonly history: Pick<History, "note">;
}

interface SignIn {
  readonly id: string;
  readonly isPhone: boolean;
}

export function sessionOperations(options: SessionsOptions) {
  const { access, sessions, invalidTokens, phoneCodes, history } = options;
  const checkPassword = createPasswordCheck(options);

  /** A token works in place of the password too: the manager has one field for both. */
  async function credentialOf(
    request: Request,
    response: Response,
  ): Promise<SignIn> {
    const { token, password, phone_code } = parseBody(request, signInV2);
    const secret = token ?? password;
    if (secret === undefined) {
      if (phone_code !== undefined)
        return phoneOf(request, response, phone_code);
      const sentence = "password, token or phone_code is required";
      throw fieldFailure("password", sentence);
    }
    const id = access.idFor(secret);
    if (id !== null) return { id, isPhone: false };
    if (token !== undefined)
      throw invalidToken(request, response, invalidTokens);
    return {
      id: await checkPassword(request, response, secret),
      isPhone: false,
    };
  }

  function phoneOf(request: Request, response: Response, code: string): SignIn {
    const id = phoneCodes.redeem(code) ? phoneCodes.credentialId() : null;
    if (id === null) {
      const message = playerSentences["phone-code-used"];
      throw invalidToken(request, response, invalidTokens, message);
    }
    const name = networkOf(addressOf(request));
    history.note({ kind: "access", what: "phone-signed-in", name });
    return { id, isPhone: true };
  }

  return {
    readSession: (request, response) => {
      const secret = sessionSecretOf(request);
      const session = secret === null ? null : sessions.find(secret);
      const state: SessionV2 = {
        is_required: isTokenDemanded(options),
        is_signed_in: session !== null,
        is_phone: session?.isPhone ?? false,
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
      const { id, isPhone } = await credentialOf(request, response);
      const before = sessionSecretOf(request);
      if (before !== null) sessions.end(before);
      const state: SessionV2 = {
        is_required: isTokenDemanded(options),
        is_signed_in: true,
        is_phone: isPhone,
      };
      const secret = sessions.begin(id, isPhone);
      response
        .setHeader("Set-Cookie", sessionCookie(request, secret, isPhone))
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
      assertMayChangeAccess(response);
      sessions.endAll();
      history.note({ kind: "access", what: "signed-out-all", name: "" });
      response
        .setHeader("Set-Cookie", sessionCookie(request, ""))
        .status(204)
        .end();
    },
  } satisfies Partial<Handlers>;
}
