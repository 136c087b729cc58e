// The real app on a read-only or full disk: started on it, it shows what it has.

import { describe, expect, it } from "vitest";
import type { InfoV2 } from "../../server/contract/v2/v2-monitoring.ts";
import { png, type Colour } from "../support/media/media.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { launch, startApp } from "../support/app/start-app.ts";
import {
  fillUp,
  mayMount,
  remountReadOnly,
  smallDisk,
} from "../support/machine/volume.ts";

const red: Colour = [200, 40, 40];
const showsRed = (frame: Frame): boolean => isNear(meanOf(frame), red);

describe.skipIf(!mayMount)("the app", () => {
  it.each([
    ["that takes nothing", async (dir: string) => void remountReadOnly(dir)],
    ["that is full", async (dir: string) => void (await fillUp(dir, 0))],
  ])(
    "[V2-330] [V2-359] started on a disk %s shows its cached content, and reports that in safe_mode",
    async (_what, spoil) => {
      const dataDir = await smallDisk(600);
      const screen = await openScreen();
      const screenWatch = watchScreen(screen);
      // A small machine's only disk: temporary files are on it, too.
      const own = {
        ...{ screen, dataDir, flags: ["--no-manager"] },
        env: { TMPDIR: dataDir },
      };
      const before = await startApp(own);
      await before.addFile(png(red, 1280, 720), { name: "red" });
      await screenWatch.until(showsRed, "red");
      expect(await before.stop()).toBe(0);
      await screenWatch.until((frame) => !showsRed(frame), "the empty screen");

      await spoil(dataDir);
      const app = await startApp(own);
      await screenWatch.until(showsRed, "red again");
      const info = await fetch(`${app.api}/api/v2/info`);
      expect(((await info.json()) as InfoV2).safe_mode).toContain(
        "cannot be written to",
      );
      expect(await app.stop()).toBe(0);
    },
  );

  it("[V2-360] hands a second instance over to the first, even if the first one's disk is full by now", async () => {
    const dataDir = await smallDisk(600);
    const screen = await openScreen();
    const app = await startApp({ screen, dataDir, flags: ["--no-manager"] });
    await fillUp(dataDir, 0);
    const second = launch(["--data-dir", dataDir, "--api-port", "0"], screen);
    expect(await second.exit()).toBe(0);
    expect(second.output()).toContain("already running");
    expect((await fetch(`${app.api}/api/v2/assets`)).status).toBe(200);
  });
});
