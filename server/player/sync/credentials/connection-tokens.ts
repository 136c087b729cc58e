// Tokens of accounts, each with the host it was given for: a recovery may put another address under an account, and a token stays with its host (V2-202).

import * as z from "zod";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";
import type { Secrets } from "./secrets.ts";

/** Whose token it is, and where it is told. */
export type TokenOwner = Pick<SyncConnection, "id" | "baseUrl">;

export interface ConnectionTokens extends Pick<Secrets, "keptAs" | "forget"> {
  /** Answers how the one before is put back, with the host it was given for. */
  keep(owner: TokenOwner, token: string): Promise<() => Promise<void>>;
  /** Null where there is none for this host. */
  open(owner: TokenOwner): Promise<string | null>;
  /** One that was kept before hosts were noted belongs to this one. */
  bind(owner: TokenOwner): Promise<void>;
}

const keptToken = z.object({ origin: z.string(), token: z.string() });

export function createConnectionTokens(secrets: Secrets): ConnectionTokens {
  const keep: ConnectionTokens["keep"] = ({ id, baseUrl }, token) => {
    const { origin } = new URL(baseUrl);
    return secrets.keep(id, JSON.stringify({ origin, token }));
  };

  async function read(id: string): Promise<z.infer<typeof keptToken> | null> {
    const text = await secrets.open(id);
    return text === null ? null : keptToken.parse(JSON.parse(text));
  }

  return {
    keep,
    keptAs: secrets.keptAs,
    forget: secrets.forget,
    open: async ({ id, baseUrl }) => {
      const kept = await read(id).catch(() => null);
      return kept?.origin === new URL(baseUrl).origin ? kept.token : null;
    },
    bind: async (owner) => {
      const text = await secrets.open(owner.id);
      const isBound = await read(owner.id).then(
        () => true,
        () => false,
      );
      if (text !== null && !isBound) await keep(owner, text);
    },
  };
}
