// Fake desktop keyrings: an unlocked and a locked one.

import type { Seal } from "../../../server/player/sync/store/secret-store.ts";

export const keyring: Seal = {
  seal: (secret) => Buffer.from(secret).reverse(),
  unseal: (bytes) => Buffer.from(bytes).reverse().toString(),
};

export const lockedKeyring: Seal = {
  ...keyring,
  unseal: () => {
    throw new Error("The keyring is locked.");
  },
};
