// Screen verification: continues whatever happens to a single screenshot.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  createScreenVerification,
  type ScreenVerificationOptions,
  type VerificationSubject,
} from "../../../electron/stage/screen-verification.ts";
import type { ScreenVerdict } from "../../../server/player/playback/stage.ts";
import {
  gridLines,
  linesOf,
} from "../../../electron/screenshots/compare-screenshots.ts";
import { createRandom } from "../../long/kill/random.ts";

type ViewImage = Awaited<ReturnType<VerificationSubject["capture"]>>;

const size = { width: 64, height: 36 };

/** One line, from black to white. */
function lineOfView(): ViewImage {
  const pixels = Buffer.alloc(size.width * 4);
  for (let x = 0; x < size.width; x += 1)
    pixels.set([x * 4, x * 4, x * 4, 255], x * 4);
  const image = {
    isEmpty: () => false,
    getSize: () => ({ width: size.width, height: 1 }),
    toBitmap: () => pixels,
  };
  return image as Partial<ViewImage> as ViewImage;
}

/** The screen shows the view as it is. */
const linesOfView: ScreenVerificationOptions["lines"] = (count) =>
  Promise.resolve({
    ...{ width: size.width, height: count },
    pixels: Buffer.concat(
      Array.from({ length: count }, () => lineOfView().toBitmap()),
    ),
  });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("[V2-191] checks again when a screenshot of the view never arrives", async () => {
  let isStuck = true;
  const subject: VerificationSubject = {
    showingId: "slide",
    content: { kind: "image", url: "asset://image" } as never,
    shownAtMs: performance.now(),
    size: () => size,
    capture: () =>
      isStuck ? new Promise(() => undefined) : Promise.resolve(lineOfView()),
    contents: () => null,
    isOnTop: () => true,
  };
  const verdicts: string[] = [];
  const check = createScreenVerification({
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

it.each(["image", "card", "text"] as const)(
  "[V2-191] wakes for a static %s only when a check is due, and captures its view once",
  async (kind) => {
    let wakeUps = 0;
    let images = 0;
    let shownAtMs = performance.now();
    const subject = (): VerificationSubject => ({
      ...{ showingId: String(shownAtMs), content: { kind, url: "" } as never },
      ...{ shownAtMs, size: () => size },
      capture: () => {
        images += 1;
        return Promise.resolve(lineOfView());
      },
      ...{ contents: () => null, isOnTop: () => true },
    });
    const verdicts: string[] = [];
    const check = createScreenVerification({
      subject: () => {
        wakeUps += 1;
        return subject();
      },
      lines: linesOfView,
      onVerdict: ({ verdict }) => verdicts.push(verdict),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    // At the check, after it, and when the next one is due.
    expect(wakeUps).toBeLessThanOrEqual(13 * 4);
    expect(images).toBe(gridLines);
    expect(verdicts.length).toBeGreaterThanOrEqual(11);
    // A new showing is checked within three seconds.
    const before = verdicts.length;
    shownAtMs = performance.now();
    check.changed();
    await vi.advanceTimersByTimeAsync(3000);
    expect(verdicts.length).toBe(before + 1);
    expect(images).toBe(2 * gridLines);
    expect(new Set(verdicts)).toEqual(new Set(["verified"]));
    check.stop();
  },
);

it("[V2-667] determines once whether an image is meant to be of one colour, and captures it as a whole only once as long as it does not change", async () => {
  let [wholes, decoded] = [0, 0];
  const grey = (height: number, value: number) => ({
    ...{ width: size.width, height },
    pixels: Buffer.alloc(size.width * height * 4, value),
  });
  const contents: Partial<ViewContents> = {
    isDestroyed: () => false,
    executeJavaScriptInIsolatedWorld: () => {
      decoded += 1;
      return Promise.resolve(true);
    },
  };
  let seen = 200;
  const subject: VerificationSubject = {
    showingId: "slide",
    content: { kind: "image", url: "asset://image" } as never,
    ...{ shownAtMs: performance.now(), size: () => size },
    capture: (part) => {
      if (!part) wholes += 1;
      const height = part?.height ?? size.height;
      const image = {
        isEmpty: () => false,
        getSize: () => ({ width: size.width, height }),
        toBitmap: () => grey(height, 200).pixels,
      };
      return Promise.resolve(image as Partial<ViewImage> as ViewImage);
    },
    contents: () => contents as ViewContents,
    isOnTop: () => true,
  };
  const verdicts: string[] = [];
  const check = createScreenVerification({
    subject: () => subject,
    lines: (count) => Promise.resolve(grey(count, seen)),
    onVerdict: ({ verdict }) => verdicts.push(verdict),
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(verdicts.length).toBeGreaterThanOrEqual(11);
  expect(new Set(verdicts)).toEqual(new Set(["verified"]));
  expect(wholes).toBe(1);
  expect(decoded).toBeLessThanOrEqual(2);
  // Another colour than its own is detected at once all the same.
  seen = 0;
  await vi.advanceTimersByTimeAsync(6000);
  expect(verdicts.at(-1)).toBe("wrong");
  check.stop();
});

it("[V2-712] compares an unchanged page with its view every five seconds, and at once when the screen shows something else", async () => {
  let checks = 0;
  let images = 0;
  let isCovered = false;
  const line = lineOfView().toBitmap();
  const cover = Buffer.alloc(line.length, 250);
  const subject: VerificationSubject = {
    ...{ showingId: "slide", content: { kind: "webpage", url: "" } as never },
    ...{ shownAtMs: performance.now(), size: () => size },
    capture: () => {
      images += 1;
      return Promise.resolve(lineOfView());
    },
    ...{ contents: () => null, isOnTop: () => true },
  };
  const verdicts: string[] = [];
  const check = createScreenVerification({
    subject: () => subject,
    lines: (count) => {
      checks += 1;
      const rows = Array.from({ length: count }, (_, at) =>
        isCovered && at % 2 === 0 ? cover : line,
      );
      return Promise.resolve({
        ...{ width: size.width, height: count, pixels: Buffer.concat(rows) },
      });
    },
    onVerdict: ({ verdict }) => verdicts.push(verdict),
  });
  await vi.advanceTimersByTimeAsync(60_000);
  // It may become blank at any time (V2-601).
  expect(checks).toBeGreaterThan(60);
  expect(new Set(verdicts)).toEqual(new Set(["verified"]));
  expect(verdicts.length).toBeGreaterThan(60);
  expect(images / gridLines).toBeLessThanOrEqual(14);
  isCovered = true;
  const before = verdicts.length;
  await vi.advanceTimersByTimeAsync(3000);
  expect(verdicts.slice(before)).toContain("wrong");
  expect(verdicts.slice(before)).not.toContain("verified");
  check.stop();
});

it("[V2-712] detects a page whose view has changed while the screen has not", async () => {
  let isOther = false;
  const other: Partial<ViewImage> = {
    isEmpty: () => false,
    getSize: () => ({ width: size.width, height: 1 }),
    toBitmap: () => Buffer.alloc(size.width * 4, 250),
  };
  const subject: VerificationSubject = {
    ...{ showingId: "slide", content: { kind: "webpage", url: "" } as never },
    ...{ shownAtMs: performance.now(), size: () => size },
    capture: () =>
      Promise.resolve(isOther ? (other as ViewImage) : lineOfView()),
    ...{ contents: () => null, isOnTop: () => true },
  };
  const verdicts: string[] = [];
  const check = createScreenVerification({
    subject: () => subject,
    lines: linesOfView,
    onVerdict: ({ verdict }) => verdicts.push(verdict),
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(new Set(verdicts)).toEqual(new Set(["verified"]));
  isOther = true;
  await vi.advanceTimersByTimeAsync(8000);
  expect(verdicts.at(-1)).toBe("wrong");
  check.stop();
});

type ViewContents = NonNullable<ReturnType<VerificationSubject["contents"]>>;
/** Its video plays on. */
const playing: Partial<ViewContents> = {
  isDestroyed: () => false,
  executeJavaScriptInIsolatedWorld: () => Promise.resolve([Date.now() / 1000]),
};

type Kind = VerificationSubject["content"]["kind"];
/** Grey values of an image as wide and high as the screen, by the time at which it is taken. */
type Film = (atMs: number) => Uint8Array;

/** Verdicts of half a minute on moving content, on a screen whose every screenshot takes a random time. */
async function verdictsOn(
  kind: Kind,
  own: Film,
  onScreen: Film,
  seed: number,
): Promise<readonly string[]> {
  // The media time at each check depends on the seed, too.
  vi.setSystemTime(seed * 7919);
  const random = createRandom(seed);
  const takeMs = (): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, 5 + random.below(90)));
  const greyLine = (film: Uint8Array, y: number): Buffer => {
    const pixels = Buffer.alloc(size.width * 4);
    for (let x = 0; x < size.width; x += 1)
      pixels.set(
        [...Array<number>(3).fill(film[y * size.width + x] ?? 0), 255],
        x * 4,
      );
    return pixels;
  };
  const subject: VerificationSubject = {
    ...{ showingId: "slide", content: { kind, url: "asset://film" } as never },
    ...{ shownAtMs: performance.now(), size: () => size },
    capture: async (part) => {
      await takeMs();
      const pixels = greyLine(own(Date.now()), part?.y ?? 0);
      const image = {
        ...{ isEmpty: () => false, toBitmap: () => pixels },
        getSize: () => ({ width: size.width, height: 1 }),
      };
      return image as Partial<ViewImage> as ViewImage;
    },
    contents: () => playing as ViewContents,
    isOnTop: () => true,
  };
  const lines: ScreenVerificationOptions["lines"] = async (count) => {
    await takeMs();
    const film = onScreen(Date.now());
    const lines = linesOf(size.height, count);
    return {
      ...{ width: size.width, height: lines.length },
      pixels: Buffer.concat(lines.map((y) => greyLine(film, y))),
    };
  };
  const verdicts: string[] = [];
  const check = createScreenVerification({
    ...{ subject: () => subject, lines },
    onVerdict: ({ verdict }) => verdicts.push(verdict),
  });
  await vi.advanceTimersByTimeAsync(30_000);
  check.stop();
  return verdicts;
}

/** Every frame differs from the one before at every point, as noise and quick cuts do. */
function noise(seed: number, intervalMs: number): Film {
  return (atMs) => {
    const random = createRandom(seed * 1000 + Math.floor(atMs / intervalMs));
    return Uint8Array.from({ length: size.width * size.height }, () =>
      random.below(256),
    );
  };
}

/** The whole frame alternates between light and dark. */
const blinking: Film = (atMs) =>
  new Uint8Array(size.width * size.height).fill(
    Math.floor(atMs / 100) % 2 === 0 ? 30 : 220,
    size.width,
  );

/** A window of another program over the left half. */
const covered =
  (film: Film): Film =>
  (atMs) =>
    film(atMs).map((value, at) =>
      at % size.width < size.width / 2 ? 250 : value,
    );

it.each(["image", "video", "webpage"] as const)(
  "[V2-610] never reports a %s that moves at all its points as wrong",
  async (kind) => {
    for (let seed = 1; seed <= 4; seed += 1)
      for (const film of [noise(seed, 33), noise(seed, 100), blinking]) {
        const verdicts = await verdictsOn(kind, film, film, seed);
        expect(verdicts.length).toBeGreaterThan(3);
        expect(new Set(verdicts)).toEqual(new Set(["verified"]));
      }
  },
);

it.each(["image", "video", "webpage"] as const)(
  "[V2-610] detects a window over half of a %s, however that moves",
  async (kind) => {
    for (let seed = 1; seed <= 4; seed += 1)
      for (const film of [noise(seed, 33), noise(seed, 100)]) {
        const verdicts = await verdictsOn(kind, film, covered(film), seed);
        expect(verdicts).toContain("wrong");
        expect(verdicts).not.toContain("verified");
      }
  },
);

it("[V2-602] gives no verdict while the screen or the view cannot be read", async () => {
  let isOfView = false;
  const subject: VerificationSubject = {
    ...{ showingId: "slide", content: { kind: "image", url: "" } as never },
    ...{ shownAtMs: performance.now(), size: () => size },
    capture: () =>
      Promise.resolve(
        isOfView
          ? lineOfView()
          : ({ isEmpty: () => true } as Partial<ViewImage> as ViewImage),
      ),
    ...{ contents: () => null, isOnTop: () => true },
  };
  const verdicts: string[] = [];
  const check = createScreenVerification({
    subject: () => subject,
    lines: () =>
      isOfView
        ? Promise.reject(new Error("the X server does not respond"))
        : Promise.resolve({ ...size, pixels: Buffer.alloc(64 * 36 * 4, 90) }),
    onVerdict: ({ verdict }) => verdicts.push(verdict),
  });
  await vi.advanceTimersByTimeAsync(20_000);
  isOfView = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(verdicts).toEqual([]);
  check.stop();
});

it.each([
  ["image", []],
  ["card", ["blank"]],
] as const)(
  "[V2-650] never verifies a %s on a black screen whose view gives a transparent screenshot, and faults no showing for it",
  async (kind, expected) => {
    const nothing: Partial<ViewImage> = {
      isEmpty: () => false,
      getSize: () => ({ width: size.width, height: 1 }),
      toBitmap: () => Buffer.alloc(size.width * 4),
    };
    const subject: VerificationSubject = {
      ...{ showingId: "slide", content: { kind, url: "" } as never },
      ...{ shownAtMs: performance.now(), size: () => size },
      capture: () => Promise.resolve(nothing as ViewImage),
      ...{ contents: () => null, isOnTop: () => true },
    };
    const verdicts: ScreenVerdict[] = [];
    const check = createScreenVerification({
      subject: () => subject,
      lines: (count) =>
        Promise.resolve({
          ...{ width: size.width, height: count },
          pixels: Buffer.alloc(size.width * count * 4),
        }),
      onVerdict: (verdict) => verdicts.push(verdict),
    });
    await vi.advanceTimersByTimeAsync(20_000);
    check.stop();
    expect([...new Set(verdicts.map(({ verdict }) => verdict))]).toEqual(
      expected,
    );
    expect(verdicts.every(({ isBlameless }) => isBlameless)).toBe(true);
  },
);
