// Secrets that were made and are not kept yet: they outlast the page that shows them, however often it comes and goes.

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

/** Null: it is kept, or there is none. */
export function useFreshSecret(opens: string) {
  const put = useCallback(
    (next: FreshSecret | null): void => {
      if (next === null) fresh.delete(opens);
      else fresh.set(opens, next);
      for (const listener of listeners) listener();
    },
    [opens],
  );
  return [
    useSyncExternalStore(listen, () => fresh.get(opens) ?? null),
    put,
  ] as const;
}
