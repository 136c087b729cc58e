// While a connection is only tried, its account is none of those that are listed: the form that tries it stays as it is.

import { useSyncExternalStore } from "react";
import { operate } from "../../operations.ts";

/** The accounts that were there before; null while nothing is tried. */
let before: ReadonlySet<string> | null = null;
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string> | null): void {
  before = next;
  for (const listener of listeners) listener();
}

/** Throws a Refusal. Call the answer once the list has been asked again. */
export async function beginTrial(): Promise<() => void> {
  const connections = await operate("listSyncAccounts", {});
  set(new Set(connections.map(({ account_id: id }) => id)));
  return () => {
    set(null);
  };
}

/** Whether an account is listed, by its id. */
export function useIsListed(): (id: string) => boolean {
  const known = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => before,
  );
  return (id) => known === null || known.has(id);
}
