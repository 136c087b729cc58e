// The machine's clock jumps while the real app plays: what is due then is on the screen within seconds, and nothing is ever blank.
// With libfaketime (Debian: libfaketime), which gives the app a wall clock of its own; without it there is nothing to test.

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sharedScreen } from "../support/app/shared-screen.ts";
import { startApp } from "../support/app/start-app.ts";
import { temporaryFolder } from "../support/folder.ts";
import { serveWeb } from "../support/http/web-server.ts";
import {
  clip,
  colouredPage,
  png,
  type Colour,
} from "../support/media/media.ts";
import { isBlank, shows } from "../support/screen/screen.ts";

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
const hourSeconds = 3600;

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];
/** The background of the idle screen and of a text takeover. */
const dark: Colour = [21, 28, 38];

describe.runIf(existsSync(library))("while the clock jumps, the screen", () => {
  let offsetFile = "";
  const one = sharedScreen({
    start: async (screen, atEnd) => {
      const folder = await temporaryFolder(atEnd);
      offsetFile = path.join(folder, "offset");
      await jumpTo(0);
      return startApp({
        screen,
        dataDir: path.join(folder, "data"),
        flags: ["--no-manager"],
        env: {
          LD_PRELOAD: library,
          ...{ FAKETIME_TIMESTAMP_FILE: offsetFile, NO_FAKE_STAT: "1" },
          ...{
            FAKETIME_DONT_FAKE_MONOTONIC: "1",
            FAKETIME_CACHE_DURATION: "1",
          },
        },
      });
    },
  });

  /** From now on the app's wall clock is this far from the real one. */
  async function jumpTo(offsetSeconds: number): Promise<void> {
    const sign = offsetSeconds < 0 ? "-" : "+";
    await writeFile(offsetFile, `${sign}${Math.abs(offsetSeconds)}\n`);
  }

  /** Of the app, in milliseconds. */
  async function clockOfApp(): Promise<number> {
    const answer = await fetch(`${one.app.api}/api/v2/info`);
    const { clock } = (await answer.json()) as { clock: { time: string } };
    return Date.parse(clock.time);
  }

  async function untilJumped(offsetSeconds: number): Promise<void> {
    await jumpTo(offsetSeconds);
    await expect
      .poll(async () =>
        Math.abs((await clockOfApp()) - Date.now() - offsetSeconds * 1000),
      )
      .toBeLessThan(10_000);
  }

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

  it("shows what is due within seconds: images, a film and a page, and takeovers until their ends", async () => {
    const { app, screenWatch } = one;
    const web = await serveWeb({ "/": colouredPage(blue) });
    const film: Colour = [200, 180, 40];
    const filmBytes = await clip({ colour: film, seconds: 2, isSilent: true });
    const about = { mimetype: "image", duration: 1 };
    await app.addFile(png(red, 1280, 720), { name: "red", ...about });
    await app.addFile(png(green, 1280, 720), { name: "green", ...about });
    await app.addFile(filmBytes, {
      ...{ name: "film", mimetype: "video", duration: 0 },
    });
    await app.add({ name: "page", uri: `${web.address}/`, duration: 1 });
    const untilAllPlay = async () => {
      for (const colour of [red, green, film, blue])
        await screenWatch.until(shows(colour), `${colour} is seen`);
    };
    const expectNothingBlank = (when: string) => {
      const blanks = screenWatch.frames.filter(isBlank).length;
      expect(blanks, when).toBe(0);
      screenWatch.forget();
    };
    await untilAllPlay();
    screenWatch.forget();

    for (const hours of [3, -3, 24, 0]) {
      await untilJumped(hours * hourSeconds);
      await untilAllPlay();
      expectNothingBlank(`${hours} h`);
    }

    // Timed by the monotonic clock, whatever happens (V2-662).
    await takeover({ text: "Leave by the stairs", seconds: 15 });
    const startedMs = performance.now();
    await screenWatch.until(shows(dark), "the text");
    for (const hours of [3, -3, 0]) {
      await untilJumped(hours * hourSeconds);
      if (performance.now() - startedMs < 13_000)
        expect(await hasTakeover(), `${hours} h`).toBe(true);
    }
    await expect.poll(hasTakeover).toBe(false);
    expect(performance.now() - startedMs).toBeGreaterThan(14_000);
    await untilAllPlay();
    expectNothingBlank("a takeover with seconds");

    const until = new Date(Date.now() + hourSeconds * 1000).toISOString();
    await takeover({ text: "Leave by the stairs", until });
    await screenWatch.until(shows(dark), "the text");
    await untilJumped(-3 * hourSeconds);
    expect(await hasTakeover()).toBe(true);
    await untilJumped(3 * hourSeconds);
    await untilAllPlay();
    expect(await hasTakeover()).toBe(false);
    // It is over, also before its end.
    await untilJumped(0);
    await untilAllPlay();
    expect(await hasTakeover()).toBe(false);
    expectNothingBlank("a takeover until a moment");

    // Nothing is due yet.
    await untilJumped(hourSeconds - Math.round(Date.now() / 1000));
    await screenWatch.until(shows(dark), "the idle screen");
    await untilJumped(0);
    await untilAllPlay();
    expectNothingBlank("1970");
    expect(app.output()).not.toContain("internal-error");
  });
});
