// A secret in the address with which the page was opened: taken out at once, so that no bookmark has it, and kept until it is used.

import { useSyncExternalStore } from "react";
import { addressOf, type PageId } from "../place/navigation.ts";

interface AddressSecret {
  /** Call once, before the pages read the address. */
  readonly watch: () => void;
  readonly forget: () => void;
  /** Null: there is none. */
  readonly useSecret: () => string | null;
}

/** `secretIn` finds it in the hash of the address, which then leads to `page`. */
export function createAddressSecret(
  secretIn: (hash: string) => string | null,
  page: PageId,
): AddressSecret {
  let secret: string | null = null;
  const listeners = new Set<() => void>();
  const put = (next: string | null): void => {
    secret = next;
    for (const listener of listeners) listener();
  };
  const take = (): void => {
    const found = secretIn(window.location.hash);
    if (found === null) return;
    window.history.replaceState(null, "", addressOf(page));
    put(found);
  };
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    watch: () => {
      take();
      // The page was open already.
      window.addEventListener("hashchange", take);
    },
    forget: () => {
      put(null);
    },
    useSecret: () => useSyncExternalStore(listen, () => secret),
  };
}
