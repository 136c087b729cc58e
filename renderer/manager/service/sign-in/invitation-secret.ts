// The secret of the invitation with which this page was opened: taken out of the address at once, so that no bookmark has it, and kept
// until it is used.

import { useSyncExternalStore } from "react";
import { addressOf } from "../../navigation.ts";

let secret: string | null = null;
const listeners = new Set<() => void>();

export function forgetInvitation(): void {
  put(null);
}

function put(next: string | null): void {
  secret = next;
  for (const listener of listeners) listener();
}

function take(): void {
  const [, found] = /^#invitation=([\w-]+)$/.exec(window.location.hash) ?? [];
  if (found === undefined) return;
  window.history.replaceState(null, "", addressOf("screens"));
  put(found);
}

/** Call once, before the pages read the address. */
export function watchInvitation(): void {
  take();
  // The page was open already.
  window.addEventListener("hashchange", take);
}

/** Null: there is none. */
export function useInvitationSecret(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => secret,
  );
}
