// Open state of the takeover panel: one for the whole manager, opened from anywhere.

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
