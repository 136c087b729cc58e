// Assets posted to the API play on the screen, read from its pixels.

import { describe, expect, it } from "vitest";
import {
  clip,
  colouredPage,
  png,
  servePages,
  type Colour,
} from "../support/media/media.ts";
import {
  colourAt,
  isBlank,
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";

const colours = {
  image: [200, 40, 40],
  clip: [30, 160, 60],
  page: [40, 60, 200],
} as const satisfies Record<string, Colour>;

type Seen = keyof typeof colours | "something else";

function whatIsOn(frame: Frame): Seen {
  const mean = meanOf(frame);
  const match = Object.entries(colours).find(([, colour]) =>
    isNear(mean, colour),
  );
  return (match?.[0] as Seen | undefined) ?? "something else";
}

/** The sequence seen, without consecutive repeats. */
function sequence(frames: readonly Frame[]): Seen[] {
  return frames.map(whatIsOn).filter((seen, at, all) => seen !== all[at - 1]);
}

/** Unknown frames, by the colours of their upper, middle and lower part: this tells a torn sample from a wrong image. */
function strangersAmong(frames: readonly Frame[]): string[] {
  return frames
    .filter((frame) => whatIsOn(frame) === "something else")
    .map((frame) =>
      [0.1, 0.5, 0.9]
        .map((height) => String(colourAt(frame, 0.5, height)))
        .join(" | "),
    );
}

/** Each blank frame with what was seen before it, so that a failure shows where to look. */
function blanksAmong(frames: readonly Frame[]): string[] {
  return frames.flatMap((frame, at) => {
    if (!isBlank(frame)) return [];
    const before = frames.slice(0, at).findLast((other) => !isBlank(other));
    const name = before ? whatIsOn(before) : "nothing";
    return [`frame ${at} of ${frames.length} after ${name}`];
  });
}

const shows = (name: Seen) => (frame: Frame) => whatIsOn(frame) === name;

describe("the screen", () => {
  it("shows posted assets, in play order, and follows every command; no sampled frame is blank", async () => {
    const screen = await openScreen();
    const pages = await servePages({ "/": colouredPage(colours.page) });
    const app = await startApp({
      screen,
      flags: ["--no-manager", "--window", "fullscreen"],
    });
    const screenWatch = watchScreen(screen);
    await screenWatch.until((frame) => !isBlank(frame), "the house card");
    const shown = screenWatch.frames.length;

    const first = await app.addFile(png(colours.image, 1280, 720), {
      name: "image",
      mimetype: "image",
      duration: 2,
    });
    await screenWatch.until(shows("image"), "the image");
    const second = await app.addFile(
      await clip({
        colour: colours.clip,
        seconds: 2,
        width: 1280,
        height: 720,
      }),
      { name: "clip", mimetype: "video", duration: 0 },
    );
    const third = await app.add({
      name: "page",
      uri: `${pages.address}/`,
      duration: 2,
    });

    // From the start of a cycle in which all three are present.
    await screenWatch.until(shows("page"), "the page");
    const begins = await screenWatch.until(shows("image"), "a new round");
    const from = screenWatch.frames.indexOf(begins);
    for (const name of [
      "clip",
      "page",
      "image",
      "clip",
      "page",
      "image",
    ] as const)
      await screenWatch.until(shows(name), name);
    const rounds = screenWatch.frames.slice(from);
    expect(strangersAmong(rounds)).toEqual([]);
    expect(sequence(rounds)).toEqual([
      "image",
      "clip",
      "page",
      "image",
      "clip",
      "page",
      "image",
    ]);

    // From here on only commands change the screen.
    for (const { asset_id: id } of [first, second, third])
      await app.change(id, { duration: 600 });
    await app.control(`asset&${first.asset_id}`);
    await screenWatch.until(shows("image"), "the image by its id");
    const settled = screenWatch.frames.length;
    await app.control("next");
    await screenWatch.until((frame) => !shows("image")(frame), "the next one");
    await app.control(`asset&${third.asset_id}`);
    await screenWatch.until(shows("page"), "the page by its id");
    await app.control(`asset%26${second.asset_id}`);
    await screenWatch.until(shows("clip"), "the clip by its id");
    await app.change(second.asset_id, { is_enabled: false });
    await screenWatch.until(
      (frame) => !shows("clip")(frame),
      "something other than what was disabled",
    );
    await app.control(`asset&${first.asset_id}`);
    await screenWatch.until(shows("image"), "the image again");
    await app.remove(first.asset_id);
    await screenWatch.until(
      shows("page"),
      "the page after the image was deleted",
    );
    expect(strangersAmong(screenWatch.frames.slice(settled))).toEqual([]);

    await app.remove(third.asset_id);
    await screenWatch.until(shows("something else"), "the house card");
    expect(blanksAmong(screenWatch.frames.slice(shown))).toEqual([]);
    await pages.stop();
    expect(await app.stop()).toBe(0);
  });
});
