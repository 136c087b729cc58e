// Tokens of connections, each with the host it was issued for: a recovery may change the address of a connection, but a token stays
// with its host (V2-202).

import * as z from "zod";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";
import type { Secrets } from "./secret-store.ts";

/** The connection of a token, and the host it is sent to. */
export type TokenOwner = Pick<SyncConnection, "id" | "baseUrl">;

export interface ConnectionTokens extends Pick<Secrets, "keptAs" | "forget"> {
  /** Returns a function that restores the previous token with the host it was issued for. */
  keep(owner: TokenOwner, token: string): Promise<() => Promise<void>>;
  /** Null if there is none for this host. */
  open(owner: TokenOwner): Promise<string | null>;
  /** Assigns a token that was stored before hosts were recorded to this host. */
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
      const stored = await read(id).catch(() => null);
      return stored?.origin === new URL(baseUrl).origin ? stored.token : null;
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
