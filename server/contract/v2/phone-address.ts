// Address in the QR code by which a phone signs in: its code is in the part that a browser never sends (V2-785).

/** 16 bytes in base64url. */
const codePattern = /^#\/phone\/([\w-]{22})$/;

export function phoneAddress(base: string, code: string): string {
  return `${base}/#/phone/${code}`;
}

/** The code in `location.hash`; null where there is none. */
export function phoneCodeIn(hash: string): string | null {
  return codePattern.exec(hash)?.[1] ?? null;
}
