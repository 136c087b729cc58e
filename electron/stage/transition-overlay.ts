// A still of what was on the glass, over everything, that fades away: how a view gives way to another, since views cannot fade.

import { WebContentsView, type NativeImage, type Rectangle } from "electron";
import { crossFadeMs } from "../../server/contract/ipc/ipc.ts";

export interface TransitionOverlay {
  /** Lies over everything once it resolves; false when it could not be had in time, and the change is a cut. */
  cover(picture: () => Promise<NativeImage>): Promise<boolean>;
  /** Fades, and is gone. */
  lift(): void;
  /** How long it took to cover the last time. */
  coverMs(): number;
  view(): WebContentsView | null;
  stop(): void;
}

export interface TransitionOverlayOptions {
  readonly bounds: () => Rectangle;
  readonly add: (view: WebContentsView) => void;
  readonly remove: (view: WebContentsView) => void;
}

/** Whoever waits for the next slide waits no longer than this for a picture of the last. */
const maxCoverMs = 600;
/** Until it has covered once. */
const defaultCoverMs = 200;
const quality = 92;

export function createTransitionOverlay({
  bounds,
  add,
  remove,
}: TransitionOverlayOptions): TransitionOverlay {
  let made: Promise<WebContentsView> | null = null;
  let lying: WebContentsView | null = null;
  /** Counts what was asked for and given up: what comes of an earlier one changes nothing any more. */
  let generation = 0;
  let coverMs = defaultCoverMs;

  function make(): Promise<WebContentsView> {
    const view = new WebContentsView({
      webPreferences: {
        ...{ partition: "veil", sandbox: true, contextIsolation: true },
        ...{ backgroundThrottling: false, devTools: false },
      },
    });
    view.setBackgroundColor("#00000000");
    // As of a page's view: wholly covered, what lies beneath would be given no frames.
    view.setBorderRadius(1);
    const loaded = view.webContents
      .loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`)
      .then(() => view);
    view.webContents.on("render-process-gone", () => {
      if (lying === view) drop();
      if (made === loaded) made = null;
    });
    return loaded;
  }

  async function lay(
    picture: () => Promise<NativeImage>,
    mine: number,
  ): Promise<boolean> {
    const [view, image] = await Promise.all([(made ??= make()), picture()]);
    // Whoever asked has gone on: laid now, nobody would lift it.
    if (mine !== generation || image.isEmpty()) return false;
    view.setBounds(bounds());
    const data = `data:image/jpeg;base64,${image.toJPEG(quality).toString("base64")}`;
    drop();
    // Painted before it is the topmost: in a view that nobody sees, nothing is painted.
    lying = view;
    add(view);
    const isFading = (await view.webContents.executeJavaScript(
      `lay(${JSON.stringify(data)})`,
    )) as boolean;
    if (!isFading && mine === generation) drop();
    return isFading;
  }

  /** A view that is shown again begins with what it held last, and that would be this still: another one is made. */
  function giveUp(): void {
    generation += 1;
    const view = lying;
    if (!view) return;
    drop();
    made = null;
    view.webContents.close();
  }

  function drop(): void {
    if (lying) remove(lying);
    lying = null;
  }

  return {
    cover: async (picture) => {
      const mine = (generation += 1);
      const beganAtMs = performance.now();
      const late = new Promise<boolean>((resolve) =>
        setTimeout(() => resolve(false), maxCoverMs),
      );
      const isCovered = await Promise.race([
        lay(picture, mine).catch(() => false),
        late,
      ]);
      if (isCovered) coverMs = performance.now() - beganAtMs;
      if (!isCovered && mine === generation) giveUp();
      return isCovered;
    },
    lift: () => {
      const view = lying;
      if (!view) return;
      const mine = generation;
      view.webContents
        .executeJavaScript("lift()")
        .catch(() => undefined)
        .finally(() => {
          if (mine === generation) drop();
        });
    },
    coverMs: () => coverMs,
    view: () => lying,
    stop: () => {
      drop();
      made?.then(
        ({ webContents }) => webContents.close(),
        () => undefined,
      );
    },
  };
}

/** Transparent until there is a picture; whoever asked their system for less motion gets none. */
const page = `<!doctype html><meta charset="utf-8">
<style>
* { margin: 0; cursor: none }
html, body { height: 100%; overflow: hidden; background: transparent }
img { display: block; width: 100vw; height: 100vh; opacity: 0 }
</style><img alt=""><script>
const picture = document.querySelector("img");
let fade = null;
const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
async function lay(source) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return false;
  fade?.cancel();
  picture.src = source;
  await picture.decode();
  picture.style.opacity = 1;
  await frames();
  return true;
}
async function lift() {
  fade = picture.animate([{ opacity: 1 }, { opacity: 0 }], { duration: ${crossFadeMs}, easing: "ease-in-out", fill: "forwards" });
  await fade.finished;
  picture.style.opacity = 0;
  fade.cancel();
  picture.removeAttribute("src");
  await frames();
}
</script>`;
