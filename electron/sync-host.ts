// The sync beside the player, with its link and its queue upwards: handed the player's library, and a seal where there is one.

import { app, safeStorage } from "electron";
import { systemClock } from "../server/platform/clock.ts";
import type { Log } from "../server/platform/log.ts";
import type { Player } from "../server/player/player.ts";
import type {
  LinkActions,
  Sync,
  SyncExtensions,
} from "../server/player/sync/sync.ts";

export interface SyncHost {
  readonly dataDir: string;
  readonly log: Log;
  /** A PC that is only a desk has none. */
  readonly hasScreen: boolean;
  readonly takeScreenshot: () => Promise<Uint8Array>;
  /** Ends this run so that another follows. */
  readonly restart: () => void;
}

export interface SyncRun extends Pick<Sync, "stop"> {
  readonly offlineBundles: SyncExtensions["offlineBundles"];
}

/** As fast as most lines are: hashing and writing more than this would take the processor from a film (V2-337). */
const bytesPerSecondDuringPlayback = 32 * 1024 * 1024;

export async function runSync(
  player: Player,
  host: SyncHost,
): Promise<SyncRun> {
  const { dataDir, log, hasScreen } = host;
  // Only now: the first picture needs none of it.
  const { createSync, createSyncExtensions } =
    await import("../server/player/sync/sync.ts");
  const { library, zone, attach } = player.forSync;
  const seal = systemSeal();
  const sync = await createSync({
    ...{ library, zone, dataDir, seal, log },
    clock: systemClock,
    ...(hasScreen && { maxBytesPerSecond: bytesPerSecondDuringPlayback }),
  });
  attach(sync);
  log.info("sync.started", { tokens: seal ? "sealed" : "file" });
  sync.start();
  const extensions = createSyncExtensions({
    ...{ sync, library, dataDir, seal, log, clock: systemClock },
    ...{ rows: player.forSync.extensionRows, playerName: player.forSync.name },
    version: app.getVersion(),
    actions: linkActionsOf(player, host),
  });
  player.forSync.attachExtensions(extensions);
  extensions.start();
  return {
    offlineBundles: extensions.offlineBundles,
    stop: async () => {
      await extensions.stop();
      await sync.stop();
    },
  };
}

/** Read by the player itself: an app may be the first slide, long before the sync is up. */
export function appSecretsIn(dataDir: string) {
  return async (md5: string): Promise<Readonly<Record<string, string>>> => {
    const { openAppSecrets } = await import("../server/player/sync/sync.ts");
    return openAppSecrets(dataDir, systemSeal()).of(md5);
  };
}

/** What a service may order this screen to do (V2-306). */
function linkActionsOf(
  player: Player,
  { takeScreenshot, restart }: SyncHost,
): LinkActions {
  return {
    next: () => player.step("next"),
    previous: () => player.step("previous"),
    screenshot: takeScreenshot,
    restart,
    // By the same rules as for anybody else: the setting power_allowed says whether.
    reboot: async () => {
      const outcome = await player.operate({ operation: "reboot" });
      if (!outcome.isDone) throw new Error(outcome.message);
    },
  };
}

// The cloud's token, sealed by the operating system.

/** What only this user of this machine can turn back. */
interface Seal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

/** Null where the system has no place for keys: what Chromium then calls sealed, anybody could open. */
function systemSeal(): Seal | null {
  const isReal =
    safeStorage.isEncryptionAvailable() &&
    (process.platform !== "linux" ||
      safeStorage.getSelectedStorageBackend() !== "basic_text");
  return isReal
    ? {
        seal: (secret) => safeStorage.encryptString(secret),
        unseal: (bytes) => safeStorage.decryptString(bytes),
      }
    : null;
}
