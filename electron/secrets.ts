// The cloud's token, sealed by the operating system.

import { safeStorage } from "electron";

/** What only this user of this machine can turn back. */
interface Seal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

/** Null where the system has no place for keys: what Chromium then calls sealed, anybody could open. */
export function systemSeal(): Seal | null {
  const isReal =
    safeStorage.isEncryptionAvailable() &&
    (process.platform !== "linux" ||
      safeStorage.getSelectedStorageBackend() !== "basic_text");
  return isReal
    ? {
        seal: (secret) => safeStorage.encryptString(secret),
        unseal: (bytes) => safeStorage.decryptString(bytes),
      }
    : null;
}
