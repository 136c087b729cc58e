// The screen and its displays: unplugged and plugged in under the real app, with the pixels of each display.

import { describe, expect, it } from "vitest";
import { openDisplays, type Displays } from "../support/screen/displays.ts";
import { colouredPage, png, type Colour } from "../support/media/media.ts";
import { serveWeb } from "../support/http/web-server.ts";
import type { AssetV2 } from "../../server/contract/v2/v2.ts";
import { isNear } from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";

const red: Colour = [200, 40, 40];
const blue: Colour = [40, 60, 200];

/** For each display, from left to right, whether it shows the image. */
async function showingOn(
  displays: Displays,
  count: number,
): Promise<readonly boolean[]> {
  const all = [...Array(count).keys()].map(displays.colourOf);
  return (await Promise.all(all)).map((colour) => isNear(colour, red));
}

describe.runIf(process.platform === "linux")("the playback window", () => {
  it.each([[["--screen", "1"]], [["--screen=1"]]])(
    "opens on the display selected by %j, and the manager opens nevertheless",
    async (flags) => {
      const displays = await openDisplays(2);
      const { screen } = displays;
      // As on a PC with two displays: the manager is on the other one.
      const env = { VITRINE_VIRTUAL_SCREEN: "0" };
      const app = await startApp({ screen, flags, env });
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image" },
      });
      await expect.poll(() => showingOn(displays, 2)).toEqual([false, true]);
      expect(app.process.exitCode).toBeNull();
    },
  );

  it("moves to the remaining display when its own is disconnected, and back when that returns; the image stays complete", async () => {
    const displays = await openDisplays(2);
    const shown = (count: number) =>
      expect.poll(() => showingOn(displays, count));
    const app = await startApp({
      screen: displays.screen,
      flags: ["--no-manager", "--screen", "1"],
    });
    await app.addFile(png(red, 1280, 720), {
      name: "red",
      mimetype: "image",
    });
    await shown(2).toEqual([false, true]);
    await displays.plug(1);
    await shown(1).toEqual([true]);
    await displays.plug(2);
    await shown(2).toEqual([false, true]);
  });

  it("[V2-861] takes the screenshot of a page again when its display's resolution changes, though it is not too old", async () => {
    const web = await serveWeb({
      "/": `<!doctype html><style>
        html { background: rgb(${red.join()}) }
        @media (max-width: 1000px) { html { background: rgb(${blue.join()}) } }
      </style>`,
    });
    const displays = await openDisplays(1);
    const shown = () => expect.poll(() => displays.colourOf(0));
    const near = (colour: Colour) =>
      expect.toSatisfy((seen: Colour) => isNear(seen, colour));
    const app = await startApp({
      screen: displays.screen,
      flags: ["--no-manager"],
    });
    await app.add({
      ...{ name: "still", uri: `${web.address}/` },
      ...{ player_side_render: false, screenshot_cache_seconds: 86_400 },
    });
    await shown().toEqual(near(red));
    await displays.plug(1, { width: 800, height: 600 });
    await shown().toEqual(near(blue));
    // Its server is gone: what it has is better than nothing, and the reason is known.
    web.answers.set("/", 500);
    await displays.plug(1);
    await expect
      .poll(async () => {
        const answer = await fetch(`${app.api}/api/v2/assets`);
        const [asset] = (await answer.json()) as readonly AssetV2[];
        return asset?.metadata["error_message"];
      })
      .toContain("status 500");
    // Undistorted: a quarter of the screen is black beside it.
    await shown().toEqual(near([30, 45, 150]));
    web.answers.set("/", colouredPage(red));
    await shown().toEqual(near(red));
  });
});
