// How one slide gives way to the next on the glass of the real app: every pair of kinds, fades, and a turned display.

import { describe, expect, it } from "vitest";
import { readChanges } from "../bench/change/changes.ts";
import { makeMedia, tell } from "../bench/change/looks.ts";
import { kinds, nameOf, walkAllPairs } from "../bench/change/walk.ts";
import { startDrivenApp, type DrivenApp } from "../support/driven-app.ts";
import { clip, picture, type Colour } from "../support/media.ts";
import { quarteredPicture, quarters } from "../support/pictures.ts";
import { serveWeb } from "../support/web-server.ts";
import {
  colourAt,
  isBlank,
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
  type Watch,
} from "../support/screen.ts";

const red: Colour = [200, 40, 40];
const blue: Colour = [40, 60, 200];
const shows = (colour: Colour) => (frame: Frame) =>
  isNear(meanOf(frame), colour, 20);

async function begin(): Promise<{ app: DrivenApp; glass: Watch }> {
  const screen = await openScreen();
  const app = await startDrivenApp(screen);
  const glass = watchScreen(screen, { rate: 60 });
  await glass.until((frame) => !isBlank(frame), "the house card");
  return { app, glass };
}

async function set(app: DrivenApp, settings: object): Promise<void> {
  const answer = await fetch(`${app.api}/api/v2/device_settings`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(settings),
  });
  expect(answer.status).toBe(200);
}

async function mediaElements(app: DrivenApp): Promise<number> {
  const stage = await app.stage();
  return stage.evaluate(() => document.querySelectorAll("video, audio").length);
}

describe("the change", () => {
  it("is never blank and shows nothing but the old and the new, for every ordered pair of kinds; media elements stay as many as they are", async () => {
    const screen = await openScreen();
    const app = await startDrivenApp(screen);
    const media = await makeMedia();
    const walk = walkAllPairs();
    const before = await mediaElements(app);
    for (const stop of walk) await media.add(app, stop);
    const reader = readChanges({
      tell,
      frameMsOf: () => null,
      sampleMs: 1000 / 60,
    });
    const watch = watchScreen(screen, { rate: 60, onFrame: reader.read });
    const pairs = (): number =>
      new Set(
        reader.changes.map(({ from, to }) => `${kindIn(from)} ${kindIn(to)}`),
      ).size;
    await expect
      .poll(pairs, { timeout: 100_000, interval: 500 })
      .toBe(kinds.length ** 2);
    await watch.stop();
    const strange = reader.changes.filter(({ between }) => between.length > 0);
    expect(strange).toEqual([]);
    const follows = new Set(
      walk.map((stop, at) => {
        const next = walk[(at + 1) % walk.length];
        return `${nameOf(stop)} → ${next ? nameOf(next) : ""}`;
      }),
    );
    const seen = reader.changes.map(({ from, to }) => `${from} → ${to}`);
    expect(seen.filter((change) => !follows.has(change))).toEqual([]);
    expect(await mediaElements(app)).toBe(before);
    await media.stop();
  }, 200_000);

  it("[V2-121] fades when that is set, without a blank sample; for those who asked their system for less motion it is a cut", async () => {
    const { app, glass } = await begin();
    await set(app, { transition: "cross-fade" });
    for (const [name, colour] of Object.entries({ red, blue }))
      await app.addFile(picture(colour, 640, 360), {
        name,
        mimetype: "image",
        duration: 2,
      });
    await glass.until(shows(blue), "blue");
    const from = glass.frames.length;
    await glass.until(shows(red), "red");
    await glass.until(shows(blue), "blue again");
    const faded = glass.frames.slice(from).map(meanOf);
    // From blue to red, the red grows and the blue shrinks.
    const onTheWay = faded.filter(([r]) => r > 60 && r < 180);
    expect(onTheWay.length).toBeGreaterThan(15);
    expect(faded.every(([r, , b]) => r + b > 180 && r + b < 300)).toBe(true);

    const stage = await app.stage();
    await stage.emulateMedia({ reducedMotion: "reduce" });
    await glass.until(shows(red), "red, the fade under way at most");
    const cut = glass.frames.length;
    await glass.until(shows(blue), "blue");
    await glass.until(shows(red), "red again");
    const between = glass.frames
      .slice(cut)
      .filter((frame) => !shows(red)(frame) && !shows(blue)(frame));
    expect(between).toEqual([]);
  });

  it("[V2-121] fades to a web page, between two and away from one as well, without a blank sample", async () => {
    const { app, glass } = await begin();
    await set(app, { transition: "cross-fade" });
    const page = ([r, g, b]: Colour): string =>
      `<body style="margin:0;height:100vh;background:rgb(${r},${g},${b})"><p>·</p></body>`;
    const web = await serveWeb({ "/blue": page(blue), "/red": page(red) });
    await app.addFile(picture(red, 640, 360), {
      ...{ name: "a picture", mimetype: "image", duration: 2 },
    });
    for (const name of ["blue", "red"])
      await app.add({
        ...{ name, mimetype: "webpage", duration: 2 },
        uri: `${web.address}/${name}`,
      });
    // A picture, a page, another page of the picture's colour, and the picture again: only two of the three are seen to change.
    await glass.until(shows(blue), "the blue page");
    const from = glass.frames.length;
    await glass.until(shows(red), "the red page");
    await glass.until(shows(blue), "the blue page again");
    const faded = glass.frames.slice(from);
    const onTheWay = faded.map(meanOf).filter(([r]) => r > 60 && r < 180);
    expect(onTheWay.length).toBeGreaterThan(20);
    expect(faded.filter(isBlank)).toEqual([]);
    const strange = faded
      .map(meanOf)
      .filter(([r, , b]) => r + b < 180 || r + b > 300);
    expect(strange).toEqual([]);
  });

  it("cuts a fade short when something else is asked for meanwhile", async () => {
    const { app, glass } = await begin();
    await set(app, { transition: "cross-fade" });
    const green: Colour = [30, 160, 60];
    for (const [name, colour] of Object.entries({ red, blue, green }))
      await app.addFile(picture(colour, 640, 360), { name, mimetype: "image" });
    await glass.until(shows(red), "red");
    const from = glass.frames.length;
    await app.control("next");
    await glass.until(
      (frame) => (meanOf(frame)[2] ?? 0) > 80,
      "a fade to blue",
    );
    await app.control("next");
    await glass.until(shows(green), "green");
    expect(glass.frames.slice(from).filter(isBlank)).toEqual([]);
  });

  it("[V2-126] turns the whole stage as the display hangs, while it plays", async () => {
    const { app, glass } = await begin();
    const bytes = await quarteredPicture("png", { width: 640, height: 360 });
    const wish = { name: "quarters", mimetype: "image", fit: "fill" };
    const { asset_id: id } = await app.addFile(bytes, wish);
    // Where the upper left, upper right, lower left and lower right of the picture are then seen.
    const order = {
      0: [0, 1, 2, 3],
      90: [2, 0, 3, 1],
      180: [3, 2, 1, 0],
      270: [1, 3, 0, 2],
    };
    for (const degrees of [90, 180, 270, 0] as const) {
      await set(app, { screen_rotation: degrees });
      await glass.until((frame) => {
        const corners = [
          [0.1, 0.1],
          [0.9, 0.1],
          [0.1, 0.9],
          [0.9, 0.9],
        ] as const;
        return corners.every(([x, y], at) =>
          isNear(
            colourAt(frame, x, y),
            quarters[order[degrees][at] ?? 0] ?? [0, 0, 0],
          ),
        );
      }, `the picture turned by ${degrees}`);
    }
    await set(app, { screen_rotation: 90 });
    const film = await clip({
      colour: blue,
      seconds: 2,
      width: 360,
      height: 640,
    });
    await app.addFile(film, {
      name: "upright film",
      mimetype: "video",
      duration: 600,
    });
    await app.remove(id);
    await glass.until(
      shows(blue),
      "an upright film that fills the turned glass",
    );
  });

  it("loops a clip alone with nothing else in between, by its own end and within a longer duration", async () => {
    const { app, glass } = await begin();
    const film = await clip({
      colour: blue,
      seconds: 1,
      width: 1280,
      height: 720,
    });
    const { asset_id: id } = await app.addFile(film, {
      name: "loop",
      mimetype: "video",
      duration: 0,
    });
    await glass.until(shows(blue), "the clip");
    for (const duration of [0, 600]) {
      await app.change(id, { duration });
      const from = glass.frames.length;
      await glass.until(
        () => glass.frames.length > from + 240,
        "four seconds of it",
      );
      expect(
        glass.frames.slice(from).filter((frame) => !shows(blue)(frame)),
      ).toEqual([]);
    }
  });
});

const kindIn = (name: string): string => name.split(" ")[0] ?? "";
