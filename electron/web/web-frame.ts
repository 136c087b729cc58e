// The view of a page; on a rotated display a frame around it, since a view cannot be rotated by itself.

import {
  WebContentsView,
  type Rectangle,
  type WebContents,
  type WebPreferences,
} from "electron";
import type { Orientation } from "../../server/contract/ipc/ipc.ts";

export interface WebFrame {
  readonly view: WebContentsView;
  /** The page's own contents; resolves when they exist. */
  readonly contents: Promise<WebContents>;
  /** An empty document has been in it before, and is visible until the page has been drawn. */
  readonly wasEmpty: boolean;
}

export interface WebFrameOptions {
  readonly partition: string;
  readonly zoomPercent: number;
  readonly orientation: Orientation;
  readonly bounds: Rectangle;
}

const frames = new WeakSet<WebContents>();

/** Whether these contents may embed another page; only our own frame may. */
export function isOrientationFrame(contents: WebContents): boolean {
  return frames.has(contents);
}

export function openWebFrame(options: WebFrameOptions): WebFrame {
  const { partition, bounds, orientation } = options;
  const page = pagePreferences(options.zoomPercent);
  const view = new WebContentsView({
    webPreferences:
      orientation === 0
        ? { ...page, partition }
        : { ...pagePreferences(100), partition: "turning", webviewTag: true },
  });
  // The default of browsers for a page that sets no colour; before loading, so that no other colour is ever painted.
  view.setBackgroundColor("#ffffff");
  view.setBounds(bounds);
  // Completely covered, the stage would receive no frames, and the next showing would appear late: a corner pixel stays open.
  view.setBorderRadius(1);
  if (orientation === 0)
    return {
      ...{ view, contents: Promise.resolve(view.webContents) },
      wasEmpty: false,
    };
  frames.add(view.webContents);
  const contents = guestOf(view.webContents, options, page);
  return { view, contents, wasEmpty: true };
}

/** No bridge, no Node, no dialogs. */
function pagePreferences(zoomPercent: number): WebPreferences {
  return {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    backgroundThrottling: false,
    disableDialogs: true,
    disableHtmlFullscreenWindowResize: true,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
    zoomFactor: zoomPercent / 100,
  };
}

function guestOf(
  frame: WebContents,
  { partition, orientation }: WebFrameOptions,
  page: WebPreferences,
): Promise<WebContents> {
  frame.on("will-attach-webview", (event, preferences, params) => {
    if (params.partition !== partition || params.src !== "about:blank")
      return event.preventDefault();
    delete preferences.preload;
    Object.assign(preferences, page);
  });
  return new Promise((resolve, reject) => {
    frame.once("did-attach-webview", (_event, guest) => {
      guest.once("dom-ready", () => resolve(laidOut(guest)));
    });
    frame.once("destroyed", () => reject(new Error("closed in the meantime")));
    frame
      .loadURL(
        `data:text/html;charset=utf-8,${encodeURIComponent(frameAround(partition, orientation))}`,
      )
      .catch(reject);
  });
}

/** A page loaded before its frame is laid out would start with a size of zero. */
async function laidOut(guest: WebContents): Promise<WebContents> {
  await guest.mainFrame.executeJavaScript(
    `new Promise((done) => {
      const look = () => innerWidth > 0 ? done() : setTimeout(look, 5);
      look();
    })`,
  );
  return guest;
}

function frameAround(partition: string, orientation: Orientation): string {
  const [width, height] =
    orientation === 180 ? ["100vw", "100vh"] : ["100vh", "100vw"];
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
* { margin: 0 }
html, body { height: 100%; overflow: hidden; background: #fff }
webview {
  display: flex; position: absolute; left: 50%; top: 50%; width: ${width}; height: ${height};
  transform: translate(-50%, -50%) rotate(${orientation}deg);
}
</style>
<webview partition="${attributeOf(partition)}" src="about:blank"></webview>`;
}

/** A host may contain more than letters. */
function attributeOf(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
