// Random secrets of sessions and links: shown once, stored as hashes (V4-371, V4-374).

import { hash, randomBytes } from "node:crypto";

/** 256 bits. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** 256 random bits cannot be guessed from their hash, so a slow hash would gain nothing. */
export function hashOfSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}
