// Codes by which phones sign in: shown as a QR code on the idle screen, each for one phone and a few minutes; kept in memory
// (V2-785).

import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";

export interface PhoneCodes {
  /** The code for the screen, the same until the next one is due; null where phones cannot sign in. */
  shown(): string | null;
  /** Whether it is one of these codes; from then on it is not. */
  redeem(code: string): boolean;
  /** What the sessions of phones depend on; null where they are over. */
  credentialId(): string | null;
  /** Call when phones may have been allowed or excluded. */
  update(): void;
  stop(): void;
}

export interface PhoneCodesOptions {
  readonly clock: Clock;
  readonly isAllowed: () => boolean;
  /** Another code has to be shown. */
  readonly onRenewed: () => void;
}

/** Long enough to point a phone at the screen; a photo of it is soon worth nothing. */
const shownMs = 5 * 60_000;
/** One that was scanned just before the next one was shown still signs in. */
const validMs = 2 * shownMs;

export function createPhoneCodes(options: PhoneCodesOptions): PhoneCodes {
  const { clock, isAllowed, onRenewed } = options;
  /** When each ends, in monotonic milliseconds, by its hash. */
  const endsAt = new Map<string, number>();
  let shown: string | null = null;
  let credentialId: string | null = null;
  let cancel = (): void => undefined;

  function renew(): void {
    cancel();
    shown = null;
    onRenewed();
  }

  function make(): string {
    const moment = clock.monotonic();
    for (const [key, end] of endsAt) if (end <= moment) endsAt.delete(key);
    const code = randomBytes(16).toString("base64url");
    endsAt.set(keyOf(code), moment + validMs);
    cancel = clock.after(shownMs, renew);
    return code;
  }

  function forgetAll(): void {
    cancel();
    endsAt.clear();
    shown = null;
    credentialId = null;
  }

  return {
    shown: () => (isAllowed() ? (shown ??= make()) : null),
    redeem: (code) => {
      const key = keyOf(code);
      const end = endsAt.get(key);
      endsAt.delete(key);
      if (end === undefined || end <= clock.monotonic() || !isAllowed())
        return false;
      credentialId ??= randomBytes(16).toString("hex");
      if (shown === code) renew();
      return true;
    },
    credentialId: () => credentialId,
    update: () => {
      if (!isAllowed()) forgetAll();
    },
    stop: forgetAll,
  };
}

/** A random code of 128 bits cannot be guessed from its hash, nor from how long the comparison takes. */
function keyOf(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}
