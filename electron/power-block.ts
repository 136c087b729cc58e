// Keeps the machine from sleeping and the display from blanking, and asks again after whatever ended that.

import { powerMonitor, powerSaveBlocker } from "electron";
import type { Log } from "../server/platform/log.ts";

export interface Awake {
  isBlocked(): boolean;
  stop(): void;
}

/** Some desktops forget a wish when they lock or start anew. */
const lookEveryMs = 30_000;

export function keepAwake(log: Log): Awake {
  let blocker = powerSaveBlocker.start("prevent-display-sleep");

  function again(): void {
    powerSaveBlocker.stop(blocker);
    blocker = powerSaveBlocker.start("prevent-display-sleep");
  }

  const looking = setInterval(() => {
    if (powerSaveBlocker.isStarted(blocker)) return;
    again();
    log.warn("power.block-renewed");
  }, lookEveryMs);
  powerMonitor.on("resume", again);
  powerMonitor.on("unlock-screen", again);

  return {
    isBlocked: () => powerSaveBlocker.isStarted(blocker),
    stop: () => {
      clearInterval(looking);
      powerMonitor.off("resume", again);
      powerMonitor.off("unlock-screen", again);
      powerSaveBlocker.stop(blocker);
    },
  };
}
