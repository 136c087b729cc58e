// A view without any bridge, for one showing of a web asset: loaded out of sight, never shown unless it answered well.

import {
  WebContentsView,
  session,
  type Rectangle,
  type Session,
} from "electron";
import { Failure } from "../server/contract/ipc.ts";
import { hideCursor } from "./cursor.ts";
import { refuseModals } from "./modals.ts";

export interface WebView {
  readonly view: WebContentsView;
  /** Resolves when the page has been painted; rejects with a Failure, and the view is then of no use. */
  readonly ready: Promise<void>;
  /** The page was lost after it was ready: it crashed, closed itself, or went where nothing answers. */
  onLost(listener: (reason: string) => void): void;
  close(): void;
}

const deadlineMs = 30_000;
/** A page that streams for ever never finishes loading; so long after its first bytes it is taken as it is. */
const settleMs = 8000;

const webSessions = new WeakSet<Session>();

export function isWebSession(candidate: Session): boolean {
  return webSessions.has(candidate);
}

/** In memory only: nothing a page leaves behind outlives the player's run. */
function webSession(noCache: boolean): Session {
  const own = noCache
    ? session.fromPartition("web-fresh", { cache: false })
    : session.fromPartition("web");
  if (!webSessions.has(own)) {
    webSessions.add(own);
    refuseModals(own);
  }
  return own;
}

export function openWebView(
  url: string,
  noCache: boolean,
  bounds: Rectangle,
): WebView {
  const ownSession = webSession(noCache);
  const view = new WebContentsView({
    webPreferences: {
      session: ownSession,
      sandbox: true,
      contextIsolation: true,
      backgroundThrottling: false,
      disableDialogs: true,
      disableHtmlFullscreenWindowResize: true,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    },
  });
  const contents = view.webContents;
  // What a browser gives a page that sets none; before loading, so that no other colour is ever painted.
  view.setBackgroundColor("#ffffff");
  view.setBounds(bounds);

  let lost = (_reason: string): void => undefined;
  let onLost: ((reason: string) => void) | null = null;
  let isClosed = false;
  let settling: NodeJS.Timeout | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(
      () => lost(`The page did not load within ${deadlineMs / 1000} seconds.`),
      deadlineMs,
    );
    let isReady = false;
    lost = (reason) => {
      if (isClosed) return;
      clearTimeout(deadline);
      if (isReady) onLost?.(reason);
      else reject(new Failure("unavailable", reason));
    };
    const look = () => {
      clearTimeout(settling);
      framePainted().then(
        () => {
          clearTimeout(deadline);
          isReady = true;
          resolve();
        },
        // The page went on to another one, which will be painted in its turn.
        () => undefined,
      );
    };
    contents.on("did-finish-load", look);
    contents.on("did-navigate", () => {
      clearTimeout(settling);
      settling = setTimeout(look, settleMs);
    });
  });

  contents.on("did-navigate", (_event, _url, status) => {
    if (status >= 400) lost(`The page answered ${status}.`);
  });
  contents.on(
    "did-fail-load",
    (_event, code, description, _url, isMainFrame) => {
      if (isMainFrame && code !== aborted) lost(sentenceOf(description));
    },
  );
  contents.on("render-process-gone", () => lost("The page crashed."));
  contents.on("destroyed", () => lost("The page closed itself."));
  const onDownload = (_event: unknown, _item: unknown, by: unknown) => {
    if (by === contents) lost("The address is a download, not a page.");
  };
  ownSession.on("will-download", onDownload);
  hideCursor(contents);
  void open();

  async function open(): Promise<void> {
    // Past every cache means past what a page keeps for itself, too.
    if (noCache)
      await ownSession.clearStorageData({
        storages: ["serviceworkers", "cachestorage"],
      });
    // What fails is heard by the events above.
    if (!isClosed) await contents.loadURL(url).catch(() => undefined);
  }

  function framePainted(): Promise<unknown> {
    // Asked of the frame: the contents themselves answer only once loading has ended.
    return contents.mainFrame.executeJavaScript(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
    );
  }

  return {
    view,
    ready,
    onLost: (listener) => (onLost = listener),
    close: () => {
      isClosed = true;
      clearTimeout(settling);
      ownSession.off("will-download", onDownload);
      // Not freed with its view.
      if (!contents.isDestroyed()) contents.close();
    },
  };
}

const aborted = -3;

function sentenceOf(description: string): string {
  if (description === "ERR_NAME_NOT_RESOLVED")
    return "The page's host has no address.";
  if (description.startsWith("ERR_CERT_"))
    return "The page's certificate is not to be trusted.";
  if (
    /^ERR_(CONNECTION_|ADDRESS_|INTERNET_|TIMED_OUT|NETWORK_)/.test(description)
  )
    return "The page's server could not be reached.";
  return `The page could not be loaded (${description}).`;
}
