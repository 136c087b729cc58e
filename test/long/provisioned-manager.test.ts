// The window manager of a provisioned PC: a click on windows like those of the manager.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { takePointer } from "../support/screen/cursor.ts";
import { temporaryFolder } from "../support/folder.ts";
import { isEnabled } from "../support/app/watched-package.ts";
import { library, written } from "../support/machine/provision.ts";
import {
  colourAt,
  openScreen,
  watchScreen,
  type Frame,
  type VirtualScreen,
} from "../support/screen/screen.ts";

function open(
  screen: VirtualScreen,
  program: string,
  words: readonly string[],
): void {
  const child = spawn(program, words, {
    env: {
      ...process.env,
      DISPLAY: screen.display,
      SDL_AUDIODRIVER: "dummy",
    },
    stdio: "ignore",
  });
  afterThisTest(async () => {
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  });
}

function openWindow(screen: VirtualScreen, colour: string, left: number): void {
  open(screen, "ffplay", [
    ...["-v", "error", "-f", "lavfi", "-i", `color=c=${colour}:s=600x400`],
    ...["-left", String(left), "-top", "100"],
  ]);
}

/** Whether this window is on top where the two overlap. */
const shows = (channel: number) => (frame: Frame) => {
  const colour = colourAt(frame, 0.4, 0.45);
  return colour.every((value, at) => value > 60 === (at === channel));
};
const red = 0;
const blue = 2;

describe.runIf(isEnabled)("a click on a provisioned PC", () => {
  it("raises the window under the pointer", async () => {
    const screen = await openScreen(1280, 720);
    const config = path.join(await temporaryFolder(), "openbox.xml");
    writeFileSync(config, written(`${library}/openbox.xml`));
    open(screen, "openbox", ["--config-file", config]);
    const screenWatch = watchScreen(screen);
    openWindow(screen, "red", 100);
    await screenWatch.until(shows(red), "red alone");
    openWindow(screen, "blue", 400);
    await screenWatch.until(shows(blue), "blue over red");

    const pointer = await takePointer(screen);
    expect(await pointer.isSeen()).toBe(true);
    await pointer.moveTo(200, 300);
    await pointer.click();
    await screenWatch.until(shows(red), "red over blue");
    pointer.close();
  });
});
