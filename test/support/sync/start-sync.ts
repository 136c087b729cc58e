// The real sync with the real player: polls on request, and reports when it is idle.

import type {
  SyncConnectionInput,
  SyncStatus,
} from "../../../server/core/sync-plan/sync-state.ts";
import { connectionDefaults } from "../../../server/core/sync-plan/sync-state.ts";
import { systemClock } from "../../../server/platform/clock.ts";
import { createLog, type Log } from "../../../server/platform/log.ts";
import type { PlayerOptions } from "../../../server/player/player.ts";
import {
  createSync,
  openAppSecrets,
  type Sync,
  type SyncLibrary,
  type SyncOptions,
} from "../../../server/player/sync/sync.ts";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";
import { contentKey } from "../content/start-content.ts";
import { startPlayer, type RunningPlayer } from "../player/start-player.ts";

export interface RunningSync extends RunningPlayer {
  readonly sync: Sync;
  /** Adds a connection and returns its identifier. */
  connect(
    options: Partial<SyncConnectionInput>,
    token?: string,
  ): Promise<string>;
  /** Polls now and resolves with the status once there is nothing more to do for now. */
  syncNow(): Promise<SyncStatus>;
  /** Resolves with the first status that matches. */
  until(isRight: (status: SyncStatus) => boolean): Promise<SyncStatus>;
  /** Ends the sync alone. */
  stopSync(): Promise<void>;
}

export interface StartSyncOptions {
  readonly player?: Partial<PlayerOptions>;
  readonly sync?: Partial<SyncOptions>;
  /** Wraps the library for the sync, to make it fail. */
  readonly breakLibrary?: (library: SyncLibrary) => SyncLibrary;
  readonly onWarning?: (event: string) => void;
}

export async function startSync(
  options: StartSyncOptions = {},
): Promise<RunningSync> {
  const dataDir = options.player?.dataDir ?? (await temporaryFolder());
  const running = await startPlayer({
    clock: systemClock,
    appSecrets: (md5) => openAppSecrets(dataDir, null).of(md5),
    ...{ ...options.player, dataDir },
  });
  const { forSync } = running.player;
  const sync = await createSync({
    library: (options.breakLibrary ?? ((one) => one))(forSync.library),
    dataDir: running.dataDir,
    seal: null,
    clock: systemClock,
    zone: forSync.zone,
    log: logBugs(options.onWarning),
    reserveBytes: () => 0,
    random: () => 0.5,
    ...options.sync,
  });
  forSync.attach(sync);
  sync.start();
  const stopSync = sync.stop;
  afterThisTest(stopSync);

  const until: RunningSync["until"] = (isRight) =>
    new Promise((resolve) => {
      const check = (): boolean => {
        const status = sync.status().find(isRight);
        if (status) resolve(status);
        return status !== undefined;
      };
      if (check()) return;
      const stop = sync.onProgress(() => {
        // After the notifying code has stored everything.
        setImmediate(() => {
          if (check()) stop();
        });
      });
    });
  return {
    ...{ ...running, sync, until, stopSync },
    connect: async (connection, token = contentKey) => {
      const { id } = await sync.addConnection(
        {
          ...{
            ...connectionDefaults,
            name: "Cloud",
            baseUrl: "",
            pollSeconds: 3600,
          },
          ...connection,
        },
        token,
      );
      await until((status) => status.connectionId === id && isAtRest(status));
      return id;
    },
    syncNow: async () => {
      sync.run();
      return until(isAtRest);
    },
  };
}

/** A bug is printed where the test's output is read. */
function logBugs(onWarning?: (event: string) => void): Log {
  const silent = createLog({ toStandardOutput: false });
  const reporting: Log = {
    ...silent,
    error: (event, fields) => console.error(event, fields),
    warn: (event) => onWarning?.(event),
    with: () => reporting,
  };
  return reporting;
}

/** It has polled, and now waits for the next time. */
function isAtRest({ phase, nextPollAt }: SyncStatus): boolean {
  return (
    nextPollAt !== null &&
    !["polling", "downloading", "applying"].includes(phase)
  );
}
