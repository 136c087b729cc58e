// Effect of a restore on the connections: which of them end, and which need their token again.

import type { BackupContents } from "../../../../server/contract/ipc/ipc-pc.ts";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";

type StoredConnection = Pick<
  SyncAccountV2,
  "account_id" | "name" | "base_url" | "kind" | "token_storage" | "is_enabled"
>;

export interface RestoredConnections {
  /** Number of connections now, and afterwards. */
  readonly now: number;
  readonly then: number;
  /** By name: missing afterwards, or disabled. */
  readonly ended: readonly string[];
  /** By name: connected afterwards, without a token here for their host. */
  readonly needingToken: readonly string[];
}

export function restoredConnections(
  connectionsHere: readonly StoredConnection[],
  connectionsInBackup: BackupContents["connections"],
): RestoredConnections {
  const current = connectionsHere.filter(({ kind }) => kind !== "plan");
  const followed = connectionsInBackup.filter(({ isEnabled }) => isEnabled);
  /** A token stays with its host (V2-202). */
  const hasToken = ({ id, origin }: { id: string; origin: string }): boolean =>
    current.some(
      (one) =>
        one.account_id === id &&
        one.token_storage !== null &&
        new URL(one.base_url).origin === origin,
    );
  const isEnded = ({ account_id: id, is_enabled }: StoredConnection): boolean =>
    (is_enabled ? followed : connectionsInBackup).every((one) => one.id !== id);
  return {
    now: current.filter(({ is_enabled }) => is_enabled).length,
    then: followed.length,
    ended: current.filter(isEnded).map(({ name }) => name),
    needingToken: followed
      .filter((one) => !hasToken(one))
      .map(({ name }) => name),
  };
}
