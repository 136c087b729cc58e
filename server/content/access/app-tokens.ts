// The credential with which the page of an installed edge app requests tokens; sent only to its player (L-14, V3-57).

import { createHmac, timingSafeEqual } from "node:crypto";

export interface AppTokens {
  make(installationId: string): string;
  /** Null for a token this service did not issue. */
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
