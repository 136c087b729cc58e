// Whether the first run is open on request: it can be repeated at any time.

import { useSyncExternalStore } from "react";

let isOpen = false;
const listeners = new Set<() => void>();

function become(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

export function openFirstRun(): void {
  become(true);
}

export function closeFirstRun(): void {
  become(false);
}

export function useIsFirstRunOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
