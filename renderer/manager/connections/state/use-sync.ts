// Status of the connections, polled often during a sync and occasionally otherwise.

import {
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type {
  SyncAccountV2,
  SyncStatusV2,
  SyncV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { keyOf, operate } from "../../api/operations.ts";
import { useIsListed } from "../connect/connection-attempt.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

const movingMs = 1_000;
const restingMs = 5_000;

const moving: readonly SyncStatusV2["phase"][] = [
  ...(["polling", "downloading", "applying"] as const),
];

function useSync(): UseQueryResult<SyncV2> {
  return useQuery({
    queryKey: keyOf("readSync", {}),
    queryFn: () => operate("readSync", {}),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.accounts.some(({ phase }) => moving.includes(phase))
        ? movingMs
        : restingMs,
  });
}

export interface ConnectionView {
  readonly connection: SyncAccountV2;
  readonly status: SyncStatusV2 | null;
}

/** Each connection with its status; null until the player has answered. */
export function useConnections(): {
  readonly connections: readonly ConnectionView[] | null;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => void;
} {
  const sync = useSync();
  const client = useQueryClient();
  const listed = useQuery({
    queryKey: keyOf("listSyncAccounts", {}),
    queryFn: () => operate("listSyncAccounts", {}),
    retry: false,
  });
  // The list also changes elsewhere: through the interface, or by another manager.
  const ids = sync.data?.accounts.map(({ account_id }) => account_id).join();
  useEffect(() => {
    client
      .invalidateQueries({ queryKey: keyOf("listSyncAccounts") })
      .catch(notifyInternalError);
  }, [client, ids]);

  const isListed = useIsListed();
  const error = listed.error ?? sync.error;
  return {
    connections: listed.data
      ? listed.data
          .filter(({ account_id: id }) => isListed(id))
          .map((connection) => ({
            connection,
            status:
              sync.data?.accounts.find(
                ({ account_id }) => account_id === connection.account_id,
              ) ?? null,
          }))
      : null,
    error,
    isFetching: listed.isFetching || sync.isFetching,
    refetch: () => {
      listed.refetch().catch(notifyInternalError);
      sync.refetch().catch(notifyInternalError);
    },
  };
}

/** Refetches all queries about connections. */
export function useRefetchSync(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await Promise.all(
      (["readSync", "readSyncPlan", "listSyncAccounts"] as const).map((name) =>
        client.invalidateQueries({ queryKey: keyOf(name) }),
      ),
    );
  }, [client]);
}
