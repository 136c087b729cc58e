// Values that are derived from the secret in a cookie, so that no table has them.

import { hkdfSync } from "node:crypto";

/** 32 bytes in base64url, different for each purpose. */
export function derivedFrom(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString(
    "base64url",
  );
}
