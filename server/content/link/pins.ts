// Pins that a person reads off a screen and types into a desk, and what a player shows ever after (L-2, L-3).

import { hash, randomBytes, randomInt } from "node:crypto";
import { credentialPrefix } from "../../contract/link.ts";

/** Without what is mixed up when it is read from across a room. */
const alphabet = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const pinLength = 6;

/** Long enough to walk from the screen to the desk. */
export const pinLastsMs = 15 * 60_000;

export function makePin(): string {
  return Array.from(
    { length: pinLength },
    () => alphabet[randomInt(alphabet.length)],
  ).join("");
}

/** As it is kept; null for what can be no pin at all. */
export function pinFrom(typed: string): string | null {
  const pin = typed.replace(/[\s-]/g, "").toUpperCase();
  return pin.length === pinLength && [...pin].every((c) => alphabet.includes(c))
    ? pin
    : null;
}

export function makeCredential(): string {
  return credentialPrefix + randomBytes(32).toString("base64url");
}

/** 256 bits by chance cannot be guessed from their hash. */
export function hashOfCredential(credential: string): string {
  return hash("sha256", credential, "hex");
}
