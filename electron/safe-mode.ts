// Out of safe mode again: after a quiet time the player tries the ordinary way once more.

import { app } from "electron";
import type { Log } from "../server/platform/log.ts";
import type { Config } from "./config.ts";

/** To whoever watches from outside: start me again. */
const startAgain = 75;

export interface LeavingOptions {
  /** As long as crashes are remembered (V2-258). */
  readonly quietInMs: number;
  readonly farewell: () => void;
  /** Ends this run for a reason. */
  readonly end: (code: number) => void;
  readonly log: Log;
}

export function leaveSafeModeLater(
  config: Config,
  { quietInMs, farewell, end, log }: LeavingOptions,
): void {
  setTimeout(() => {
    log.info("app.leaves-safe-mode");
    farewell();
    const isWatched =
      config.notifySocket !== undefined || config.supervisor !== undefined;
    if (!isWatched) app.relaunch();
    end(isWatched ? startAgain : 0);
  }, quietInMs);
}
