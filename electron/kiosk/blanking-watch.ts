// Wakes and logs a display that the system blanks in spite of the power block (V2-262).

import type { Log } from "../../server/platform/log.ts";
import { everyAbout } from "../../server/platform/shared-timer.ts";
import type { Player } from "../../server/player/player.ts";
import type { Config } from "../config.ts";
import { createX11Waker } from "../x11/x11-blanking.ts";

export interface BlankingWatchOptions {
  readonly config: Config;
  readonly player: Pick<Player, "reportFault">;
  /** A PC that is only a manager may blank its display. */
  readonly isMeantToShow: () => boolean;
  readonly log: Log;
}

/** Batched with other periodic work, a check may be half a second late or more; a dark display is woken within 5 s (V2-262). */
const checkIntervalMs = 4000;

/** Does nothing where there is no X server: other systems do not report that they blank the display. The returned function ends it. */
export function watchBlanking(options: BlankingWatchOptions): () => void {
  const { config, player, log } = options;
  if (config.xDisplay === undefined) return () => undefined;
  const waker = createX11Waker(config);
  let isChecking = false;

  async function check(): Promise<void> {
    if (isChecking || !options.isMeantToShow()) return;
    isChecking = true;
    try {
      if (!(await waker.wake())) return;
      log.warn("display.woken");
      player.reportFault(
        "display",
        "The system had turned off the display; it was turned on again. Run vitrine --site-check to find the cause.",
      );
    } catch {
      // No X server on this machine, or one that is too busy now.
    } finally {
      isChecking = false;
    }
  }

  const runCheck = (): void => {
    check().catch((error: unknown) =>
      log.error("app.internal-error", { error }),
    );
  };
  return everyAbout(checkIntervalMs, runCheck);
}
