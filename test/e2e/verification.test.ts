// Verification of the screen: what a person would see is compared with the expected content, and the API reports the verdict.

import { PNG } from "pngjs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { waitDeadlineMs } from "../../build/vitest/wait-deadline.ts";
import { readEvents } from "../support/http/event-reader.ts";
import { clip, png, type Colour } from "../support/media/media.ts";
import { takePointer } from "../support/screen/cursor.ts";
import { press } from "../support/screen/keyboard.ts";
import { renderersOf } from "../support/app/renderers.ts";
import {
  problemOf,
  sharedScreen,
  set,
  startAlone,
} from "../support/app/shared-screen.ts";
import { animation } from "../support/screen/orientation-image.ts";
import {
  isNear,
  meanOf,
  openScreen,
  shows,
  type Frame,
  type VirtualScreen,
} from "../support/screen/screen.ts";
import { startApp, type RunningApp } from "../support/app/start-app.ts";
import { unmapWindows } from "../support/screen/unmapped-windows.ts";
import { serveWeb } from "../support/http/web-server.ts";

const red: Colour = [200, 40, 40];
const blue: Colour = [40, 60, 200];

interface Showing {
  readonly name: string;
  readonly verdict: string | null;
  readonly checked: string | null;
}

async function showing(app: RunningApp): Promise<Showing | null> {
  const answer = await fetch(`${app.api}/api/v2/now`);
  return ((await answer.json()) as { showing: Showing | null }).showing;
}

function playerOn(screen: VirtualScreen): Promise<RunningApp> {
  return startApp({ screen, flags: ["--no-manager"] });
}

const one = sharedScreen({ start: startAlone });

/** Polls the verdict on this asset while it is showing. */
const verdictOn = (app: RunningApp, name: string) =>
  expect.poll(async () => {
    const seen = await showing(app);
    return seen?.name === name ? seen.verdict : null;
  });

describe("the screen", () => {
  it("[V2-191][V2-192] is verified with an image, a plain black and a plain white one, a video and a page", async () => {
    const { app } = one;
    const web = await serveWeb({
      "/": `<!doctype html><style>html{background:#246}</style><h1>Hello</h1>`,
    });
    const add = (name: string, bytes: Buffer, mimetype: string) =>
      app.addFile(bytes, { name, mimetype, duration: 600 });
    const assets = [
      await add("black", png([0, 0, 0], 1280, 720), "image"),
      await add("white", png([255, 255, 255], 1280, 720), "image"),
      await add("film", await clip({ colour: red, seconds: 4 }), "video"),
      await app.add({ name: "page", uri: `${web.address}/` }),
    ];
    for (const { asset_id: id, name } of assets) {
      await app.control(`asset&${id}`);
      await verdictOn(app, String(name)).toBe("verified");
    }
  });

  it.each(["gif", "webp"] as const)(
    "[V2-679] is verified with an animated image (%s) while it is of one colour for a while",
    async (format) => {
      const { app, screenWatch } = one;
      const frames = [[red, blue], [blue]];
      const bytes = await animation(frames, [3000, 60_000], format);
      const { asset_id: id } = await app.addFile(bytes, {
        ...{ name: "animated", mimetype: "image", duration: 600 },
      });
      await screenWatch.until(shows(blue), "only blue");
      const from = Date.now();
      // Three checks that find it blank would take it off the screen; one of a still screen follows after five seconds.
      await expect
        .poll(async () => {
          const seen = await showing(app);
          if (seen?.name !== "animated") return seen?.name;
          const checkedMs = Date.parse(seen.checked ?? "");
          return checkedMs > from + 7000 ? seen.verdict : null;
        })
        .toBe("verified");
      expect(await problemOf(app, id)).toBe("");
      expect(app.output().split("screen.blank")).toHaveLength(1);
    },
  );

  it("[V2-679] is verified with an image of which only a plain part is visible", async () => {
    const { app, screenWatch } = one;
    // A banner: `fill` crops what is left and right of its middle.
    const banner = await sharp(png(blue, 1600, 200))
      .composite([{ input: png(red, 200, 200), left: 0, top: 0 }])
      .png()
      .toBuffer();
    const { asset_id: id } = await app.addFile(banner, {
      ...{ name: "banner", mimetype: "image", duration: 600, fit: "fill" },
    });
    await screenWatch.until(shows(blue), "its middle");
    await verdictOn(app, "banner").toBe("verified");
    expect(await problemOf(app, id)).toBe("");
    expect(app.output().split("screen.blank")).toHaveLength(1);
  });

  it("[V2-191] is wrong when another window covers it, blank when that has a single colour and the content has not, and verified when it is gone", async () => {
    const { screen, app, screenWatch } = one;
    await app.addFile(halves(red, [190, 30, 90]), {
      ...{ name: "halves", mimetype: "image" },
    });
    const isIt = (frame: Frame) => isNear(meanOf(frame), [195, 35, 65], 10);
    await screenWatch.until(isIt, "the image");
    await verdictOn(app, "halves").toBe("verified");
    // To this player, a window of another program.
    const intruder = await playerOn(screen);
    await verdictOn(app, "halves").toBe("wrong");
    await intruder.addFile(png(blue, 1280, 720), {
      ...{ name: "blue", mimetype: "image" },
    });
    await screenWatch.until(shows(blue), "the other window in one colour");
    await verdictOn(app, "halves").toBe("blank");
    await intruder.stop();
    await screenWatch.until(isIt, "the image again");
    await verdictOn(app, "halves").toBe("verified");
  });

  it("[V2-650] is restored within seconds when another program moves the window off the screen, and no asset is blamed for it", async () => {
    const { screen, app, screenWatch } = one;
    const { asset_id: id } = await app.addFile(halves(red, [190, 30, 90]), {
      ...{ name: "halves", mimetype: "image", duration: 600 },
    });
    const isIt = (frame: Frame) => isNear(meanOf(frame), [195, 35, 65], 10);
    await screenWatch.until(isIt, "the image");
    await unmapWindows(screen);
    await screenWatch.until(shows([0, 0, 0]), "a screen without it");
    await screenWatch.until(isIt, "the image again");
    await verdictOn(app, "halves").toBe("verified");
    const answer = await fetch(`${app.api}/api/v2/assets/${id}`);
    const { metadata } = (await answer.json()) as { metadata: unknown };
    expect(metadata).toEqual({});
    expect(app.output()).not.toContain("showing.failed");
  });

  it("shows no pointer, wherever it is moved, not on a page that requests one either", async () => {
    const { screen, app, screenWatch } = one;
    const bare = await takePointer(await openScreen(320, 180));
    expect(await bare.isSeen()).toBe(true);
    bare.close();
    const pointer = await takePointer(screen);
    try {
      const page = `<body style="margin:0;background:rgb(40,60,200);cursor:crosshair;height:100vh">`;
      const web = await serveWeb({ "/": page });
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image", duration: 600 },
      });
      await app.add({ name: "page", uri: `${web.address}/`, duration: 600 });
      await screenWatch.until(shows(red), "the image");
      await pointer.moveTo(300, 200);
      await pointer.moveTo(900, 500);
      await expect.poll(pointer.isSeen).toBe(false);
      await app.control("next");
      await screenWatch.until(
        (frame) => isNear(meanOf(frame), [40, 60, 200]),
        "it",
      );
      await pointer.moveTo(301, 201);
      await expect.poll(pointer.isSeen).toBe(false);
    } finally {
      pointer.close();
    }
  });

  it("[V2-191] is frozen when a video neither moves nor ends", async () => {
    const { app } = one;
    await app.addFile(await clip({ colour: red, seconds: 30 }), {
      ...{ name: "film", mimetype: "video", duration: 600 },
    });
    await verdictOn(app, "film").toBe("verified");
    const stopped = new Set<number>();
    const stopPages = async (): Promise<void> => {
      for (const pid of await renderersOf(app.process.pid ?? 0)) {
        kill(pid, "SIGSTOP");
        stopped.add(pid);
      }
    };
    try {
      // On a slow machine, a stage that hangs is replaced before the check that finds it frozen: then its successor is stopped.
      await expect
        .poll(
          async () => {
            const verdict = (await showing(app))?.verdict;
            if (verdict === "verified") await stopPages();
            return verdict;
          },
          { timeout: 1.5 * waitDeadlineMs },
        )
        .toBe("frozen");
    } finally {
      // Processes that hung too long have been replaced in the meantime.
      for (const pid of stopped) kill(pid, "SIGCONT");
    }
  });

  it("[V2-195] is taken over by the configured shortcut, and returned by it; a shortcut taken by another program is reported", async () => {
    const { screen, app, screenWatch } = one;
    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image" },
    });
    const alarm = await app.addFile(png(blue, 1280, 720), {
      ...{ name: "blue", mimetype: "image", is_enabled: false },
    });
    await screenWatch.until(shows(red), "red");
    await set(app, {
      takeover_hotkey: "Ctrl+F9",
      takeover_asset: alarm.asset_id,
    });
    await press(screen, "Ctrl", "F9");
    await screenWatch.until(shows(blue), "what the key shows");
    await press(screen, "Ctrl", "F9");
    await screenWatch.until(shows(red), "what was there before");

    const second = await playerOn(screen);
    const events = await readEvents(fetch(`${second.api}/api/v2/events`));
    await set(second, { takeover_hotkey: "Ctrl+F9" });
    let fault = await events.nextOf("fault");
    // Two windows are on this screen: an event that one covers the other is sent as well, possibly earlier.
    while (fault.name !== "takeover_hotkey")
      fault = await events.nextOf("fault");
    expect(fault.reason).toContain("Ctrl+F9");
  });
});

/** An image of two colours that are hard to tell apart by eye. */
function halves(left: Colour, right: Colour): Buffer {
  const encoded = new PNG({ width: 1280, height: 720, colorType: 2 });
  for (let at = 0; at < encoded.data.length; at += 4) {
    const isLeft = (at / 4) % 1280 < 640;
    encoded.data.set([...(isLeft ? left : right), 255], at);
  }
  return PNG.sync.write(encoded, { colorType: 2 });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
