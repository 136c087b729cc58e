// Shows a still of a page in its place.

import { WebContentsView } from "electron";
import type { Orientation } from "../../../server/contract/ipc/ipc.ts";
import { closeContents } from "../../chromium/close-contents.ts";
import { captureView } from "../../screenshots/view-screenshot.ts";
import type { ChosenStill, StillOptions } from "./still-cache.ts";
import type { WebView } from "../web-view.ts";

export function openStill(
  { still, isForOther, problem, next }: ChosenStill,
  { orientation, bounds }: Pick<StillOptions, "orientation" | "bounds">,
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
      `data:text/html;charset=utf-8,${encodeURIComponent(stillPage(orientation, isForOther))}`,
    );
    await contents.executeJavaScript(`(async () => {
      const image = document.querySelector("img");
      image.src = ${JSON.stringify(still.dataUrl)};
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
    copy: { isForOther, problem, next },
    close: () => closeContents(contents),
  };
}

function stillPage(orientation: Orientation, isForOther: boolean): string {
  const isAcross = orientation === 90 || orientation === 270;
  return `<!doctype html><meta charset="utf-8">
<style>
* { margin: 0; cursor: none }
html, body { height: 100%; overflow: hidden; background: #000 }
img {
  position: absolute; left: 50%; top: 50%;
  width: ${isAcross ? "100vh" : "100vw"}; height: ${isAcross ? "100vw" : "100vh"};
  object-fit: ${isForOther ? "contain" : "fill"};
  transform: translate(-50%, -50%) rotate(${orientation}deg);
}
</style><img alt="">`;
}
