// Sign-ins with a provider that a browser has begun: valid for ten minutes and once, known by the secret in its cookie (V3-207).

import { hkdfSync } from "node:crypto";
import type { Database } from "../../../platform/database/database.ts";
import type { ContentTables } from "../../tables.ts";
import { hashOfSecret, makeSecret } from "../one-time-secret.ts";
import type { OpenidChecks } from "./provider.ts";

export interface OpenidFlows {
  /** Returns the secret for the cookie, this once. */
  begin(): Promise<string>;
  /** Whether it was begun and not ended before. */
  end(secret: string): Promise<boolean>;
}

export const flowMs = 600_000;

export function createOpenidFlows({
  database: { kysely },
  now,
}: {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}): OpenidFlows {
  return {
    begin: async () => {
      const secret = makeSecret();
      const moment = now();
      await kysely
        .deleteFrom("openid_flows")
        .where("created_at", "<=", moment - flowMs)
        .execute();
      await kysely
        .insertInto("openid_flows")
        .values({ hash: hashOfSecret(secret), created_at: moment })
        .execute();
      return secret;
    },
    end: async (secret) => {
      const begun = await kysely
        .deleteFrom("openid_flows")
        .where("hash", "=", hashOfSecret(secret))
        .returning("created_at")
        .executeTakeFirst();
      return begun !== undefined && Number(begun.created_at) > now() - flowMs;
    },
  };
}

/** Derived from the secret in the cookie, so that no table has them. */
export function checksOf(secret: string): OpenidChecks {
  const derived = (purpose: string): string =>
    Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString(
      "base64url",
    );
  return {
    state: derived("openid state"),
    nonce: derived("openid nonce"),
    codeVerifier: derived("openid code verifier"),
  };
}
