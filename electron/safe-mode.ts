// Out of safe mode again: after a quiet time the player tries the ordinary way once more.

import { app } from "electron";
import type { Log } from "../server/platform/log.ts";
import type { Config } from "./config.ts";

/** As long as crashes are remembered (V2-258). */
const quietMs = 10 * 60_000;
/** To whoever watches from outside: start me again. */
const startAgain = 75;

export function leaveSafeModeLater(
  config: Config,
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
  }, quietMs);
}
