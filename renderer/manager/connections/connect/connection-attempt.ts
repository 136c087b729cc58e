// Attempt at a new connection: while it is being made, it is not listed, so that its form stays open.

import { useSyncExternalStore } from "react";
import { operate } from "../../api/operations.ts";

/** The connections that existed before; null without an attempt. */
let before: ReadonlySet<string> | null = null;
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string> | null): void {
  before = next;
  for (const listener of listeners) listener();
}

/** Throws a Refusal. Call the returned function once the list has been refetched. */
export async function beginAttempt(): Promise<() => void> {
  const connections = await operate("listSyncAccounts", {});
  set(new Set(connections.map(({ account_id: id }) => id)));
  return () => {
    set(null);
  };
}

/** Whether a connection is listed, by its id. */
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
