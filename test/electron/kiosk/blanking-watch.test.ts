// The watch for a display that its X server blanks, on a real server: only the timers are replaced.

import { expect, it, onTestFinished, vi } from "vitest";
import { watchBlanking } from "../../../electron/kiosk/blanking-watch.ts";
import type { Config } from "../../../electron/config.ts";
import { connectX11 } from "../../../electron/x11/x11-connection.ts";
import type { Log } from "../../../server/platform/log.ts";
import { everySecond } from "../../../server/platform/shared-timer.ts";
import {
  blankScreen,
  saverState,
} from "../../support/screen/blanked-screen.ts";
import { openScreen } from "../../support/screen/screen.ts";

it.runIf(process.platform === "linux")(
  "[V2-262][V2-711] wakes the display within five seconds, whenever the shared timer ticks",
  async () => {
    const { display } = await openScreen(320, 180);
    const server = { xDisplay: display, xAuthority: undefined };
    // A server whose last client disconnects resets itself.
    const stays = await connectX11(server);
    onTestFinished(() => stays.close());
    vi.useFakeTimers({
      toFake: ["setInterval", "clearInterval", "performance"],
    });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(everySecond(() => undefined));
    vi.advanceTimersByTime(510);
    const faults: string[] = [];
    const stop = watchBlanking({
      config: server as unknown as Config,
      player: { reportFault: (name) => void faults.push(name) },
      isMeantToShow: () => true,
      log: { warn: () => undefined } as unknown as Log,
    });
    onTestFinished(stop);
    await blankScreen(server);
    vi.advanceTimersByTime(5000);
    await expect.poll(() => faults).toEqual(["display"]);
    expect(await saverState(server)).toMatchObject({ isBlanked: false });
  },
);
