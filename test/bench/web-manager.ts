// The manager in browsers at a player: how soon its first page shows content over 20 Mbit/s and 40 ms, how much it loads until then,
// and whether fifty browsers that have it open cost the screen a frame.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { openBrowser } from "../support/browser/browser.ts";
import { startInspectedApp } from "../support/app/inspected-app.ts";
import { clip } from "../support/media/media.ts";
import { openScreen } from "../support/screen/screen.ts";
import { loadFirstPage, type FirstPage } from "./web-manager/first-page.ts";
import { openManyBrowsers } from "./web-manager/many-browsers.ts";

const rounds = 7;
const visibleGoalMs = 1500;
const bytesGoal = 350 * 1024;
const browsers = 50;
const filmRounds = 3;

export async function* run(): AsyncGenerator<Row> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  const ends: (() => Promise<unknown>)[] = [];
  const atEnd = (end: () => Promise<unknown>): void => void ends.push(end);
  const screen = await openScreen(1920, 1080);
  try {
    const app = await startInspectedApp(screen, atEnd);
    const film = await clip({
      ...{ colour: [30, 180, 60], seconds: 60, width: 1280, height: 720 },
    });
    await app.addFile(film, { mimetype: "video", duration: 0, name: "Film" });
    const browser = await openBrowser(atEnd);
    const pages: FirstPage[] = [];
    for (let round = 0; round < rounds; round++)
      pages.push(await loadFirstPage(browser, app.api, "Film"));
    yield* rowsOf(pages);
    const alone: number[] = [];
    const withBrowsers: number[] = [];
    for (let round = 0; round < filmRounds; round++) {
      alone.push(await missedFrames(app));
      const many = await openManyBrowsers(app.api, browsers);
      withBrowsers.push(await missedFrames(app));
      await many.close();
    }
    yield framesRow(sum(withBrowsers), sum(alone));
  } finally {
    for (const end of ends.reverse()) await end();
    await screen.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function* rowsOf(pages: readonly FirstPage[]): Generator<Row> {
  const visibleMs = median(pages.map((page) => page.visibleMs));
  const bytes = Math.max(...pages.map((page) => page.bytes));
  yield {
    figure: "content of the first page is visible",
    ...{ value: visibleMs, unit: "ms", against: null, ratio: null },
    goal: `at most ${visibleGoalMs} ms over 20 Mbit/s and 40 ms`,
    met: visibleMs <= visibleGoalMs,
  };
  yield {
    figure: "loaded until then",
    ...{ value: bytes / 1024, unit: "KiB", against: null, ratio: null },
    goal: `at most ${bytesGoal / 1024} KiB`,
    met: bytes <= bytesGoal,
  };
  yield {
    figure: "requests until then",
    value: Math.max(...pages.map((page) => page.requests)),
    ...{ unit: "", against: null, ratio: null, goal: null, met: null },
  };
}

function framesRow(value: number, against: number): Row {
  return {
    figure: `frames of a film that the screen missed while ${browsers} browsers had the manager open`,
    ...{ value, unit: "frames", against: `without browsers ${against}` },
    ratio: null,
    goal: "no more than without",
    met: value <= against,
  };
}

/** In 20 seconds of the film on the screen. */
async function missedFrames(
  app: Awaited<ReturnType<typeof startInspectedApp>>,
): Promise<number> {
  return app.evaluate(async () => {
    const film = document.querySelector(".layer.front video.on");
    if (!(film instanceof HTMLVideoElement)) throw new Error("No film runs.");
    const before = film.getVideoPlaybackQuality().droppedVideoFrames;
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    return film.getVideoPlaybackQuality().droppedVideoFrames - before;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
