// password: whether one is set; set, change and remove it (V2-779, V2-781).

import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import {
  setPasswordV2,
  type PasswordV2,
} from "../../../contract/v2/v2-administration.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import { isLoopback } from "../../../platform/http/machine-addresses.ts";
import type { Request } from "express";
import type { History } from "../../logs/logs.ts";
import {
  assertMayChangeAccess,
  type RequireAccessOptions,
} from "../request/authentication.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";
import { sessionSecretOf } from "../request/session-cookie.ts";

export interface PasswordOptions extends RequireAccessOptions {
  readonly history: Pick<History, "note">;
}

export function passwordOperations(options: PasswordOptions) {
  const { access, password, sessions, apiHost, history } = options;

  function stateOf(): PasswordV2 {
    const setAt = password.setAt();
    return {
      is_set: setAt !== null,
      changed: setAt === null ? null : momentToText(setAt),
    };
  }

  /** Unlike all others, the browser that changed it stays signed in. */
  async function changeBy(
    request: Request,
    change: () => Promise<unknown>,
  ): Promise<void> {
    const secret = sessionSecretOf(request);
    const session = secret === null ? null : sessions.find(secret);
    const before = password.id();
    await change();
    if (session === null) return;
    const { credentialId } = session;
    const after = credentialId === before ? password.id() : credentialId;
    if (after !== null) sessions.carryOver(session, after);
  }

  return {
    readPassword: (_request, response) => {
      response.json(stateOf());
    },
    setPassword: async (request, response) => {
      assertMayChangeAccess(response);
      const { password: next } = parseBody(request, setPasswordV2);
      await changeBy(request, () => password.set(next));
      history.note({ kind: "access", what: "password-set", name: "" });
      response.json(stateOf());
    },
    removePassword: async (request, response) => {
      assertMayChangeAccess(response);
      // No browser could get in any more, and the next start would be rejected.
      const isNeeded = password.id() !== null && !access.hasTokens();
      if (isNeeded && !isLoopback(apiHost))
        throw new Failure("conflict", playerSentences["token-none"]);
      let wasSet = false;
      await changeBy(request, async () => {
        wasSet = password.remove();
      });
      if (wasSet)
        history.note({ kind: "access", what: "password-removed", name: "" });
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}
