// Runs the sync next to the player, with its link client and its outbox: given the player's library, and encryption by the
// system where available.

import { app, screen } from "electron";
import { systemClock } from "../server/platform/clock.ts";
import type { Log } from "../server/platform/log.ts";
import type { Player } from "../server/player/player.ts";
import type {
  LinkActions,
  ReportedDisplay,
  ScreenPicture,
  Sync,
  SyncExtensions,
} from "../server/player/sync/sync.ts";
import type { RunRecord } from "./lifecycle/safe-mode.ts";
import type { ScreenName } from "./playback-window/screen-name.ts";
import { systemSeal } from "./system-encryption.ts";

export interface SyncHost {
  readonly dataDir: string;
  readonly log: Log;
  /** How the run before this one ended. */
  readonly lastRunEnd: RunRecord["lastRunEnd"];
  /** A PC that is only a manager has none. */
  readonly hasScreen: boolean;
  readonly takeScreenshot: () => Promise<Uint8Array>;
  /** Small, for those who look at the screen from elsewhere. */
  readonly takeLivePicture: () => Promise<ScreenPicture>;
  readonly collectLogs: () => Promise<Uint8Array>;
  /** The display of the playback window. */
  readonly playbackDisplayId: () => number;
  /** Lays this name over the screen; see `createScreenName`. */
  readonly screenName: ScreenName;
  /** Ends this run so that another follows. */
  readonly restart: () => void;
}

export interface SyncRun extends Pick<Sync, "stop"> {
  readonly offlineBundles: SyncExtensions["offlineBundles"];
  readonly services: SyncExtensions["services"];
}

export async function runSync(
  player: Player,
  host: SyncHost,
): Promise<SyncRun> {
  const { dataDir, log, hasScreen } = host;
  // Only now: the first showing needs none of it.
  const {
    createSync,
    createSyncExtensions,
    maxBytesPerSecondDuringPlayback: maxBytesPerSecond,
  } = await import("../server/player/sync/sync.ts");
  const { library, zone, attach } = player.forSync;
  const seal = systemSeal();
  const sync = await createSync({
    ...{ library, zone, dataDir, seal, log },
    clock: systemClock,
    site: player.forSync.sharing,
    ...(hasScreen && { maxBytesPerSecond }),
  });
  attach(sync);
  log.info("sync.started", { tokens: seal ? "sealed" : "file" });
  sync.start();
  const extensions = createSyncExtensions({
    ...{ sync, library, dataDir, seal, log, clock: systemClock },
    ...{ rows: player.forSync.extensionRows, playerName: player.forSync.name },
    ...{ version: app.getVersion(), lastRunEnd: host.lastRunEnd },
    ...{ actions: linkActionsOf(player, host), displays: displaysOf(host) },
    playback: player.forSync.playback,
  });
  player.forSync.attachExtensions(extensions);
  extensions.start();
  return {
    offlineBundles: extensions.offlineBundles,
    services: extensions.services,
    stop: async () => {
      await extensions.stop();
      await sync.stop();
    },
  };
}

/** Read by the player itself: an app may be the first showing, long before the sync has started. */
export function appSecretsIn(dataDir: string) {
  return async (md5: string): Promise<Readonly<Record<string, string>>> => {
    const { openAppSecrets } = await import("../server/player/sync/sync.ts");
    return openAppSecrets(dataDir, systemSeal()).of(md5);
  };
}

function displaysOf({ hasScreen, playbackDisplayId }: SyncHost) {
  return (): readonly ReportedDisplay[] =>
    screen.getAllDisplays().map(({ id, size, scaleFactor, rotation }) => ({
      width: Math.round(size.width * scaleFactor),
      height: Math.round(size.height * scaleFactor),
      rotation,
      is_playback: hasScreen && id === playbackDisplayId(),
    }));
}

/** What a service may order this screen to do, besides playback (V2-306). */
function linkActionsOf(player: Player, host: SyncHost): LinkActions {
  const { screenName, hasScreen, restart } = host;
  return {
    screenshot: host.takeScreenshot,
    collectLogs: host.collectLogs,
    ...(hasScreen && {
      livePicture: host.takeLivePicture,
      identify: (name, seconds, signal) => {
        const orientation = player.settings().screenOrientation;
        return screenName.show({ name, seconds, orientation, signal });
      },
    }),
    restart,
    // By the same rules as for any client: the setting power_allowed decides.
    reboot: async () => {
      const outcome = await player.operate({ operation: "reboot" });
      if (!outcome.isDone) throw new Error(outcome.message);
    },
  };
}
