// What a browser has begun and has to end, such as a sign-in with a provider: valid for ten minutes and once, known by the secret in
// its cookie (V3-207, V3-212).

import type { Database } from "../../platform/database/database.ts";
import { createAttempts } from "../../platform/failed-sign-ins.ts";
import { tooManyAttempts } from "../http/too-many-attempts.ts";
import type { ContentTables } from "../tables.ts";
import { hashOfSecret, makeSecret } from "./one-time-secret.ts";

export interface SignInFlows {
  /**
   * Returns the secret for the cookie, this once. Throws `too-many` for a client address that begins too often; null: of a person who
   * is signed in.
   */
  begin(address: string | null): Promise<string>;
  /** Whether it was begun and not ended before. */
  end(secret: string): Promise<boolean>;
}

export const flowMs = 600_000;
/** Of one client address in a quarter of an hour. */
const maxBegun = 50;

export function createSignInFlows({
  database: { kysely },
  now,
  monotonic,
}: {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly monotonic: () => number;
}): SignInFlows {
  const begun = createAttempts(monotonic);
  return {
    begin: async (address) => {
      if (address !== null) {
        const { count, secondsLeft } = begun.note(address);
        if (count > maxBegun)
          throw tooManyAttempts("sign-ins-begun-limit", secondsLeft);
      }
      const secret = makeSecret();
      const moment = now();
      await kysely
        .deleteFrom("sign_in_flows")
        .where("created_at", "<=", moment - flowMs)
        .execute();
      await kysely
        .insertInto("sign_in_flows")
        .values({ hash: hashOfSecret(secret), created_at: moment })
        .execute();
      return secret;
    },
    end: async (secret) => {
      const ended = await kysely
        .deleteFrom("sign_in_flows")
        .where("hash", "=", hashOfSecret(secret))
        .returning("created_at")
        .executeTakeFirst();
      return ended !== undefined && Number(ended.created_at) > now() - flowMs;
    },
  };
}
