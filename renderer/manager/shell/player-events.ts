// Player events in the manager: refetches the queries that an event made outdated.

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OperationName } from "../../../server/contract/ipc/ipc-operate.ts";
import type { PlayerEventV2 } from "../../../server/contract/v2/v2-monitoring.ts";
import { assetsKey, nowKey, screenshotKey } from "../api/api.ts";
import { questionKey } from "../api/manager-queries.ts";
import { changesAnswered, keyOf } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import { transport } from "../transport/transport.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

type Changed = Extract<PlayerEventV2, { name: "changed" }>["value"]["resource"];

/** Queries that a change of each kind makes outdated. */
const spoiledBy: Readonly<Record<Changed, readonly OperationName[]>> = {
  assets: [
    "listAssets",
    "readAsset",
    "readWhy",
    "readInfo",
    "listTrash",
    "listSyncOrigins",
    "listLocalChanges",
  ],
  playlists: [],
  settings: ["readSettings", "readWhy", "readInfo", "readNow", "readSession"],
  takeover: ["readTakeover", "readWhy", "readNow"],
  tokens: ["listTokens", "readPassword", "readSession"],
  backups: ["listBackups"],
  sync_accounts: [
    ...(["listSyncAccounts", "readSync", "listSyncOrigins"] as const),
    "listLocalChanges",
  ],
};

/** Playlists are changed in steps: refetched when all steps are answered, so that no earlier response overtakes a later step. */
const spoiledInSteps: Readonly<
  Partial<Record<Changed, readonly OperationName[]>>
> = {
  assets: ["listPlaylists", "readPlaylist"],
  playlists: [
    ...(["listPlaylists", "readPlaylist", "readWhy", "listTrash"] as const),
    ...(["listSyncOrigins", "listLocalChanges"] as const),
  ],
};

/** Call once: the shell does. */
export function usePlayerEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refetchAll = (operations: readonly OperationName[]) => {
      refetch(client, operations);
    };
    const [steps, others] = [
      createSteps(batchMs, refetchAll),
      createSteps(0, refetchAll),
    ];
    const stopHosting = can("hosting")
      ? window.manager.on("hosting", () => {
          forgetServices(client);
        })
      : () => undefined;
    const stop = transport.onPlayerEvent((playerEvent) => {
      receive(client, playerEvent);
      if (playerEvent.name !== "changed") return;
      const { resource } = playerEvent.value;
      (resource === "playlists" ? steps : others).note(
        spoiledInSteps[resource] ?? [],
      );
    });
    return () => {
      stop();
      stopHosting();
      steps.stop();
      others.stop();
    };
  }, [client]);
}

/** Batches the steps: several of them cause one refetch. */
const batchMs = 300;

/** Calls back once for everything noted within the interval, and not before every requested change is answered. */
export function createSteps(
  batchMs: number,
  notify: (operations: readonly OperationName[]) => void,
): {
  readonly note: (operations: readonly OperationName[]) => void;
  readonly stop: () => void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const noted = new Set<OperationName>();
  return {
    note: (operations) => {
      if (operations.length === 0) return;
      for (const operation of operations) noted.add(operation);
      timer ??= setTimeout(() => {
        timer = undefined;
        changesAnswered()
          .then(() => {
            const all = [...noted];
            noted.clear();
            notify(all);
          })
          .catch(notifyInternalError);
      }, batchMs);
    },
    stop: () => {
      clearTimeout(timer);
    },
  };
}

/** A page that opens later must not ask a service that is no longer there. */
function forgetServices(client: QueryClient): void {
  const queryKey = questionKey("listScreenServices");
  client.removeQueries({ queryKey, type: "inactive" });
  client.invalidateQueries({ queryKey }).catch(notifyInternalError);
}

function refetch(
  client: QueryClient,
  operations: readonly OperationName[],
): void {
  for (const operation of operations)
    client
      .invalidateQueries({ queryKey: keyOf(operation) })
      .catch(notifyInternalError);
}

function receive(client: QueryClient, playerEvent: PlayerEventV2): void {
  switch (playerEvent.name) {
    case "changed": {
      const { resource } = playerEvent.value;
      refetch(client, spoiledBy[resource] ?? []);
      if (resource === "sync_accounts") forgetServices(client);
      return;
    }
    case "showing":
      // A response that is still pending is older than this.
      client.cancelQueries({ queryKey: nowKey }).catch(notifyInternalError);
      client.setQueryData(nowKey, playerEvent.value);
      client
        .invalidateQueries({ queryKey: screenshotKey })
        .catch(notifyInternalError);
      client
        .invalidateQueries({ queryKey: keyOf("readWhy") })
        .catch(notifyInternalError);
      return;
    case "fault":
      client
        .invalidateQueries({ queryKey: assetsKey })
        .catch(notifyInternalError);
      return;
    // Components that show progress subscribe themselves.
    case "progress":
    case "sync":
      return;
  }
}
