// What ties a sign-in with a provider to the browser that began it (V3-207).

import { derivedFrom } from "../derived-value.ts";
import type { OpenidChecks } from "./provider.ts";

/** Of the secret in the browser's cookie. */
export function checksOf(secret: string): OpenidChecks {
  return {
    state: derivedFrom(secret, "openid state"),
    nonce: derivedFrom(secret, "openid nonce"),
    codeVerifier: derivedFrom(secret, "openid code verifier"),
  };
}
