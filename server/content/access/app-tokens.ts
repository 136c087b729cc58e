// The credential of an installed edge app, with which its page asks for tokens: told to its player alone (L-14, V3-57).

import { createHmac, timingSafeEqual } from "node:crypto";

export interface AppTokens {
  make(installationId: string): string;
  /** Null for what we did not make. */
  installationOf(token: string): string | null;
}

const prefix = "vitrine-app-";

export function createAppTokens(secret: string): AppTokens {
  const make = (installationId: string): string => {
    const mac = createHmac("sha256", secret)
      .update(`installation ${installationId}`)
      .digest("base64url");
    return `${prefix}${installationId}-${mac}`;
  };
  return {
    make,
    installationOf: (token) => {
      const id = token.slice(prefix.length, prefix.length + 26);
      const right = Buffer.from(make(id));
      const given = Buffer.from(token);
      return right.length === given.length && timingSafeEqual(right, given)
        ? id
        : null;
    },
  };
}
