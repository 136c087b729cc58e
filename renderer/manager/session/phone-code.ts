// The code with which the QR code of the screen opened this page: taken out of the address at once, so that no bookmark has it, and
// kept until it is used.

import { useSyncExternalStore } from "react";
import { phoneCodeIn } from "../../../server/contract/v2/phone-address.ts";
import { addressOf } from "../navigation.ts";

let code: string | null = null;
const listeners = new Set<() => void>();

export function forgetPhoneCode(): void {
  put(null);
}

function put(next: string | null): void {
  code = next;
  for (const listener of listeners) listener();
}

function take(): void {
  const found = phoneCodeIn(window.location.hash);
  if (found === null) return;
  window.history.replaceState(null, "", addressOf("now"));
  put(found);
}

/** Call once, before the pages read the address. */
export function watchPhoneCode(): void {
  take();
  // The page was open already.
  window.addEventListener("hashchange", take);
}

/** Null: there is none. */
export function usePhoneCode(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => code,
  );
}
