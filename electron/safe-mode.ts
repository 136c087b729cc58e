// Out of safe mode again: after a quiet time the player tries the ordinary way once more.

import { app } from "electron";
import type { Log } from "../server/platform/log.ts";
import type { Config } from "./config.ts";

/** To whoever watches from outside: start me again. */
const startAgain = 75;

export function leaveSafeModeLater(
  config: Config,
  quietInMs: number,
  farewell: () => void,
  log: Log,
): void {
  setTimeout(() => {
    log.info("app.leaves-safe-mode");
    farewell();
    const isWatched =
      config.notifySocket !== undefined || config.supervisor !== undefined;
    if (!isWatched) app.relaunch();
    app.exit(isWatched ? startAgain : 0);
  }, quietInMs);
}
