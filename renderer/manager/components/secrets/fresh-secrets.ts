// Secrets that were created and not confirmed as copied yet: they outlive the page that shows them, however often it is unmounted.

import { useCallback, useSyncExternalStore } from "react";

export interface FreshSecret {
  readonly name: string;
  readonly secret: string;
}

/** By what they open. */
const fresh = new Map<string, FreshSecret>();
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** Null: it has been copied, or there is none. */
export function useFreshSecret(opens: string) {
  const put = useCallback(
    (next: FreshSecret | null): void => {
      if (next === null) fresh.delete(opens);
      else fresh.set(opens, next);
      notify();
    },
    [opens],
  );
  return [
    useSyncExternalStore(listen, () => fresh.get(opens) ?? null),
    put,
  ] as const;
}

/** The next person must not see them. */
export function forgetFreshSecrets(): void {
  fresh.clear();
  notify();
}
