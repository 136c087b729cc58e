// A PC that runs only the manager: its desktop stays visible, and its display may turn off as the system is set.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { blankAfter, saverState } from "../support/screen/blanked-screen.ts";
import { openDisplays } from "../support/screen/displays.ts";
import { temporaryFolder } from "../support/folder.ts";
import {
  isNear,
  openScreen,
  type VirtualScreen,
} from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";

/** A green window in place of the PC's other work. */
function openDesktop({ display }: VirtualScreen): void {
  const desktop = spawn(
    "ffplay",
    [
      ...["-v", "error", "-f", "lavfi", "-i", "color=c=green:s=1280x720"],
      ...["-noborder", "-left", "0", "-top", "0"],
    ],
    {
      env: { ...process.env, DISPLAY: display, SDL_AUDIODRIVER: "dummy" },
      stdio: "ignore",
    },
  );
  afterThisTest(async () => {
    const exit = once(desktop, "exit");
    desktop.kill("SIGKILL");
    await exit;
  });
}

async function startManagerOnly(screen: VirtualScreen) {
  const dataDir = await temporaryFolder();
  await writeFile(
    path.join(dataDir, "machine.json"),
    JSON.stringify({ role: "desk", displayId: 1, isFirstRunDone: true }),
  );
  const app = await startApp({ screen, dataDir, flags: ["--no-manager"] });
  const log = path.join(dataDir, "log", "vitrine.log");
  const placed = async () =>
    (await readFile(log, "utf8")).split('"event":"window.placed"').length - 1;
  return { app, placed };
}

describe.runIf(process.platform === "linux")(
  "a PC that is only a manager",
  () => {
    it("[V2-263] has no playback window, whichever display that was on, and whatever displays come and go", async () => {
      const displays = await openDisplays(1);
      openDesktop(displays.screen);
      const isDesktop = async () =>
        isNear(await displays.colourOf(0), [0, 128, 0]);
      await expect.poll(isDesktop).toBe(true);
      const { placed } = await startManagerOnly(displays.screen);
      await expect.poll(placed).toBeGreaterThan(0);
      await expect.poll(isDesktop).toBe(true);
      const before = await placed();
      await displays.plug(2);
      await expect.poll(placed).toBeGreaterThan(before);
      await expect.poll(isDesktop).toBe(true);
    });

    it("[V2-262] lets its display turn off", async () => {
      const screen = await openScreen();
      await startManagerOnly(screen);
      const server = { xDisplay: screen.display, xAuthority: undefined };
      await blankAfter(server, 1);
      await expect
        .poll(async () => (await saverState(server)).isBlanked)
        .toBe(true);
    });
  },
);
