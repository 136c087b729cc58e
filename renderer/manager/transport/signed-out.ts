// Whether this browser is signed out: noted when the player rejects a request or the operator leaves, shown by the page in place of
// everything else.

import { useSyncExternalStore } from "react";

/** "over": its session ended by itself, and what was begun in the page is still there. */
type SignedOut = "no" | "over" | "left";

let state: SignedOut = "no";
const listeners = new Set<() => void>();

function put(next: SignedOut): void {
  state = next;
  for (const listener of listeners) listener();
}

export function noteSignedOut(): void {
  if (state === "no") put("over");
}

/** The next person gets a new page. */
export function noteLeft(): void {
  put("left");
}

export function noteSignedIn(): void {
  put("no");
}

export function useSignedOut(): SignedOut {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
