// Sync failures: one image is synced and on the screen, and then things go wrong that the audience must not notice.

import { expect } from "vitest";
import { systemClock } from "../../../server/platform/clock.ts";
import type { SyncStatus } from "../../../server/core/sync-plan/sync-state.ts";
import {
  cloudImage,
  serveFaultyCloud,
  type FaultyCloud,
} from "../faulty-service/faulty-service.ts";
import {
  startSync,
  type RunningSync,
  type StartSyncOptions,
} from "./start-sync.ts";

/** Pauses are a hundred times shorter; the silence timeout is not. */
export const hurried = {
  ...systemClock,
  after: (ms: number, callback: () => void) =>
    systemClock.after(ms / 100, callback),
};
export const megabyte = 1024 * 1024;
export const old = cloudImage("old", [9, 9, 9]);
export const fresh = cloudImage("fresh", [5, 5, 5], 3 * megabyte);

export interface SyncedPlayer extends RunningSync {
  readonly cloud: FaultyCloud;
  readonly id: string;
  /** What a person sees, and what the library has. */
  seen(): Promise<unknown>;
  /** The old image is on the screen, as if nothing had happened. */
  assertUndisturbed(): Promise<void>;
}

/**
 * A timeout long enough that only intended silence reaches it: a machine that stalls for seconds must not count as a service that
 * is away.
 */
const longSilenceMs = 30_000;

/** One image is synced and on the screen; from now on things go wrong. */
export async function startSyncedPlayer(
  options: StartSyncOptions & { isSecure?: boolean } = {},
): Promise<SyncedPlayer> {
  const cloud = await serveFaultyCloud({ isSecure: options.isSecure ?? false });
  cloud.playlists = [{ id: "P1", assets: [old] }];
  const running = await startSync({
    ...options,
    sync: { clock: hurried, silenceMs: longSilenceMs, ...options.sync },
  });
  const id = await running.connect({
    baseUrl: cloud.address,
    pollSeconds: 86_400,
    isCertificateSkipped: options.isSecure ?? false,
  });
  const names = async (): Promise<unknown> =>
    (await running.list()).map(({ name }) => name);
  await expect.poll(() => running.stage.visible()?.name).toBe("old");
  const { length } = running.stage.shown;
  return {
    ...{ ...running, cloud, id, seen: names },
    assertUndisturbed: async () => {
      expect(running.stage.shown.length).toBe(length);
      expect(running.stage.visible()?.name).toBe("old");
      expect(await names()).toContain("old");
    },
  };
}

export const rest = (running: SyncedPlayer): Promise<SyncStatus> =>
  running.syncNow();
export const freshPlaylist = { id: "P1", assets: [old, fresh] };
