// Stills of pages, taken out of sight: each replaces its page until it is too old, or longer while no newer one is available.

import { WebContentsView, type Rectangle } from "electron";
import type { Orientation } from "../../server/contract/ipc/ipc.ts";
import { captureView } from "../screenshots/view-screenshot.ts";
import type { WebView } from "./web-view.ts";

export interface Stills {
  /** A view of the still; the page itself is loaded only where no still is recent enough. */
  open(options: StillOptions): Promise<WebView>;
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

export function createStills(): Stills {
  const stills = new Map<string, Still>();

  async function stillFor(options: StillOptions): Promise<Still> {
    const cached = stills.get(options.key);
    const ageMs = cached ? performance.now() - cached.takenAtMs : Infinity;
    if (cached && ageMs < options.maxAgeMs)
      return remember(options.key, cached);
    try {
      return remember(options.key, await take(options));
    } catch (error) {
      if (!cached) throw error;
      return cached;
    }
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
    open: async (options) =>
      openStill((await stillFor(options)).dataUrl, options),
  };
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
    if (image.isEmpty()) throw new Error("the page gave no image");
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
  contents.on("render-process-gone", () => lost("The page's image is gone."));
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
  return {
    view,
    ready,
    onLost: (listener) => (lost = listener),
    mute: () => undefined,
    capture: (part) => captureView(contents, part),
    contents: () => contents,
    close: () => {
      if (!contents.isDestroyed()) contents.close();
    },
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
