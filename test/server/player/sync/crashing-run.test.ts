// A run that ended the player is not started again before an operator can reach it: a copy of the data folder is what a kill leaves
// behind.

import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { holdingBack } from "../../../support/faulty-service/held-response.ts";
import type { SyncLibrary } from "../../../../server/player/sync/sync.ts";
import {
  serveFaultyCloud,
  type FaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import {
  both,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";
import {
  startSync,
  type RunningSync,
} from "../../../support/sync/start-sync.ts";
import { temporaryFolder } from "../../../support/folder.ts";

/** Poll pauses pass when the test lets them. */
function pausedClock() {
  const pauses: { readonly ms: number; readonly goOn: () => void }[] = [];
  const clock = {
    ...systemClock,
    after: (ms: number, goOn: () => void) => {
      if (ms < 9000) return systemClock.after(ms, goOn);
      const pause = { ms, goOn };
      pauses.push(pause);
      return () => pauses.splice(pauses.indexOf(pause) >>> 0, 1);
    },
  };
  return { pauses, clock };
}

/** As a watchdog leaves it, while something new is applied. */
function copiedAtApply() {
  let copy: string | null = null;
  let dataDir = "";
  const breakLibrary = (library: SyncLibrary): SyncLibrary => ({
    ...library,
    apply: (...what) => {
      if (copy !== null) cpSync(dataDir, copy, { recursive: true });
      copy = null;
      return library.apply(...what);
    },
  });
  return {
    breakLibrary,
    left: async (running: RunningSync, act: () => void): Promise<string> => {
      const folder = await temporaryFolder();
      [copy, dataDir] = [folder, running.dataDir];
      act();
      await running.until(() => copy === null);
      return folder;
    },
  };
}

async function restarted(dataDir: string) {
  const { pauses, clock } = pausedClock();
  const { breakLibrary, left } = copiedAtApply();
  const running = await startSync({
    ...{ player: { dataDir }, sync: { clock }, breakLibrary },
  });
  return { ...running, pauses, left };
}

async function killed(cloud: FaultyCloud): Promise<string> {
  const { breakLibrary, left } = copiedAtApply();
  const running = await startConnectedPlayer({}, { cloud, breakLibrary });
  const folder = await left(running, () => {
    cloud.playlists = both;
    running.sync.run();
  });
  await running.stopSync();
  await running.player.stop();
  return folder;
}

describe("[V2-620] a run that never ended", () => {
  it("fault 21: is started again after a pause with the interface up, longer each time, and is reported", async () => {
    const cloud = await serveFaultyCloud();
    let left = await killed(cloud);
    for (const pauseMs of [10_000, 20_000, 40_000]) {
      cloud.requests.length = 0;
      const again = await restarted(left);
      const status = await again.until(({ nextPollAt }) => nextPollAt !== null);
      expect(status.problem).toMatchObject({ code: "interrupted" });
      expect(again.pauses.map(({ ms }) => ms)).toContain(pauseMs);
      expect(await again.list()).toHaveLength(1);
      again.sync.run(status.connectionId, true);
      expect(cloud.requests).toHaveLength(0);
      left = await again.left(again, () => again.sync.run());
      await again.stopSync();
      await again.player.stop();
    }
    const last = await restarted(left);
    await last.until(({ problem }) => problem?.code === "interrupted");
    for (const { goOn } of last.pauses.splice(0)) goOn();
    const healed = await last.until(({ isInSync }) => isInSync === true);
    expect(healed.problem).toBeNull();
    expect(await last.list()).toHaveLength(2);
  });

  it("no longer counts once one has completed, nor where the player was stopped cleanly", async () => {
    const cloud = await serveFaultyCloud();
    const again = await restarted(await killed(cloud));
    await again.until(({ problem }) => problem?.code === "interrupted");
    expect(await again.syncNow()).toMatchObject({
      problem: null,
      isInSync: true,
    });
    const list = holdingBack();
    cloud.list = list.answer;
    again.sync.run();
    await list.requested;
    await again.stopSync();
    await again.player.stop();
    list.goOn();
    cloud.list = null;
    const last = await restarted(again.dataDir);
    const { problem } = await last.until(({ isInSync }) => isInSync === true);
    expect(problem).toBeNull();
  });
});
