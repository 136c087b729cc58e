// Prevents sleep and display blanking, and renews the block after anything has ended it.

import { powerMonitor, powerSaveBlocker } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { everyAbout } from "../../server/platform/shared-timer.ts";

export interface Awake {
  isBlocked(): boolean;
  stop(): void;
}

/** Some desktops drop the block when they lock or restart. */
const checkIntervalMs = 30_000;

export function keepAwake(log: Log): Awake {
  let blocker = powerSaveBlocker.start("prevent-display-sleep");

  function again(): void {
    powerSaveBlocker.stop(blocker);
    blocker = powerSaveBlocker.start("prevent-display-sleep");
  }

  const stopChecking = everyAbout(checkIntervalMs, () => {
    if (powerSaveBlocker.isStarted(blocker)) return;
    again();
    log.warn("power.block-renewed");
  });
  powerMonitor.on("resume", again);
  powerMonitor.on("unlock-screen", again);

  return {
    isBlocked: () => powerSaveBlocker.isStarted(blocker),
    stop: () => {
      stopChecking();
      powerMonitor.off("resume", again);
      powerMonitor.off("unlock-screen", again);
      powerSaveBlocker.stop(blocker);
    },
  };
}
