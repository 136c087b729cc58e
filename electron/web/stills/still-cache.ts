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
  stillFor(options: StillOptions, isAwaited: boolean): Promise<Still>;
}

export interface StillOptions {
  /** Identical for all showings that look the same. */
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
}

/** A still of a whole screen is some megabytes; the least recently used is dropped first. */
const maxStills = 16;
/** Well below the time after which a showing is late. */
const freshWithinMs = 1500;

export function createStillCache(): StillCache {
  const stills = new Map<string, Still>();
  const taking = new Map<string, Promise<Still>>();

  async function stillFor(
    options: StillOptions,
    isAwaited: boolean,
  ): Promise<Still> {
    const { key, maxAgeMs } = options;
    const cached = stills.get(key);
    const ageMs = cached ? performance.now() - cached.takenAtMs : Infinity;
    if (cached && ageMs < maxAgeMs) return remember(key, cached);
    const fresh = takeOnce(options);
    if (!cached) return fresh;
    const old = fresh.catch(() => remember(key, cached));
    return isAwaited ? Promise.race([old, afterAWhile(cached)]) : old;
  }

  /** It goes on while an older still is on the screen, and is there for the next showing. */
  function takeOnce(options: StillOptions): Promise<Still> {
    const { key } = options;
    const before = taking.get(key);
    if (before) return before;
    const fresh = take(options)
      .then((still) => remember(key, still))
      .finally(() => taking.delete(key));
    taking.set(key, fresh);
    return fresh;
  }

  function remember(key: string, still: Still): Still {
    stills.delete(key);
    stills.set(key, still);
    for (const [oldest] of stills) {
      if (stills.size <= maxStills) break;
      stills.delete(oldest);
    }
    return still;
  }

  return { stillFor };
}

function afterAWhile(still: Still): Promise<Still> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(still), freshWithinMs);
  });
}

async function take({
  openPage,
  hide,
  bounds,
  orientation,
}: StillOptions): Promise<Still> {
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
    return { dataUrl: image.toDataURL(), takenAtMs: performance.now() };
  } finally {
    unhide();
    page.close();
  }
}
