// Every kind of content on the screen of the real app, read from its pixels.

import { describe, expect, it } from "vitest";
import { startInspectedApp } from "../support/app/inspected-app.ts";
import { clip, png, tone, type Colour } from "../support/media/media.ts";
import { sharedScreen, problemOf } from "../support/app/shared-screen.ts";
import { endlessPdf, pdf } from "../support/media/pdfs.ts";
import {
  flickering,
  quarteredImage,
  quarters,
  showsQuarters,
} from "../support/screen/orientation-image.ts";
import {
  colourAt,
  isBlank,
  isNear,
  shows,
  type Frame,
} from "../support/screen/screen.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];
const yellow: Colour = [210, 180, 40];
const black: Colour = [0, 0, 0];

const one = sharedScreen({ start: startInspectedApp });

describe("an image", () => {
  it("is shown in every format, animated ones moving, and rotated by its EXIF orientation", async () => {
    const { app, screenWatch } = one;
    for (const format of [
      "png",
      "jpeg",
      "webp",
      "avif",
      "gif",
      "svg",
    ] as const) {
      const bytes = await quarteredImage(format);
      const added = await app.addFile(bytes, {
        name: format,
        mimetype: "image",
      });
      await screenWatch.until(showsQuarters, format);
      await app.remove(added.asset_id);
    }
    const rotated = await quarteredImage("jpeg", { isRotatedByExif: true });
    const held = await app.addFile(rotated, {
      name: "held",
      mimetype: "image",
    });
    await screenWatch.until(showsQuarters, "the turned one, upright");
    await app.addFile(await flickering([red, blue], 200), {
      name: "moving",
      mimetype: "image",
    });
    await app.remove(held.asset_id);
    for (const colour of [red, blue, red, blue])
      await screenWatch.until(
        shows(colour),
        `the animation's ${String(colour)}`,
      );
  });

  it("[V2-120] fits, fills, or is shown at its original size in the centre", async () => {
    const { app, screenWatch } = one;
    const bytes = await quarteredImage("png", { width: 240, height: 180 });
    const fields = { name: "four to three", mimetype: "image" };
    const { asset_id: id } = await app.addFile(bytes, {
      ...fields,
      fit: "fit",
    });
    const fitted = { left: 0.125, top: 0, width: 0.75, height: 1 };
    await screenWatch.until(
      (frame) =>
        showsQuarters(frame, fitted) &&
        isNear(colourAt(frame, 0.05, 0.5), black, 12),
      "all of it, with black at its sides",
    );
    await app.change(id, { fit: "fill" });
    await screenWatch.until(
      (frame) =>
        showsQuarters(frame) &&
        isNear(colourAt(frame, 0.02, 0.25), quarters[0]),
      "the screen filled",
    );
    await app.change(id, { fit: "natural" });
    const natural = { left: 0.3125, top: 0.25, width: 0.375, height: 0.5 };
    await screenWatch.until(
      (frame) =>
        showsQuarters(frame, natural) &&
        isNear(colourAt(frame, 0.5, 0.1), black, 12) &&
        isNear(colourAt(frame, 0.25, 0.5), black, 12),
      "dot for dot",
    );
  });

  it("far larger than the screen is shown completely or not at all", async () => {
    const { app, screenWatch } = one;
    await app.addFile(png(red, 640, 360), {
      name: "red",
      mimetype: "image",
      duration: 1,
    });
    await screenWatch.until(shows(red), "red");
    const from = screenWatch.frames.length;
    const bytes = await quarteredImage("jpeg", { width: 8000, height: 4500 });
    await app.addFile(bytes, { name: "huge", mimetype: "image", duration: 1 });
    await screenWatch.until((frame) => showsQuarters(frame), "the huge one");
    await screenWatch.until(shows(red), "red again");
    const strange = screenWatch.frames
      .slice(from)
      .filter((frame) => !shows(red)(frame) && !showsQuarters(frame));
    expect(strange).toEqual([]);
  });
});

describe("a video", () => {
  it("plays to its own end in MP4 and WebM, and audio plays behind its card", async () => {
    const { app, screenWatch } = one;
    const from = screenWatch.frames.length;
    const mp4 = await clip({ colour: green, seconds: 1 });
    const webm = await clip({ colour: blue, seconds: 1, container: "webm" });
    await app.addFile(mp4, { name: "mp4", mimetype: "video", duration: 0 });
    await app.addFile(webm, { name: "webm", mimetype: "video", duration: 0 });
    await app.addFile(await tone(1), {
      name: "Morning bells",
      mimetype: "audio",
      duration: 0,
    });
    const card = (frame: Frame) =>
      !shows(green)(frame) && !shows(blue)(frame) && !isBlank(frame);
    for (let round = 0; round < 2; round++) {
      await screenWatch.until(shows(green), "the MP4");
      await screenWatch.until(shows(blue), "the WebM");
      await screenWatch.until(card, "the sound's card");
    }
    expect(screenWatch.frames.slice(from).filter(isBlank)).toEqual([]);
  });
});

describe("an audio output", () => {
  it("[V2-126] is only enumerated for audible content: not for a video without sound, nor for a muted one", async () => {
    const { app, screenWatch } = one;
    await app.evaluate(() => {
      const counted = { reads: 0 };
      Object.assign(window, { counted });
      const { prototype } = MediaDevices;
      const { enumerateDevices } = Object.getOwnPropertyDescriptors(prototype);
      prototype.enumerateDevices = function (this: MediaDevices) {
        counted.reads++;
        return enumerateDevices.value?.call(this) ?? Promise.resolve([]);
      };
    });
    const reads = () =>
      app.evaluate(
        () => (window as unknown as { counted: { reads: number } }).counted,
      );
    const film = { mimetype: "video", duration: 600 };
    const silent = { colour: red, seconds: 2, isSilent: true };
    await app.addFile(await clip(silent), { ...film, name: "silent" });
    await screenWatch.until(shows(red), "the film without sound");
    const clipWithSound = await clip({ colour: blue, seconds: 2 });
    await app.addFile(clipWithSound, { ...film, name: "muted", muted: true });
    await app.control("next");
    await screenWatch.until(shows(blue), "the muted film");
    expect(await reads()).toEqual({ reads: 0 });
    const sounding = await clip({ colour: green, seconds: 2 });
    await app.addFile(sounding, { ...film, name: "sounding" });
    await app.control("next");
    await screenWatch.until(shows(green), "the film with sound");
    expect((await reads()).reads).toBeGreaterThan(0);
  });
});

describe("the idle screen", () => {
  it("moves in single steps: nothing on it is repainted continuously", async () => {
    const running = await one.app.evaluate(() => {
      const card = document.querySelector(".layer.front .card.on");
      const drift = card?.querySelector<HTMLElement>(".drift");
      if (!drift) throw new Error("There is no idle screen.");
      const from = getComputedStyle(drift).transform;
      drift.style.setProperty("--x", "0.9");
      drift.style.setProperty("--y", "-0.9");
      const to = getComputedStyle(drift).transform;
      return {
        hasMoved: from !== to,
        animations: card?.getAnimations({ subtree: true }).length,
      };
    });
    expect(running).toEqual({ hasMoved: true, animations: 0 });
  });
});

describe("a PDF", () => {
  it("shows each selected page for its duration, rotated as configured, then ends; alone, it starts again", async () => {
    const { app, screenWatch } = one;
    const bytes = await pdf([
      { colour: red },
      { colour: green },
      { colour: blue },
      { colour: yellow },
    ]);
    const fields = { name: "four pages", mimetype: "pdf", duration: 1 };
    const { asset_id: id } = await app.addFile(bytes, {
      ...fields,
      pages: [1, 3, 4],
    });
    const from = screenWatch.frames.length;
    for (const colour of [red, blue, yellow, red, blue])
      await screenWatch.until(shows(colour), `the page of ${String(colour)}`);
    const runs = runsOf(screenWatch.frames.slice(from), [
      red,
      green,
      blue,
      yellow,
    ]);
    expect(runs.slice(1, 4).map(({ colour }) => colour)).toEqual([
      blue,
      yellow,
      red,
    ]);
    // The median: if a busy machine is late with one page, the next one is seen for a shorter time.
    const [, defaultMs] = runs
      .slice(1, 4)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
    // About a second, not just the time that drawing takes.
    expect(defaultMs).toBeGreaterThan(500);
    await app.change(id, { pages: null, rotation: 90 });
    await screenWatch.until(
      (frame) =>
        isNear(colourAt(frame, 0.5, 0.5), green) &&
        isNear(colourAt(frame, 0.1, 0.5), black, 12),
      "the second page, upright on its side",
    );
    expect(screenWatch.frames.slice(from).filter(isBlank)).toEqual([]);
  });

  it("that is locked, damaged or without its selected pages is skipped, with its reason at the asset", async () => {
    const { app, screenWatch } = one;
    await app.addFile(png(red, 640, 360), {
      name: "red",
      mimetype: "image",
      duration: 1,
    });
    await screenWatch.until(shows(red), "red");
    const from = screenWatch.frames.length;
    const bytes = await pdf([{ colour: green }]);
    // A file without its end is already rejected on upload (V2-502).
    const torn = Buffer.concat([bytes.subarray(0, 300), bytes.subarray(-60)]);
    const cases = [
      { bytes: await pdf([{ colour: green }], "secret"), reason: /password/ },
      { bytes: torn, reason: /damaged|read/ },
      { bytes, pages: [7], reason: /selected pages/ },
    ];
    for (const { bytes: file, reason, pages } of cases) {
      const fields = {
        name: "bad",
        mimetype: "pdf",
        duration: 1,
        ...(pages && { pages }),
      };
      const { asset_id: id } = await app.addFile(file, fields);
      await expect.poll(() => problemOf(app, id)).toMatch(reason);
      await app.remove(id);
    }
    expect(screenWatch.frames.slice(from).every(shows(red))).toBe(true);
  });

  it("that takes too long to draw fails alone: the one on the screen keeps turning its pages", async () => {
    const { app, screenWatch } = one;
    const twenty = Array.from({ length: 10 }, () => [
      { colour: red },
      { colour: green },
    ]).flat();
    const fields = { mimetype: "pdf", duration: 1 };
    const { asset_id: whole } = await app.addFile(await pdf(twenty), {
      ...{ name: "twenty pages", ...fields },
    });
    await screenWatch.until(shows(red), "its first page");
    const { asset_id: endless } = await app.addFile(await endlessPdf(), {
      ...{ name: "endless", ...fields },
    });
    const from = screenWatch.frames.length;
    await expect.poll(() => problemOf(app, endless)).toContain("too long");
    for (const colour of [green, red, green])
      await screenWatch.until(shows(colour), `${String(colour)} once more`);
    expect(await problemOf(app, whole)).toBe("");
    const runs = runsOf(screenWatch.frames.slice(from), [red, green]).slice(
      1,
      -1,
    );
    const isTurning = ({ ms }: { ms: number }) => ms > 850 && ms < 1300;
    // A page delayed by a busy machine does not count as a page that waits for the endless one.
    expect(runs.filter(isTurning).length).toBeGreaterThan(runs.length / 2);
    expect(runs.filter(({ ms }) => ms > 6000)).toEqual([]);
  });
});

/** The sequence in which these colours were seen, and the duration of each in milliseconds. */
function runsOf(
  frames: readonly Frame[],
  colours: readonly Colour[],
): { colour: Colour; ms: number }[] {
  const runs: { colour: Colour; from: number; ms: number }[] = [];
  for (const frame of frames) {
    const colour = colours.find((each) => shows(each)(frame));
    if (!colour) continue;
    const last = runs.at(-1);
    if (last?.colour === colour) last.ms = frame.atMs - last.from;
    else runs.push({ colour, from: frame.atMs, ms: 0 });
  }
  return runs;
}

describe("a message", () => {
  it("takes over the screen in letters as large as they fit, in any script, and returns it", async () => {
    const { app, screenWatch } = one;
    await app.addFile(png(red, 640, 360), {
      name: "red",
      mimetype: "image",
    });
    await screenWatch.until(shows(red), "red");
    const from = screenWatch.frames.length;
    for (const text of [
      "Fire drill at 11:00. Please leave the building by the nearest exit.",
      "يرجى مغادرة المبنى",
      "避難訓練です。建物から出てください。",
    ]) {
      const answer = await fetch(`${app.api}/api/v2/takeover`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text }),
      });
      expect(answer.status).toBe(201);
      await screenWatch.until(isWrittenLarge, text);
    }
    await fetch(`${app.api}/api/v2/takeover`, { method: "DELETE" });
    await screenWatch.until(shows(red), "red again");
    expect(screenWatch.frames.slice(from).filter(isBlank)).toEqual([]);
  });
});

/** Light letters on a large part of a dark background. */
function isWrittenLarge({ pixels }: Frame): boolean {
  const light = pixels.filter((part) => part > 120).length / pixels.length;
  const dark = pixels.filter((part) => part < 60).length / pixels.length;
  return light > 0.04 && dark > 0.4;
}

describe("the stage's page", () => {
  it("runs no script created from text, nor an inline one, and its worker compiles none either", async () => {
    const outcome = await one.app.evaluate(async () => {
      const tried = (run: () => unknown): string => {
        try {
          return `ran: ${String(run())}`;
        } catch (error) {
          return (error as Error).name;
        }
      };
      const script = document.createElement("script");
      script.textContent = "window.wasWrittenIn = true";
      document.body.append(script);
      const worker = await fetch("pdf.worker.js");
      return {
        made: tried(() =>
          (Reflect.construct(Function, ["return 1"]) as () => unknown)(),
        ),
        writtenIn: "wasWrittenIn" in window,
        workerPolicy: worker.headers.get("content-security-policy"),
      };
    });
    expect(outcome).toMatchObject({ made: "EvalError", writtenIn: false });
    expect(outcome.workerPolicy).toContain(
      "script-src 'self' 'wasm-unsafe-eval'",
    );
    expect(outcome.workerPolicy).not.toContain("'unsafe-eval'");
  });
});

describe("the app", () => {
  it("quits on request after all of it", async () => {
    expect(await one.app.stop()).toBe(0);
  });
});
