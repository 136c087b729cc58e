// The real link client, outbox and offline bundles with the real sync and player.

import { systemClock } from "../../../server/platform/clock.ts";
import type { LinkActions } from "../../../server/player/sync/link-client/link-commands.ts";
import type { LinkedPlayback } from "../../../server/player/sync/link-client/linked-playback.ts";
import {
  createSyncExtensions,
  type SyncExtensions,
} from "../../../server/player/sync/sync.ts";
import type { SyncExtensionsOptions } from "../../../server/player/sync/sync.ts";
import { createLog, type Log } from "../../../server/platform/log.ts";
import { afterThisTest } from "../after-this-test.ts";
import {
  startSync,
  type RunningSync,
  type StartSyncOptions,
} from "./start-sync.ts";

/** Waits a small part of every pause. */
const hurried: typeof systemClock = {
  ...systemClock,
  after: (ms, callback) => systemClock.after(ms / 400, callback),
};

export interface RunningFullSync extends RunningSync {
  readonly extensions: SyncExtensions;
  /** Ends the extensions, then the sync, then the player. */
  stopAll(): Promise<void>;
}

export interface FullSyncOptions extends StartSyncOptions {
  readonly actions?: LinkActions;
  /** Wraps what links see and change of playback. */
  readonly wrapPlayback?: (playback: LinkedPlayback) => LinkedPlayback;
  /** The default waits a small part of every pause. */
  readonly clock?: SyncExtensionsOptions["clock"];
  /** Wraps the rows of the extensions, to make them fail. */
  readonly breakRows?: (
    rows: SyncExtensionsOptions["rows"],
  ) => SyncExtensionsOptions["rows"];
}

export async function startFullSync(
  options: FullSyncOptions = {},
): Promise<RunningFullSync> {
  const running = await startSync(options);
  const { forSync } = running.player;
  const extensions = createSyncExtensions({
    ...{ sync: running.sync, library: forSync.library },
    rows: (options.breakRows ?? ((one) => one))(forSync.extensionRows),
    ...{ dataDir: running.dataDir, seal: options.sync?.seal ?? null },
    ...{ clock: options.clock ?? hurried, log: logBugs() },
    playerName: forSync.name,
    playback: (options.wrapPlayback ?? ((one) => one))(forSync.playback),
    displays: () => [
      { width: 1920, height: 1080, rotation: 0, is_playback: true },
    ],
    ...{
      version: "0.0.0-test",
      actions: options.actions ?? {},
      reserveBytes: 0,
    },
    // The shortest possible pauses.
    random: () => 0,
  });
  forSync.attachExtensions(extensions);
  extensions.start();
  afterThisTest(extensions.stop);
  const stopAll = async (): Promise<void> => {
    await extensions.stop();
    await running.stopSync();
    await running.player.stop();
  };
  return { ...running, extensions, stopAll };
}

/** A bug is printed where the test's output is read. */
function logBugs(): Log {
  const silent = createLog({ toStandardOutput: false });
  const reporting: Log = {
    ...silent,
    error: (event, fields) => console.error(event, fields),
    with: () => reporting,
  };
  return reporting;
}
