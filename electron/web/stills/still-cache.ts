// Stills of pages, taken out of sight: each is used until it is too old, or longer while no newer one is available.

import type { Rectangle } from "electron";
import { Failure, type Orientation } from "../../../server/contract/ipc/ipc.ts";
import { drawnPixels } from "../../screenshots/view-screenshot.ts";
import type { WebView } from "../web-view.ts";

export interface StillCache {
  /**
   * The page itself is loaded only where no still is recent enough. `isAwaited`: its showing waits for it, so an older still is used if
   * the page is slow (V2-703).
   */
  stillFor(options: StillOptions, isAwaited: boolean): Promise<ChosenStill>;
}

export interface ChosenStill {
  readonly still: Still;
  /** Taken for a screen of another size or orientation: there is no other yet. */
  readonly isForOther: boolean;
  /** Why there is no newer one, if it is too old (V2-860). */
  readonly problem: string | null;
  /** While a newer one is being taken: null once there is one, else why there is none. */
  readonly next: Promise<string | null> | null;
}

export interface StillOptions {
  /** Identical for all showings that look the same on the same screen. */
  readonly key: string;
  readonly maxAgeMs: number;
  readonly orientation: Orientation;
  readonly bounds: Rectangle;
  /** Loads the page, unrotated, into these bounds. */
  readonly openPage: (bounds: Rectangle) => WebView;
  /** Keeps the page's view where it is painted but not seen; the returned function removes it. */
  readonly hide: (page: WebView) => () => void;
}

export interface Still {
  readonly dataUrl: string;
  readonly takenAtMs: number;
  /** Of the screen it was taken for. */
  readonly place: string;
}

/** A still of a whole screen is some megabytes; the least recently used is dropped first. */
const maxStills = 16;
/** Well below the time after which a showing is late. */
const freshWithinMs = 1500;

export function createStillCache(): StillCache {
  const stills = new Map<string, Still>();
  /** Why no newer one could be taken last, by the same keys. */
  const problems = new Map<string, string>();
  const taking = new Map<string, Promise<Still>>();

  async function stillFor(
    options: StillOptions,
    isAwaited: boolean,
  ): Promise<ChosenStill> {
    const { key, maxAgeMs } = options;
    const cached = stills.get(key);
    const isForOther =
      cached !== undefined && cached.place !== placeOf(options);
    const ageMs = cached ? performance.now() - cached.takenAtMs : Infinity;
    if (cached && !isForOther && ageMs < maxAgeMs)
      return recent(remember(key, cached));
    const fresh = takeOnce(options);
    if (!cached) return recent(await fresh);
    const next = fresh.then(
      () => null,
      (error: unknown) =>
        error instanceof Error ? error.message : String(error),
    );
    const older = (isTaken: boolean): ChosenStill => ({
      ...{ still: remember(key, cached), isForOther },
      problem: problems.get(key) ?? null,
      next: isTaken ? null : next,
    });
    const settled = fresh.then(recent, () => older(true));
    if (!isAwaited) return settled;
    return Promise.race([settled, afterAWhile().then(() => older(false))]);
  }

  /** It goes on while an older still is on the screen. */
  function takeOnce(options: StillOptions): Promise<Still> {
    const { key } = options;
    const attempt = JSON.stringify([key, placeOf(options)]);
    const before = taking.get(attempt);
    if (before) return before;
    const fresh = take(options)
      .then(
        (still) => {
          problems.delete(key);
          return remember(key, still);
        },
        (error: unknown) => {
          // Without an older one the page itself has failed.
          if (stills.has(key))
            problems.set(
              key,
              error instanceof Error ? error.message : String(error),
            );
          throw error;
        },
      )
      .finally(() => taking.delete(attempt));
    taking.set(attempt, fresh);
    return fresh;
  }

  function remember(key: string, still: Still): Still {
    stills.delete(key);
    stills.set(key, still);
    for (const [oldest] of stills) {
      if (stills.size <= maxStills) break;
      stills.delete(oldest);
      problems.delete(oldest);
    }
    return still;
  }

  return { stillFor };
}

function recent(still: Still): ChosenStill {
  return { still, isForOther: false, problem: null, next: null };
}

/** An older still of another size would be stretched, or lie on its side. */
function placeOf({ orientation, bounds }: StillOptions): string {
  return JSON.stringify([orientation, bounds.width, bounds.height]);
}

function afterAWhile(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, freshWithinMs);
  });
}

async function take(options: StillOptions): Promise<Still> {
  const { openPage, hide, bounds, orientation } = options;
  const { width, height } = bounds;
  const isAcross = orientation === 90 || orientation === 270;
  const page = openPage({
    ...{ x: 0, y: 0 },
    ...(isAcross ? { width: height, height: width } : { width, height }),
  });
  const unhide = hide(page);
  try {
    await page.ready;
    const image = await page.capture();
    // Transparent, as while the graphics process restarts, it would be black for as long as it is kept (V2-737).
    if (!drawnPixels(image))
      throw new Failure(
        "unavailable",
        "The screenshot of the page could not be taken.",
      );
    return {
      dataUrl: image.toDataURL(),
      takenAtMs: performance.now(),
      place: placeOf(options),
    };
  } finally {
    unhide();
    page.close();
  }
}
