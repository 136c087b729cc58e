// Encryption of secrets by Windows (DPAPI) where there is no Electron, whose safeStorage does the same for the app.

/** Encrypts a secret so that only this user of this machine can decrypt it. */
export interface WindowsSeal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

interface Dpapi {
  protectData(
    bytes: Uint8Array,
    entropy: null,
    scope: "CurrentUser",
  ): Uint8Array;
  unprotectData(
    bytes: Uint8Array,
    entropy: null,
    scope: "CurrentUser",
  ): Uint8Array;
}

/** Null on other systems, and where Windows does not encrypt for this user, as in a session without a loaded profile. */
export async function openWindowsSeal(
  platform = process.platform,
  load = loadDpapi,
): Promise<WindowsSeal | null> {
  if (platform !== "win32") return null;
  try {
    const dpapi = await load();
    const seal: WindowsSeal = {
      seal: (secret) =>
        Buffer.from(
          dpapi.protectData(Buffer.from(secret), null, "CurrentUser"),
        ),
      unseal: (bytes) =>
        Buffer.from(dpapi.unprotectData(bytes, null, "CurrentUser")).toString(),
    };
    return seal.unseal(seal.seal(probe)) === probe ? seal : null;
  } catch {
    return null;
  }
}

const probe = "probe";

/** Its binaries are for Windows alone. */
async function loadDpapi(): Promise<Dpapi> {
  const { Dpapi } = await import("@primno/dpapi");
  return Dpapi;
}
