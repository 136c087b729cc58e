// Stills of pages: which screenshots of a page are kept, and what is known about one that is too old.

import { expect, it, vi } from "vitest";
import {
  createStillCache,
  type ChosenStill,
  type StillOptions,
} from "../../../../electron/web/stills/still-cache.ts";
import type { WebView } from "../../../../electron/web/web-view.ts";

const bounds = { x: 0, y: 0, width: 64, height: 36 };

/** Stills of one page, which is loaded once it is `ready`; its screenshots are of this brightness. */
function stillsOf(brightness: number) {
  const pixels = Buffer.alloc(4 * 64 * 36, brightness);
  const page = {
    opened: [] as string[],
    closed: 0,
    ready: Promise.resolve(),
  };
  const stills = createStillCache();
  const still = (
    options: Partial<StillOptions> = {},
    isAwaited = true,
  ): Promise<ChosenStill> =>
    stills.stillFor(
      {
        ...{ key: "page", maxAgeMs: 60_000, orientation: 0, bounds },
        openPage: ({ width, height }) => {
          page.opened.push(`${width}x${height}`);
          const image = {
            isEmpty: () => false,
            toBitmap: () => pixels,
            toDataURL: () => `data:,${page.opened.length}`,
          };
          return {
            ready: page.ready,
            capture: () => Promise.resolve(image),
            close: () => (page.closed += 1),
          } as unknown as WebView;
        },
        hide: () => () => undefined,
        ...options,
      },
      isAwaited,
    );
  return { page, still };
}

const fails = (reason: string): Promise<never> => {
  const failed = Promise.reject(new Error(reason));
  failed.catch(() => undefined);
  return failed;
};

it("[V2-737] keeps no screenshot on which nothing is drawn: the page is opened again for the next showing", async () => {
  const { page, still } = stillsOf(0);
  for (const round of [1, 2]) {
    await expect(still()).rejects.toThrow("could not be taken");
    expect([page.opened.length, page.closed]).toEqual([round, round]);
  }
});

it("[V2-860] uses an old screenshot while no newer one can be taken, with the reason, until one has been", async () => {
  const { page, still } = stillsOf(255);
  const first = await still();
  expect(first).toMatchObject({ problem: null, next: null });
  page.ready = fails("status 500");
  const old = { still: first.still, problem: "status 500", next: null };
  expect(await still({ maxAgeMs: 0 })).toMatchObject(old);
  // It is not too old for this one.
  expect(await still()).toMatchObject({ still: first.still, problem: null });
  page.ready = Promise.resolve();
  expect(await still({ maxAgeMs: 0 })).toMatchObject({
    still: { dataUrl: "data:,3" },
    problem: null,
  });
});

it("[V2-860] learns later what has become of a newer screenshot that it did not wait for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const { page, still } = stillsOf(255);
    const first = await still();
    let fail = (_error: Error): void => undefined;
    page.ready = new Promise((_resolve, reject) => (fail = reject));
    const waits = still({ maxAgeMs: 0 });
    await vi.advanceTimersByTimeAsync(1500);
    const chosen = await waits;
    expect(chosen).toMatchObject({ still: first.still, problem: null });
    fail(new Error("did not load"));
    expect(await chosen.next).toBe("did not load");
    // Known from the beginning next time.
    page.ready = new Promise(() => undefined);
    const again = still({ maxAgeMs: 0 });
    await vi.advanceTimersByTimeAsync(1500);
    expect(await again).toMatchObject({ problem: "did not load" });
  } finally {
    vi.useRealTimers();
  }
});

it("[V2-861] takes another screenshot for another size or orientation, and uses the old one only while that fails", async () => {
  const { page, still } = stillsOf(255);
  const { still: first } = await still();
  const larger = { bounds: { ...bounds, width: 128, height: 72 } };
  page.ready = fails("status 500");
  expect(await still(larger)).toMatchObject({
    ...{ still: first, isForOther: true, problem: "status 500" },
  });
  page.ready = Promise.resolve();
  expect(await still(larger)).toMatchObject({ isForOther: false });
  await still({ ...larger, orientation: 90 });
  expect(page.opened).toEqual(["64x36", "128x72", "128x72", "72x128"]);
});
