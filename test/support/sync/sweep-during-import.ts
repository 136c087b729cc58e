// Imports an offline bundle while another connection of the same player releases its files.

import { connectionDefaults } from "../../../server/core/sync-plan/sync-state.ts";
import { createLog } from "../../../server/platform/log.ts";
import {
  createOfflineBundles,
  type OfflineBundles,
} from "../../../server/player/sync/offline-bundle/offline-bundle.ts";
import { createSecrets } from "../../../server/player/sync/store/secret-store.ts";
import { temporaryFolder } from "../folder.ts";
import type { startFullSync } from "./start-full-sync.ts";

type FullSync = Awaited<ReturnType<typeof startFullSync>>;

/** The sweep runs right after the first file, or the first app, is admitted. */
export async function sweptMeanwhile(
  { sync, player }: FullSync,
  after: "admit" | "admitApp",
): Promise<{
  readonly offlineBundles: OfflineBundles;
  readonly isSwept: () => boolean;
}> {
  const other = await sync.addConnection(
    { ...connectionDefaults, name: "Other", baseUrl: "http://127.0.0.1:9" },
    "a-token",
  );
  const { library, extensionRows, name } = player.forSync;
  let isSwept = false;
  const sweep = async (): Promise<void> => {
    if (!isSwept) await sync.removeConnection(other.id, false);
    isSwept = true;
  };
  const offlineBundles = createOfflineBundles({
    ...{ sync, rows: extensionRows, playerName: name, now: Date.now },
    ...{ log: createLog({ toStandardOutput: false }), reserveBytes: 0 },
    secrets: createSecrets(await temporaryFolder(), null),
    dir: await temporaryFolder(),
    library: {
      ...library,
      admit: async (...words) => {
        await library.admit(...words);
        if (after === "admit") await sweep();
      },
      admitApp: async (...words) => {
        await library.admitApp(...words);
        if (after === "admitApp") await sweep();
      },
    },
  });
  return { offlineBundles, isSwept: () => isSwept };
}
