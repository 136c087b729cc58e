// What happens in the player, as the desk hears of it: answers that are no longer true are asked again.

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OperationName } from "../../server/contract/ipc-operate.ts";
import type { ManagerEvents } from "../../server/contract/ipc.ts";
import { assetsKey, nowKey, pictureKey } from "./api.ts";
import { changesAnswered, keyOf } from "./operations.ts";

type Happening = ManagerEvents["happening"];
type Changed = Extract<Happening, { name: "changed" }>["value"]["what"];

/** Which answers a change of each kind makes untrue. */
const spoiledBy: Readonly<Record<Changed, readonly OperationName[]>> = {
  assets: [
    ...(["listAssets", "readAsset", "listPlaylists", "readPlaylist"] as const),
    ...(["readWhy", "readInfo", "listBin"] as const),
  ],
  playlists: ["listPlaylists", "readPlaylist", "readWhy", "listBin"],
  settings: ["readSettings", "readWhy", "readInfo", "readNow"],
  takeover: ["readTakeover", "readWhy", "readNow"],
};

/** Call once: the shell does. */
export function useHappenings(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = window.manager.on("happening", (happening) => {
      if (!isOfPlaylists(happening)) return hear(client, happening);
      timer ??= setTimeout(() => {
        timer = undefined;
        void changesAnswered().then(() => hear(client, happening));
      }, gatherMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);
}

/** Playlists are changed step by step: asked again once for several, and when all is answered, lest an earlier answer overtakes a later step. */
const gatherMs = 300;

function isOfPlaylists({ name, value }: Happening): boolean {
  return name === "changed" && value.what === "playlists";
}

function hear(client: QueryClient, happening: Happening): void {
  switch (happening.name) {
    case "changed": {
      const { what } = happening.value;
      for (const operation of spoiledBy[what] ?? [])
        void client.invalidateQueries({ queryKey: keyOf(operation) });
      if (what === "assets")
        void client.invalidateQueries({ queryKey: assetsKey });
      return;
    }
    case "showing":
      // An answer still under way is older than this.
      void client.cancelQueries({ queryKey: nowKey });
      client.setQueryData(nowKey, happening.value);
      void client.invalidateQueries({ queryKey: pictureKey });
      void client.invalidateQueries({ queryKey: keyOf("readWhy") });
      return;
    case "fault":
      void client.invalidateQueries({ queryKey: assetsKey });
      return;
    // Whoever shows how far something is listens for itself.
    case "progress":
    case "sync":
      return;
  }
}
