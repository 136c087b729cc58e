// Origin of an asset or playlist: the connection it came from.

import { useMemo } from "react";
import { useAssets } from "../api/api.ts";
import { useAnswer } from "../api/operations.ts";

/** The name of the connection it came from; null for local content, or while that is not known. */
export function useOrigin(
  what: "assets" | "playlists",
  id: string | undefined,
): string | null {
  const isEnabled = id !== undefined;
  const origins = useAnswer("listSyncOrigins", {}, { isEnabled }).data;
  const connections = useAnswer("listSyncAccounts", {}, { isEnabled }).data;
  if (id === undefined) return null;
  const origin = origins?.find((one) => one[what].includes(id));
  const connection = connections?.find(
    ({ account_id }) => account_id === origin?.account_id,
  );
  return connection?.name ?? null;
}

/** How many assets of a connection are in the local trash. */
export function useInTrash(connectionId: string): number {
  const origins = useAnswer("listSyncOrigins", {}).data;
  const assets = useAssets().data;
  return useMemo(() => {
    const synced = origins?.find(({ account_id: id }) => id === connectionId);
    if (!synced || !assets) return 0;
    const assetIds = new Set(assets.map(({ id }) => id));
    return synced.assets.filter((id) => !assetIds.has(id)).length;
  }, [origins, assets, connectionId]);
}
