// The second factor of a person: codes of an authenticator app (TOTP), each valid once, and recovery codes (V4-376).

import { hash, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";

const periodSeconds = 30;
/** Clocks of phones are off by less than this many steps. */
const window = 1;
const recoveryCodes = 10;
const recoveryLength = 10;
/** Without characters that are confused when read. */
const alphabet = "abcdefghjkmnpqrstvwxyz23456789";

function totpOf(secret: string, email: string): TOTP {
  return new TOTP({
    ...{ issuer: "Vitrine", label: email, period: periodSeconds },
    secret: Secret.fromBase32(secret),
  });
}

/** In base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** For a QR code that authenticator apps read. */
export function totpAddress(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step of a right code; null for a wrong one, and for one of a step that was used before. */
export function stepOfCode(
  secret: string,
  code: string,
  now: number,
  usedStep: number,
): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret, "").validate({ token, timestamp: now, window });
  if (delta === null) return null;
  const step = Math.floor(now / 1000 / periodSeconds) + delta;
  return step > usedStep ? step : null;
}

/** Shown once: each replaces a code of the app, one time. */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const code = Array.from(
      { length: recoveryLength },
      () => alphabet[randomInt(alphabet.length)],
    ).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** 49 random bits behind the limit on wrong sign-ins; the id of the person is the salt. */
export function hashOfRecoveryCode(personId: string, code: string): string {
  const plain = code.replace(/[\s-]/g, "").toLowerCase();
  return hash("sha256", `${personId} ${plain}`, "hex");
}
