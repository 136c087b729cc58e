// A run that ended the player is not begun again before an operator can reach it: a copy of the data folder is what a kill leaves behind.

import { cp } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { holdingBack } from "../../../support/holding-back.ts";
import { both, startTrial, type Trial } from "../../../support/one-account.ts";
import { startSync, type RunningSync } from "../../../support/start-sync.ts";
import { temporaryFolder } from "../../../support/folder.ts";

/** Pauses of a poll pass when the test lets them. */
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

/** As the power or a watchdog leaves it, while the service is being asked. */
async function killedDuringRun({
  cloud,
  dataDir,
  sync,
}: Trial | (RunningSync & Pick<Trial, "cloud">)): Promise<string> {
  const list = holdingBack();
  cloud.list = list.answer;
  sync.run();
  await list.asked;
  const copy = await temporaryFolder();
  await cp(dataDir, copy, { recursive: true });
  cloud.list = null;
  list.goOn();
  return copy;
}

async function restarted(dataDir: string) {
  const { pauses, clock } = pausedClock();
  const running = await startSync({
    player: { dataDir },
    sync: { clock },
  });
  return { ...running, pauses };
}

describe("[V2-620] a run that never ended", () => {
  it("fault 21: is begun again after a pause with the interface up, longer each time, and is told", async () => {
    const trial = await startTrial();
    const { cloud } = trial;
    let left = await killedDuringRun(trial);
    cloud.playlists = both;
    for (const pauseMs of [10_000, 20_000, 40_000]) {
      cloud.asked.length = 0;
      const again = await restarted(left);
      const status = await again.until(({ nextLookAt }) => nextLookAt !== null);
      expect(status.problem).toMatchObject({ code: "interrupted" });
      expect(again.pauses.map(({ ms }) => ms)).toContain(pauseMs);
      expect(await again.list()).toHaveLength(1);
      expect(cloud.asked).toHaveLength(0);
      left = await killedDuringRun({ ...again, cloud });
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

  it("counts no more once one has come to its end, nor where the player was stopped in an orderly way", async () => {
    const trial = await startTrial();
    const { cloud } = trial;
    const again = await restarted(await killedDuringRun(trial));
    await again.until(({ problem }) => problem?.code === "interrupted");
    expect(await again.look()).toMatchObject({ problem: null, isInSync: true });
    const list = holdingBack();
    cloud.list = list.answer;
    again.sync.run();
    await list.asked;
    await again.stopSync();
    await again.player.stop();
    list.goOn();
    cloud.list = null;
    const last = await restarted(again.dataDir);
    expect(await last.until(({ isInSync }) => isInSync === true)).toMatchObject(
      {
        problem: null,
      },
    );
  });
});
