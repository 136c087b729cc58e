// A view without any bridge, for one load of a page: invisible until the page has answered successfully and has something to
// show.

import { randomBytes } from "node:crypto";
import type {
  NativeImage,
  Rectangle,
  WebContents,
  WebContentsView,
  WebFrameMain,
} from "electron";
import { Failure, type Orientation } from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import type { WebFrames } from "./standby-frame.ts";
import type { WebFrame } from "./web-frame.ts";
import { closeContents } from "../chromium/close-contents.ts";
import { onNetworkLost } from "../chromium/network-watchdog.ts";
import { isEndedByGuard } from "./flood-guard.ts";
import { watchPage } from "./page-watch.ts";
import { captureView } from "../screenshots/view-screenshot.ts";
import { feelPulse, isBlank } from "./web-health.ts";
import { agentOf, type Headers } from "./request-headers.ts";
import {
  limitStorage,
  originOf,
  partitionOf,
  setRequestOptions,
  webSession,
  type SessionOptions,
} from "./web-session.ts";
import type { WebOptions } from "../../server/contract/page-context.ts";

// No pointer on the screen, whatever a page requests.

const hiddenCursor = "*, *::before, *::after { cursor: none !important }";

// As a sheet made by script it needs no permission from the page's content policy; in a layer, its !important outweighs the
// page's own sheets.
const hidingCode = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@layer { ${hiddenCursor} }");
  document.adoptedStyleSheets.push(sheet);
}`;

/** In every frame of these contents, on every page they navigate to. */
function hideCursor(contents: WebContents): void {
  // The main frame may have existed before: a standby frame, or one with a frame around it.
  contents.on("dom-ready", () => {
    // As the user's own sheet it outweighs every style of the page, and applies in shadow trees.
    contents
      .insertCSS(hiddenCursor, { cssOrigin: "user" })
      .catch(() => undefined);
  });
  // Electron has that for the main frame only.
  contents.on("frame-created", (_event, { frame }) => {
    if (frame?.parent) frame.on("dom-ready", () => hideIn(frame));
  });
}

function hideIn(frame: WebFrameMain): void {
  // A frame that is gone meanwhile has no pointer to hide.
  frame.executeJavaScript(hidingCode).catch(() => undefined);
}

export interface WebView {
  readonly view: WebContentsView;
  /** Resolves when the page has been painted; rejects with a Failure, and the view is then unusable. */
  readonly ready: Promise<void>;
  /** The page was lost after it was ready: it crashed, hung, closed itself, or navigated to an address that does not respond. */
  onLost(listener: (reason: string) => void): void;
  /** It starts muted: a page that is not visible must not be heard. */
  mute(isMuted: boolean): void;
  /** Screenshot of what is visible of it, or of a part. */
  capture(part?: Rectangle): Promise<NativeImage>;
  /** Of the page; null until they exist. */
  contents(): WebContents | null;
  /** Of a still of the page, which is for one size and orientation of the screen alone. */
  readonly copy?: {
    /** Taken for another size or orientation. */
    readonly isForOther: boolean;
    /** Why it is older than it should be. */
    readonly problem: string | null;
    /** While a newer one is being taken: null once there is one, else why there is none. */
    readonly next: Promise<string | null> | null;
  };
  close(): void;
}

export interface WebViewOptions {
  readonly url: string;
  readonly session: SessionOptions;
  readonly web: WebOptions;
  readonly customHeaders: Headers;
  /** Run in addition to the asset's own script. */
  readonly appScript: string | null;
  /** What the page has to signal, in its own world, before it may be shown; and the error sentence when it does not. */
  readonly signal: { readonly code: string; readonly sentence: string } | null;
  readonly orientation: Orientation;
  readonly bounds: Rectangle;
  readonly frames: WebFrames;
  readonly log: Log;
}

const deadlineMs = 30_000;
/** A page that streams never finishes loading; this long after its first bytes it is taken as it is. */
const streamingTimeoutMs = 8000;
/** Pages that draw by script start out blank; one that is still blank after this long stays blank. */
const blankMs = 5000;
const blankCheckMs = 250;
/** An app that has not signalled by then will not. */
const signalMs = 10_000;
/** Time limit for a service worker to answer for a page: two missed showings do not quarantine an asset yet. */
const maxWorkerMs = 6000;
/** A hung one may take long to end. */
const maxClearingMs = 1000;

export function openWebView(options: WebViewOptions): WebView {
  const { bounds, orientation, web, signal } = options;
  const pageSession = webSession(options.session);
  const { zoomPercent } = options.session;
  const frame = options.frames.open({
    ...{ partition: partitionOf(options.session), zoomPercent },
    ...{ orientation, bounds },
  });
  let page: WebContents | null = null;
  let lost = (_reason: string): void => undefined;
  let onLost: ((reason: string) => void) | null = null;
  let isClosed = false;
  let isReady = false;
  const closings: (() => void)[] = [];
  const origin = originOf(options.url) ?? "";
  /** Why a frame of the page failed last. */
  let frameError: string | null = null;
  /** Until the first bytes of its document arrive, or its workers turn out to be the cause. */
  let waiting: NodeJS.Timeout | undefined;

  const ready = new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(
      () => lost(`The page did not load within ${deadlineMs / 1000} seconds.`),
      deadlineMs,
    );
    closings.push(() => clearTimeout(deadline));
    lost = (reason) => {
      if (isClosed) return;
      clearTimeout(deadline);
      if (isReady) onLost?.(reason);
      else reject(new Failure("unavailable", reason));
    };
    frame.contents.then(
      (contents) => {
        if (isClosed) return;
        page = contents;
        contents.setAudioMuted(true);
        const { wasEmpty } = frame;
        const seen = whenSeen(contents, { wasEmpty }, async (isStill) => {
          const isSignalled =
            !signal || (await comesTrue(contents, signal.code));
          if (!isSignalled && isStill()) return lost(signal.sentence);
          // What it painted before the signal is not on the screen yet.
          if (signal) await contents.mainFrame.executeJavaScript(painted);
          if (isStill() && (await staysBlank(contents, isStill)))
            return lost(blankSentence());
          if (!isStill() || isReady) return;
          clearTimeout(deadline);
          isReady = true;
          closings.push(feelPulse(contents, hung));
          resolve();
        });
        closings.push(seen);
        closings.push(
          watchPage(contents, {
            isReady: () => isReady,
            onMeasured: () => limitStorage(options.log),
            onExcess: (reason) => lost(reason),
            onError: (error) =>
              options.log.error("app.internal-error", { error }),
          }),
        );
        listen(contents);
        closings.push(
          onNetworkLost(() => {
            if (isReady || isClosed) return;
            // Requests to the previous process are never answered (V2-663).
            webSession(options.session);
            load(contents);
          }),
        );
        open(contents).catch(() => lost("The page could not be opened."));
      },
      () => lost("The page could not be opened."),
    );
  });

  function listen(contents: WebContents): void {
    contents.on("did-navigate", (_event, _url, status) => {
      clearTimeout(waiting);
      if (status >= 400)
        lost(`The page's server responded with status ${status}.`);
    });
    contents.on(
      "did-fail-load",
      (_event, code, description, _url, isMainFrame) => {
        if (code === aborted) return;
        if (!isMainFrame) {
          frameError = description;
          return;
        }
        clearTimeout(waiting);
        lost(sentenceOf(description));
      },
    );
    contents.on("render-process-gone", () =>
      lost(
        isEndedByGuard(contents.id)
          ? "The page kept the player from responding."
          : "The page crashed.",
      ),
    );
    contents.on("destroyed", () => lost("The page closed itself."));
    const onDownload = (_event: unknown, _item: unknown, by: unknown) => {
      if (by === contents) lost("The address is a download, not a page.");
    };
    pageSession.on("will-download", onDownload);
    closings.push(() => pageSession.off("will-download", onDownload));
    hideCursor(contents);
    for (const code of [options.appScript, web.script])
      if (code !== null) runScript(contents, code);
    const zoom = (): void => contents.setZoomFactor(zoomPercent / 100);
    contents.on("did-navigate", zoom);
    contents.on("did-navigate-in-page", zoom);
  }

  async function open(contents: WebContents): Promise<void> {
    const agent = agentOf(web, contents.session.getUserAgent());
    contents.setUserAgent(agent);
    closings.push(
      setRequestOptions(contents.id, {
        pageOrigin: origin,
        customHeaders: options.customHeaders,
        agent,
      }),
    );
    // Bypassing every cache includes what a page stores itself.
    if (options.session.noCache)
      await pageSession.clearStorageData({
        storages: ["serviceworkers", "cachestorage"],
      });
    if (!isClosed) load(contents);
  }

  /** Failures are reported by the events above. */
  function load(contents: WebContents, isWithoutWorkers = false): void {
    clearTimeout(waiting);
    if (!isWithoutWorkers)
      waiting = setTimeout(() => {
        loadWithoutWorkers(contents).catch((error: unknown) =>
          options.log.error("app.internal-error", { error }),
        );
      }, maxWorkerMs);
    contents.loadURL(options.url).catch(() => undefined);
  }

  /** A service worker that never answers would block its pages indefinitely (V2-666). */
  async function loadWithoutWorkers(contents: WebContents): Promise<void> {
    const running = Object.values(pageSession.serviceWorkers.getAllRunning());
    if (!running.some(({ scope }) => originOf(scope) === origin)) return;
    options.log.warn("page.workers-dropped", { origin });
    await Promise.race([
      pageSession.clearStorageData({
        ...{ origin, storages: ["serviceworkers"] },
      }),
      pause(maxClearingMs),
    ]);
    if (!isClosed) load(contents, true);
  }

  function blankSentence(): string {
    return frameError === null
      ? "The page stayed blank."
      : `The page shows only a frame that could not be loaded (${frameError}).`;
  }

  function hung(): void {
    lost("The page stopped responding.");
  }

  async function staysBlank(
    contents: WebContents,
    isStill: () => boolean,
  ): Promise<boolean> {
    const from = performance.now();
    while (isStill() && !isReady && (await isBlank(contents))) {
      if (performance.now() - from > blankMs) return true;
      await pause(blankCheckMs);
    }
    return false;
  }

  return {
    view: frame.view,
    ready,
    onLost: (listener) => (onLost = listener),
    mute: (isMuted) => page?.setAudioMuted(isMuted),
    capture: (part) => captureView(frame.view.webContents, part),
    contents: () => page,
    close: () => {
      isClosed = true;
      clearTimeout(waiting);
      for (const act of closings) act();
      // Not freed with its view.
      for (const contents of [page, frame.view.webContents])
        if (contents) closeContents(contents);
    },
  };
}

/** Whether a promise of the page resolves in time. */
async function comesTrue(
  contents: WebContents,
  code: string,
): Promise<boolean> {
  const executed = contents.mainFrame.executeJavaScript(code).then(() => true);
  return Promise.race([executed, pause(signalMs).then(() => false)]);
}

/** Calls back when a document has been loaded, or keeps streaming, and has been painted; the returned function cancels it. */
function whenSeen(
  contents: WebContents,
  { wasEmpty }: Pick<WebFrame, "wasEmpty">,
  act: (isStill: () => boolean) => Promise<void>,
): () => void {
  let generation = 0;
  let streamingTimer: NodeJS.Timeout | undefined;
  const checkPainted = (): void => {
    clearTimeout(streamingTimer);
    const mine = ++generation;
    const isStill = (): boolean =>
      mine === generation && !contents.isDestroyed();
    // Evaluated in the frame: the contents themselves answer only once loading has ended.
    contents.mainFrame
      .executeJavaScript(wasEmpty ? afterPaint : painted)
      .then(() => (isStill() ? act(isStill) : undefined))
      // The page navigated to another one, which will be painted in turn.
      .catch(() => undefined);
  };
  contents.on("did-finish-load", checkPainted);
  contents.on("did-navigate", () => {
    generation += 1;
    clearTimeout(streamingTimer);
    streamingTimer = setTimeout(checkPainted, streamingTimeoutMs);
  });
  return () => {
    generation += 1;
    clearTimeout(streamingTimer);
  };
}

/** The second animation frame follows the paint of the first. */
const painted =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

/** Paints inside the page's own frames are not reported here; this is the longest wait for them. */
const maxPaintMs = 500;

/** Until its first paint has reached the screen, an empty document would be visible in its place. */
const afterPaint = `${painted}.then(() => new Promise((done) => {
  setTimeout(() => done(true), ${maxPaintMs});
  new PerformanceObserver(() => done(true)).observe({ type: "paint", buffered: true });
}))`;

const aborted = -3;

function sentenceOf(description: string): string {
  if (description === "ERR_NAME_NOT_RESOLVED")
    return "The page's host name cannot be resolved.";
  if (description.startsWith("ERR_CERT_"))
    return "The page's certificate is not trusted.";
  if (
    /^ERR_(CONNECTION_|ADDRESS_|INTERNET_|TIMED_OUT|NETWORK_)/.test(description)
  )
    return "The page's server could not be reached.";
  return `The page could not be loaded (${description}).`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// Runs a script of the asset in the page's own world, at every document it navigates to.

/** Its errors do not reach the page (V2-174). */
function runScript(contents: WebContents, code: string): void {
  const guarded = onceForADocument(code);
  contents.on("dom-ready", () => {
    contents.mainFrame.executeJavaScript(guarded).catch(() => undefined);
  });
}

/** Once per document, however often it is called; a page's policy against eval does not apply to it. */
function onceForADocument(code: string): string {
  const mark = JSON.stringify(`_${randomBytes(8).toString("hex")}`);
  return `if (!Object.hasOwn(document, ${mark})) {
Object.defineProperty(document, ${mark}, { value: true });
${code}
}`;
}
