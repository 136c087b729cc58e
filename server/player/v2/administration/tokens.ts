// tokens: list, create and revoke access tokens; the secret is returned only once (V2-64).

import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import {
  createTokenV2,
  type NewTokenV2,
  type TokenV2,
} from "../../../contract/v2/v2-administration.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import type { Access, Token } from "../../access-tokens.ts";
import type { Password } from "../../access/password.ts";
import type { History } from "../../logs/logs.ts";
import { isLoopback } from "../../../platform/http/machine-addresses.ts";
import { assertMayChangeAccess } from "../request/authentication.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

export function tokenOperations({
  access,
  password,
  apiHost,
  history,
}: {
  readonly access: Access;
  readonly history: Pick<History, "note">;
  readonly password: Pick<Password, "id">;
  readonly apiHost: string;
}) {
  return {
    listTokens: (_request, response) => {
      response.json(access.tokens().map(tokenToV2));
    },
    createToken: (request, response) => {
      assertMayChangeAccess(response);
      const { name } = parseBody(request, createTokenV2);
      const { token, secret } = access.add(name);
      history.note({ kind: "access", what: "token-added", name });
      const answer: NewTokenV2 = { ...tokenToV2(token), token: secret };
      response.status(201).setHeader("Cache-Control", "no-store").json(answer);
    },
    revokeToken: (request, response) => {
      assertMayChangeAccess(response);
      const { id } = request.params;
      const isLast = access.has(id) && access.tokens().length === 1;
      // No client could get in any more, and the next start would be rejected.
      if (isLast && password.id() === null && !isLoopback(apiHost))
        throw new Failure("conflict", playerSentences["token-last"]);
      const name = access.nameOf(id);
      access.revoke(id);
      history.note({ kind: "access", what: "token-revoked", name });
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

function tokenToV2({ id, name, createdAt, lastUsedAt }: Token): TokenV2 {
  return {
    id,
    name,
    created: momentToText(createdAt),
    last_used: lastUsedAt === null ? null : momentToText(lastUsedAt),
  };
}
