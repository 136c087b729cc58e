// Whether this browser has been signed out: noted when the player rejects a request, shown by the page in place of everything else.

import { useSyncExternalStore } from "react";

let isSignedOut = false;
const listeners = new Set<() => void>();

export function noteSignedOut(): void {
  isSignedOut = true;
  for (const listener of listeners) listener();
}

export function useIsSignedOut(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isSignedOut,
  );
}
