// The machine's clock jumps while the real app plays: what the schedule has for the new time is soon on the screen, and nothing is
// ever blank. The app has a wall clock of its own; its monotonic clock stays the machine's.

import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { sharedScreen } from "../support/app/shared-screen.ts";
import { startApp } from "../support/app/start-app.ts";
import { temporaryFolder } from "../support/folder.ts";
import {
  clockCanMove,
  createMovingClock,
  type MovingClock,
} from "../support/machine/moving-clock.ts";
import { serveWeb } from "../support/http/web-server.ts";
import {
  clip,
  colouredPage,
  png,
  type Colour,
} from "../support/media/media.ts";
import {
  isBlank,
  shows,
  type Frame,
  type Watch,
} from "../support/screen/screen.ts";

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;
const daySeconds = 24 * hourSeconds;
const yearSeconds = 365 * daySeconds;

/** After a jump, what was due before it may be on the screen for this long. */
const maxLateMs = 5000;

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];
const yellow: Colour = [200, 180, 40];
const violet: Colour = [130, 40, 150];
/** The background of the idle screen and of a text takeover. */
const dark: Colour = [21, 28, 38];

describe.runIf(clockCanMove)("while the clock jumps, the screen", () => {
  let clock: MovingClock | null = null;
  const one = sharedScreen({
    start: async (screen, atEnd) => {
      const folder = await temporaryFolder(atEnd);
      clock = await createMovingClock(folder);
      return startApp({
        screen,
        dataDir: path.join(folder, "data"),
        flags: ["--no-manager"],
        env: clock.env,
      });
    },
  });

  afterEach(() => clock?.jump(0));

  /** From now on the app's wall clock is this far from the real one; resolves when the app itself says so. */
  async function jump(offsetSeconds: number): Promise<number> {
    await clock?.jump(offsetSeconds);
    const jumpedAtMs = Date.now();
    await expect
      .poll(async () => {
        const aheadMs = (await clockOfApp()) - Date.now();
        return Math.abs(aheadMs - offsetSeconds * 1000);
      })
      .toBeLessThan(10_000);
    return jumpedAtMs;
  }

  /** Of the app, in milliseconds. */
  async function clockOfApp(): Promise<number> {
    const answer = await fetch(`${one.app.api}/api/v2/info`);
    const { clock } = (await answer.json()) as { clock: { time: string } };
    return Date.parse(clock.time);
  }

  /** Real time, so that a test can name moments of the app's clock by an offset. */
  const at = (offsetSeconds: number): string =>
    new Date(Date.now() + offsetSeconds * 1000).toISOString();

  async function takeover(body: object): Promise<void> {
    const answer = await fetch(`${one.app.api}/api/v2/takeover`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
  }

  async function hasTakeover(): Promise<boolean> {
    return (await fetch(`${one.app.api}/api/v2/takeover`)).ok;
  }

  /** Nothing blank since the last call. */
  function expectNothingBlank(screenWatch: Watch, when: string): void {
    expect(screenWatch.frames.filter(isBlank).length, when).toBe(0);
    screenWatch.forget();
  }

  it("shows within 5 s what the schedule has for the new time, and nothing that has ended or has not begun", async () => {
    const { app, screenWatch } = one;
    /** What is due at which offsets from now: each for most of the time between two jumps. */
    const due = new Map<number, Colour>([
      [-yearSeconds, violet],
      [-3 * hourSeconds, blue],
      [0, red],
      [10 * minuteSeconds, green],
      [3 * hourSeconds, yellow],
      [daySeconds, blue],
      [yearSeconds, green],
    ]);
    const halfSeconds = 4 * minuteSeconds;
    for (const [offset, colour] of due)
      await app.addFile(png(colour, 1280, 720), {
        ...{ name: `at ${offset} s`, mimetype: "image", duration: 1 },
        start_date: at(offset - halfSeconds),
        end_date: at(offset + halfSeconds),
      });
    await screenWatch.until(shows(red), "what is due now");
    screenWatch.forget();

    const jumps = [
      ...[10 * minuteSeconds, 0, 3 * hourSeconds, -3 * hourSeconds],
      ...[daySeconds, 0, yearSeconds, -yearSeconds, 0, 3 * hourSeconds, 0],
    ];
    const lateMs: number[] = [];
    for (const offset of jumps) {
      const isDue = shows(due.get(offset) ?? dark);
      const jumpedAtMs = await jump(offset);
      await screenWatch.until(isDue, `what is due at ${offset} s`);
      // Longer than anything plays: it alone stays on the screen.
      const settled = (frame: Frame): boolean =>
        frame.atMs > jumpedAtMs + maxLateMs + 3000;
      await screenWatch.until(settled, "three more seconds");
      const wrong = screenWatch.frames.filter(
        (frame) => frame.atMs > jumpedAtMs && !isDue(frame),
      );
      const late = (wrong.at(-1)?.atMs ?? jumpedAtMs) - jumpedAtMs;
      lateMs.push(Math.round(late));
      expect(late, `${offset} s`).toBeLessThan(maxLateMs);
      expectNothingBlank(screenWatch, `${offset} s`);
    }
    console.log(`late by ${lateMs.join(", ")} ms`);
    expect(app.output()).not.toContain("internal-error");
  });

  it("keeps playing images, a video and a page", async () => {
    const { app, screenWatch } = one;
    const web = await serveWeb({ "/": colouredPage(blue) });
    const filmBytes = await clip({
      ...{ colour: yellow, seconds: 2, isSilent: true },
    });
    const about = { mimetype: "image", duration: 1 };
    await app.addFile(png(red, 1280, 720), { name: "red", ...about });
    await app.addFile(png(green, 1280, 720), { name: "green", ...about });
    await app.addFile(filmBytes, {
      ...{ name: "film", mimetype: "video", duration: 0 },
    });
    await app.add({ name: "page", uri: `${web.address}/`, duration: 1 });
    const untilAllPlay = async () => {
      for (const colour of [red, green, yellow, blue])
        await screenWatch.until(shows(colour), `${String(colour)} is seen`);
    };
    await untilAllPlay();
    screenWatch.forget();
    const offsets = [
      ...[5 * minuteSeconds, -5 * minuteSeconds, 3 * hourSeconds],
      ...[-daySeconds, yearSeconds, -yearSeconds, 0],
    ];
    for (const offset of offsets) {
      await jump(offset);
      await untilAllPlay();
      expectNothingBlank(screenWatch, `${offset} s`);
    }
    // Before any of them begins, in 1970.
    await jump(hourSeconds - Math.round(Date.now() / 1000));
    await screenWatch.until(shows(dark), "the idle screen");
    await jump(0);
    await untilAllPlay();
    expectNothingBlank(screenWatch, "1970");
    expect(app.output()).not.toContain("internal-error");
  });

  it("[V2-662] ends a takeover after its seconds, however the clock jumps, and one until a moment when the clock has passed it", async () => {
    const { app, screenWatch } = one;
    const about = { mimetype: "image", duration: 1 };
    await app.addFile(png(red, 1280, 720), { name: "red", ...about });
    await screenWatch.until(shows(red), "red");
    screenWatch.forget();

    const seconds = 20;
    const startedMs = performance.now();
    await takeover({ text: "Leave by the stairs", seconds });
    await screenWatch.until(shows(dark), "the text");
    for (const offset of [3 * hourSeconds, -daySeconds, 0]) {
      await jump(offset);
      if (performance.now() - startedMs < (seconds - 2) * 1000)
        expect(await hasTakeover(), `${offset} s`).toBe(true);
    }
    await screenWatch.until(shows(red), "red again", 60_000);
    const lasted = performance.now() - startedMs;
    expect(lasted).toBeGreaterThan((seconds - 1) * 1000);
    expect(lasted).toBeLessThan(seconds * 1000 + maxLateMs);
    expectNothingBlank(screenWatch, "a takeover with seconds");

    await takeover({ text: "Leave by the stairs", until: at(hourSeconds) });
    await screenWatch.until(shows(dark), "the text");
    await jump(-3 * hourSeconds);
    expect(await hasTakeover()).toBe(true);
    await jump(3 * hourSeconds);
    await screenWatch.until(shows(red), "red again", maxLateMs);
    expect(await hasTakeover()).toBe(false);
    // It is over, also when the clock is before its end again.
    await jump(0);
    expect(await hasTakeover()).toBe(false);
    await screenWatch.until(shows(red), "red still");
    expectNothingBlank(screenWatch, "a takeover until a moment");
  });
});
