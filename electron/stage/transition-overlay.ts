// Transition overlay: a still of the screen over everything that fades out, for transitions between views, since views cannot
// fade.

import { WebContentsView, type NativeImage, type Rectangle } from "electron";
import { crossFadeMs } from "../../server/contract/ipc/ipc.ts";
import { closeContents } from "../chromium/close-contents.ts";

export interface TransitionOverlay {
  /** Covers everything once it resolves; false when no still was available in time, and the transition is a cut. */
  cover(capture: () => Promise<NativeImage>): Promise<boolean>;
  /** Fades out and is removed; at once, if its page does not finish that in time (V2-704). */
  lift(): void;
  /** How long covering took the last time. */
  coverMs(): number;
  view(): WebContentsView | null;
  stop(): void;
}

export interface TransitionOverlayOptions {
  readonly bounds: () => Rectangle;
  readonly add: (view: WebContentsView) => void;
  readonly remove: (view: WebContentsView) => void;
}

/** The next showing waits no longer than this for a still of the previous one. */
const maxCoverMs = 600;
/** Used until it has covered once. */
const defaultCoverMs = 200;
const quality = 92;
/** A busy machine finishes a fade late; a page that hangs never does, and would leave the previous showing on the screen. */
const maxLiftMs = crossFadeMs + 1500;

export function createTransitionOverlay({
  bounds,
  add,
  remove,
}: TransitionOverlayOptions): TransitionOverlay {
  let overlay: Promise<WebContentsView> | null = null;
  let lying: WebContentsView | null = null;
  /** Numbers the requests; the result of a cancelled one is ignored. */
  let generation = 0;
  let coverMs = defaultCoverMs;

  function make(): Promise<WebContentsView> {
    const view = new WebContentsView({
      webPreferences: {
        ...{
          partition: "transition-overlay",
          sandbox: true,
          contextIsolation: true,
        },
        ...{ backgroundThrottling: false, devTools: false },
      },
    });
    view.setBackgroundColor("#00000000");
    // As for a page's view: a completely covered view below would receive no frames.
    view.setBorderRadius(1);
    const loaded = view.webContents
      .loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`)
      .then(() => view);
    view.webContents.on("render-process-gone", () => {
      if (lying === view) drop();
      if (overlay === loaded) overlay = null;
    });
    return loaded;
  }

  async function lay(
    capture: () => Promise<NativeImage>,
    mine: number,
  ): Promise<boolean> {
    const [view, image] = await Promise.all([(overlay ??= make()), capture()]);
    // The caller has continued without it: laid now, it would never be lifted.
    if (mine !== generation || image.isEmpty()) return false;
    view.setBounds(bounds());
    const data = `data:image/jpeg;base64,${image.toJPEG(quality).toString("base64")}`;
    drop();
    // Painted before it is the topmost: an invisible view does not paint.
    lying = view;
    add(view);
    const isFading = (await view.webContents.executeJavaScript(
      `lay(${JSON.stringify(data)})`,
    )) as boolean;
    if (!isFading && mine === generation) drop();
    return isFading;
  }

  /** A view that is shown again starts with its last contents, which would be this still: it is replaced by a new view. */
  function giveUp(): void {
    generation += 1;
    const view = lying;
    if (!view) return;
    drop();
    overlay = null;
    closeContents(view.webContents);
  }

  function drop(): void {
    if (lying) remove(lying);
    lying = null;
  }

  return {
    cover: async (capture) => {
      const mine = (generation += 1);
      const beganAtMs = performance.now();
      const late = new Promise<boolean>((resolve) =>
        setTimeout(() => resolve(false), maxCoverMs),
      );
      const isCovered = await Promise.race([
        lay(capture, mine).catch(() => false),
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
      const late = setTimeout(() => {
        if (mine === generation) giveUp();
      }, maxLiftMs);
      view.webContents
        .executeJavaScript("lift()")
        .catch(() => undefined)
        .finally(() => {
          clearTimeout(late);
          if (mine === generation) drop();
        });
    },
    coverMs: () => coverMs,
    view: () => lying,
    stop: () => {
      drop();
      overlay?.then(
        ({ webContents }) => webContents.close(),
        () => undefined,
      );
    },
  };
}

/** Transparent until there is a still; no motion where the system setting asks for reduced motion. */
const page = `<!doctype html><meta charset="utf-8">
<style>
* { margin: 0; cursor: none }
html, body { height: 100%; overflow: hidden; background: transparent }
img { display: block; width: 100vw; height: 100vh; opacity: 0 }
</style><img alt=""><script>
const image = document.querySelector("img");
let fade = null;
const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
async function lay(source) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return false;
  fade?.cancel();
  image.src = source;
  await image.decode();
  image.style.opacity = 1;
  await frames();
  return true;
}
async function lift() {
  fade = image.animate([{ opacity: 1 }, { opacity: 0 }], { duration: ${crossFadeMs}, easing: "ease-in-out", fill: "forwards" });
  await fade.finished;
  image.style.opacity = 0;
  fade.cancel();
  image.removeAttribute("src");
  await frames();
}
</script>`;
