// Whether a token is the credential of a paired screen, or a key that somebody made (L-3).

import { credentialPrefix } from "../contract/link.ts";

export function isCredential(token: string): boolean {
  return token.startsWith(credentialPrefix);
}
