// Stills of pages, taken out of sight: each replaces its page until it is too old, or longer while no newer one is available.

import { WebContentsView, type Rectangle } from "electron";
import type { Orientation } from "../../server/contract/ipc/ipc.ts";
import { closeContents } from "../chromium/close-contents.ts";
import { captureView } from "../screenshots/view-screenshot.ts";
import type { WebView } from "./web-view.ts";

export interface Stills {
  /**
   * A view of the still; the page itself is loaded only where no still is recent enough. `isAwaited`: its showing waits for it, so an
   * older still is taken if the page is slow.
   */
  open(options: StillOptions, isAwaited: boolean): Promise<WebView>;
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

interface Still {
  readonly dataUrl: string;
  readonly takenAtMs: number;
}

/** A still of a whole screen is some megabytes; the least recently used is dropped first. */
const maxStills = 16;
/** Well below the time after which a showing is late. */
const freshWithinMs = 1500;

export function createStills(): Stills {
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

  return {
    open: async (options, isAwaited) =>
      openStill((await stillFor(options, isAwaited)).dataUrl, options),
  };
}

function afterAWhile(still: Still): Promise<Still> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(still), freshWithinMs);
  });
}

async function take({ openPage, hide, bounds, orientation }: StillOptions) {
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
    if (image.isEmpty())
      throw new Error("the screenshot of the page could not be taken");
    return { dataUrl: image.toDataURL(), takenAtMs: performance.now() };
  } finally {
    unhide();
    page.close();
  }
}

function openStill(
  dataUrl: string,
  { orientation, bounds }: StillOptions,
): WebView {
  const view = new WebContentsView({
    webPreferences: {
      ...{ partition: "still", sandbox: true, contextIsolation: true },
      ...{ backgroundThrottling: false, devTools: false },
    },
  });
  view.setBackgroundColor("#000000");
  view.setBounds(bounds);
  // As for a page's view: completely covered, the stage would receive no frames.
  view.setBorderRadius(1);
  const contents = view.webContents;
  let lost = (_reason: string): void => undefined;
  contents.on("render-process-gone", () =>
    lost("The page's screenshot is missing."),
  );
  const ready = (async () => {
    await contents.loadURL(
      `data:text/html;charset=utf-8,${encodeURIComponent(stillPage(orientation))}`,
    );
    await contents.executeJavaScript(`(async () => {
      const image = document.querySelector("img");
      image.src = ${JSON.stringify(dataUrl)};
      await image.decode();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    })()`);
  })();
  // Closed while it loads, it has nobody who waits for it.
  ready.catch(() => undefined);
  return {
    view,
    ready,
    onLost: (listener) => (lost = listener),
    mute: () => undefined,
    capture: (part) => captureView(contents, part),
    contents: () => contents,
    close: () => closeContents(contents),
  };
}

function stillPage(orientation: Orientation): string {
  const isAcross = orientation === 90 || orientation === 270;
  return `<!doctype html><meta charset="utf-8">
<style>
* { margin: 0; cursor: none }
html, body { height: 100%; overflow: hidden; background: #000 }
img {
  position: absolute; left: 50%; top: 50%;
  width: ${isAcross ? "100vh" : "100vw"}; height: ${isAcross ? "100vw" : "100vh"};
  transform: translate(-50%, -50%) rotate(${orientation}deg);
}
</style><img alt="">`;
}
