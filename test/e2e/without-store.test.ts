// A player whose store cannot be opened at all: it shows the emergency playlist or the idle screen, even if the stage crashes.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import { isPackaged } from "../support/app/program.ts";
import { renderersOf } from "../support/app/renderers.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { launch, startApp } from "../support/app/start-app.ts";

const red: Colour = [200, 40, 40];
/** The background of the idle screen. */
const dark: Colour = [21, 28, 38];
const shows = (colour: Colour) => (frame: Frame) =>
  isNear(meanOf(frame), colour) && !isBlack(frame);
const isBlack = ({ pixels }: Frame) => pixels.every((value) => value < 12);

it.skipIf(isPackaged).each([
  ["the last images", true, red],
  ["the idle screen, where nothing is due any more", false, dark],
] as const)(
  "[V2-261][V2-611] shows %s without a store, and again after the stage was killed",
  async (_what, isDue, colour) => {
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    const app = await startApp({ screen, flags: ["--no-manager"] });
    const { asset_id: id } = await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image", duration: 3600 },
    });
    await screenWatch.until(shows(red), "red");
    const plan = (): Promise<string> =>
      readFile(path.join(app.dataDir, "last-plan.json"), "utf8").catch(
        () => "none",
      );
    await expect.poll(plan).toContain("asset://");
    if (!isDue) {
      await app.change(id, { is_enabled: false });
      await expect.poll(plan).toBe("[]");
    }
    await app.stop();
    const binding = path.join(await temporaryFolder(), "no.node");
    await writeFile(binding, "no library");
    const broken = launch(
      ["--data-dir", app.dataDir, "--api-port", "0", "--no-manager"],
      screen,
      { VITRINE_SQLITE_BINDING: binding },
    );
    await broken.printed(/app\.emergency-playlist-shown/);
    await screenWatch.until(shows(colour), "what there is without a store");
    const [stage = 0] = await renderersOf(broken.process.pid ?? 0);
    process.kill(stage, "SIGKILL");
    await broken.printed(/stage\.restarted/);
    await screenWatch.until(shows(colour), "the same again");
    expect(await broken.stop()).toBe(0);
  },
);
