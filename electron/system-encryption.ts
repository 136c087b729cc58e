// Encryption of secrets by the operating system, such as the tokens of content services; none without a keyring.

import { safeStorage } from "electron";

/** Only this user of this machine can decrypt it. */
interface Seal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

/** Null where the system has no keyring: what Chromium encrypts then, anybody could decrypt. */
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
