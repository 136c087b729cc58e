// Kiosk mode of an unattended screen: only the PIN leads to the manager or quits, even without the store.

import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { setExitPin } from "../../electron/kiosk/exit-pin.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { press } from "../support/screen/keyboard.ts";
import { png, type Colour } from "../support/media/media.ts";
import { isPackaged } from "../support/app/program.ts";
import {
  colourAt,
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { launch, startApp } from "../support/app/start-app.ts";
import { closeWindows } from "../support/screen/window-close.ts";

const red: Colour = [200, 40, 40];
const showsRed = (frame: Frame): boolean => isNear(meanOf(frame), red);
/** A key of the PIN pad, which is drawn once it accepts input. */
const showsPad = (frame: Frame): boolean =>
  isNear(colourAt(frame, 0.395, 0.43), [31, 38, 46], 12);

describe.runIf(process.platform === "linux" && !isPackaged)(
  "an unattended screen whose store cannot be opened",
  () => {
    it.each([
      [
        "the flag, with no key set",
        ["--profile", "unattended"],
        { profile: "desk", exit_hotkey: "" },
        // Tabs past the digits to the button that quits.
        13,
      ],
      ["the setting, as it was last", [], { profile: "unattended" }, 0],
    ])(
      "[V2-261] [V2-362] [V2-368] [V2-376] is locked by %s: nobody can close it, its PIN unlocks it",
      async (_by, profileFlags, settings, tabs) => {
        const screen = await openScreen();
        const screenWatch = watchScreen(screen);
        const before = await startApp({ screen, flags: ["--no-manager"] });
        const { dataDir } = before;
        await before.addFile(png(red, 1280, 720), { name: "red" });
        const saved = await fetch(`${before.api}/api/v2/device_settings`, {
          method: "PATCH",
          body: new URLSearchParams(settings),
        });
        expect(saved.ok).toBe(true);
        const isKept = () => existsSync(path.join(dataDir, "last-plan.json"));
        await expect.poll(isKept).toBe(true);
        await before.stop();
        setExitPin(dataDir, "4711");
        await screenWatch.until(
          (frame) => !showsRed(frame),
          "the empty screen",
        );

        const app = launch(
          ["--data-dir", dataDir, "--api-port", "0", ...profileFlags],
          screen,
          { VITRINE_SQLITE_BINDING: path.join(dataDir, "no-such-module") },
        );
        afterThisTest(app.stop);
        await screenWatch.until(showsRed, "red, without the store");
        await app.printed(/screen\.held-on-top/);
        await closeWindows(screen);
        await press(screen, "Ctrl", "Alt", "Shift", "E");
        await screenWatch.until(showsPad, "the pad");
        for (const digit of ["4", "7", "1", "1"] as const)
          await press(screen, digit);
        for (let tab = 0; tab < tabs; tab += 1) await press(screen, "Tab");
        expect(app.process.exitCode).toBeNull();
        await press(screen, "Return");
        expect(await app.exit()).toBe(0);
        await expect.poll(app.output).toContain("pin.accepted");
      },
    );
  },
);

describe.runIf(process.platform === "linux" && !isPackaged)(
  "the PIN pad on an unattended screen",
  () => {
    it.each([
      ["goes to the manager at Enter", [], "manager"],
      [
        "ends the player at Enter where there is no manager",
        ["--no-manager"],
        "end",
      ],
    ])("[V2-252] [V2-368] %s", async (_way, flags, to) => {
      const screen = await openScreen();
      const screenWatch = watchScreen(screen);
      const dataDir = await temporaryFolder();
      setExitPin(dataDir, "4711");
      const app = await startApp({
        ...{ screen, dataDir, flags: ["--profile", "unattended", ...flags] },
      });
      await expect.poll(app.output).toContain("screen.held-on-top");
      await press(screen, "Ctrl", "Alt", "Shift", "E");
      await screenWatch.until(showsPad, "the pad");
      for (const digit of ["4", "7", "1", "1"] as const)
        await press(screen, digit);
      await press(screen, "Return");
      await expect.poll(app.output).toContain(`"to":"${to}"`);
      if (to === "end") await expect.poll(() => app.process.exitCode).toBe(0);
      else expect((await fetch(`${app.api}/api/v2/now`)).status).toBe(200);
    });
  },
);
