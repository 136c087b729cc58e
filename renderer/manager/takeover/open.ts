// Whether the takeover's panel is open: one for the whole desk, opened from anywhere.

import { useSyncExternalStore } from "react";

let isOpen = false;
const listeners = new Set<() => void>();

function become(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

export function openTakeover(): void {
  become(true);
}

export function closeTakeover(): void {
  become(false);
}

export function useIsTakeoverOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
