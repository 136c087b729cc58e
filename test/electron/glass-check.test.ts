// The look at the glass: it goes on, whatever becomes of a single picture.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  createGlassCheck,
  type GlassSubject,
} from "../../electron/glass-check.ts";

type ViewImage = Awaited<ReturnType<GlassSubject["capture"]>>;

const size = { width: 64, height: 36 };

/** One line, from black to white. */
function lineOfView(): ViewImage {
  const pixels = Buffer.alloc(size.width * 4);
  for (let x = 0; x < size.width; x += 1) pixels.fill(x * 4, x * 4, x * 4 + 4);
  const image = {
    isEmpty: () => false,
    getSize: () => ({ width: size.width, height: 1 }),
    toBitmap: () => pixels,
  };
  return image as Partial<ViewImage> as ViewImage;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("[V2-191] looks again when a picture of the view never comes", async () => {
  let isStuck = true;
  const subject: GlassSubject = {
    slideId: "slide",
    content: { kind: "image", url: "asset://picture" } as never,
    shownAtMs: performance.now(),
    size: () => size,
    capture: () =>
      isStuck ? new Promise(() => undefined) : Promise.resolve(lineOfView()),
    contents: () => null,
    isOnTop: () => true,
  };
  const verdicts: string[] = [];
  const check = createGlassCheck({
    subject: () => subject,
    lines: () => Promise.resolve(null),
    onVerdict: ({ verdict }) => verdicts.push(verdict),
  });
  await vi.advanceTimersByTimeAsync(9_000);
  isStuck = false;
  expect(verdicts).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(verdicts).toContain("verified");
  check.stop();
});

it("[V2-191] wakes for what holds still no more than once a second", async () => {
  let wakeUps = 0;
  const subject: GlassSubject = {
    slideId: "slide",
    content: { kind: "image", url: "asset://picture" } as never,
    shownAtMs: performance.now(),
    size: () => size,
    capture: () => Promise.resolve(lineOfView()),
    contents: () => null,
    isOnTop: () => true,
  };
  const check = createGlassCheck({
    subject: () => {
      wakeUps++;
      return subject;
    },
    lines: () => Promise.resolve(null),
    onVerdict: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(20_000);
  // Besides, each of the looks makes sure that the same is still there.
  expect(wakeUps).toBeLessThanOrEqual(20 + 2 * 5);
  check.stop();
});
