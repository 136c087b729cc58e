// What a restore means for the clouds that are followed: which are no longer, and which want their token again.

import type { BackupContents } from "../../../server/contract/ipc/ipc-pc.ts";
import type { SyncAccountV2 } from "../../../server/contract/v2/v2-sync.ts";

type CloudHere = Pick<
  SyncAccountV2,
  "account_id" | "name" | "base_url" | "kind" | "token_storage" | "is_enabled"
>;

export interface RestoredClouds {
  /** How many are followed now, and how many then. */
  readonly now: number;
  readonly then: number;
  /** By name: gone then, or switched off. */
  readonly ended: readonly string[];
  /** By name: followed then, and no token is here for where they are. */
  readonly needingToken: readonly string[];
}

export function restoredClouds(
  connectionsHere: readonly CloudHere[],
  connectionsInBackup: BackupContents["connections"],
): RestoredClouds {
  const here = connectionsHere.filter(({ kind }) => kind !== "plan");
  const followed = connectionsInBackup.filter(({ isEnabled }) => isEnabled);
  /** A token stays with its host (V2-202). */
  const hasToken = ({ id, origin }: { id: string; origin: string }): boolean =>
    here.some(
      (one) =>
        one.account_id === id &&
        one.token_storage !== null &&
        new URL(one.base_url).origin === origin,
    );
  const isEnded = ({ account_id: id, is_enabled }: CloudHere): boolean =>
    (is_enabled ? followed : connectionsInBackup).every((one) => one.id !== id);
  return {
    now: here.filter(({ is_enabled }) => is_enabled).length,
    then: followed.length,
    ended: here.filter(isEnded).map(({ name }) => name),
    needingToken: followed
      .filter((one) => !hasToken(one))
      .map(({ name }) => name),
  };
}
