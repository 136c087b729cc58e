// Prepares web pages and apps for the screen: each with its request options, its session and its screen context.

import type { Rectangle, View } from "electron";
import {
  Failure,
  type Orientation,
  type ShowingContent,
  type AudioSettings,
} from "../../server/contract/ipc/ipc.ts";
import type {
  AppOnScreen,
  PageContext,
  WebOptions,
} from "../../server/contract/page-context.ts";
import type { Log } from "../../server/platform/log.ts";
import { addApp, appIdOf, signalCode } from "./edge-app-protocol.ts";
import { settingsScript } from "./app-runtime.ts";
import { createWebPage, type WebPage } from "./web-page.ts";
import { customHeaders } from "./request-headers.ts";
import { createWebFrames, type WebFrames } from "./standby-frame.ts";
import { entryCredentials } from "./entry-credentials.ts";
import { createStillCache, type StillOptions } from "./stills/still-cache.ts";
import { openStill } from "./stills/web-stills.ts";
import { openWebView, type WebView, type WebViewOptions } from "./web-view.ts";

export type PageContent = Extract<ShowingContent, { kind: "webpage" | "app" }>;

export function isPage(content: ShowingContent): content is PageContent {
  return content.kind === "webpage" || content.kind === "app";
}

/** Content that Chromium itself loads from the network while it is shown. */
export function isFromNetwork(content: ShowingContent): boolean {
  return isPage(content) || content.kind === "stream";
}

/** Content that needs neither a decoder nor anything from the network. */
export function isPlain({ kind }: ShowingContent): boolean {
  return kind === "image" || kind === "text" || kind === "card";
}

export interface WebPages {
  open(content: PageContent, place: PagePlace): WebPage;
  /** Playback is running: a page may be requested at any moment. */
  expect(bounds: Rectangle, isFading: boolean): void;
}

export interface PagePlace {
  readonly bounds: Rectangle;
  readonly orientation: Orientation;
  /** Where a view is painted but never seen. */
  readonly beneath: View;
}

export interface WebPagesOptions {
  /** Null when the player could not be opened. */
  readonly player: () => Promise<WebPlayer | null>;
  readonly log: Log;
}

/** What pages need of the player. */
export interface WebPlayer {
  pageContext(): PageContext;
  /** The screen context that pages were given has changed. */
  onPageContextChanged(listener: () => void): () => void;
  /** Null when there are no files of it. */
  appOf(assetId: string): Promise<AppOnScreen | null>;
}

/** A still of a page is valid for five minutes by default. */
const defaultStillSeconds = 300;

export function createWebPages({ player, log }: WebPagesOptions): WebPages {
  const stills = createStillCache();
  /** Open pages that were given the screen context. */
  const subscribedPages = new Set<WebPage>();
  let isListening = false;
  const frames = createWebFrames();

  async function openPage(
    content: PageContent & { kind: "webpage" },
    { bounds, orientation, beneath }: PagePlace,
    isAwaited: boolean,
  ): Promise<WebView> {
    const { url, web, noCache } = content;
    if (!/^https?:/i.test(url) || !URL.canParse(url))
      throw new Failure(
        "unsupported",
        "Only http and https pages can be shown.",
      );
    const pageContext = (await playerHere()).pageContext();
    const options = viewOptions({
      ...{ url, web, noCache, bounds, orientation, pageContext, frames, log },
    });
    if (web.isRenderedHere) return openWebView(options);
    // V2-178
    const seconds = web.screenshotCacheSeconds ?? defaultStillSeconds;
    const stillOptions: StillOptions = {
      key: JSON.stringify([url, web]),
      maxAgeMs: seconds * 1000,
      ...{ orientation, bounds },
      openPage: (at) => openWebView({ ...options, bounds: at, orientation: 0 }),
      hide: (page) => {
        beneath.addChildView(page.view, 0);
        return () => beneath.removeChildView(page.view);
      },
    };
    const still = await stills.stillFor(stillOptions, isAwaited);
    return openStill(still, stillOptions);
  }

  async function openApp(
    { url, web }: PageContent & { kind: "app" },
    { bounds, orientation }: PagePlace,
  ): Promise<WebView> {
    const id = appIdOf(url);
    const webPlayer = await playerHere();
    const app = id === null ? null : await webPlayer.appOf(id);
    if (id === null || !app)
      throw new Failure("unavailable", "This app's files are missing.");
    const pageContext = webPlayer.pageContext();
    const { entry } = app;
    const { authorization, settings } = entryCredentials(app.settings);
    const isLetIn = entry.kind === "remote" && authorization !== null;
    const options = viewOptions({
      web: isLetIn
        ? { ...web, headers: { ...web.headers, Authorization: authorization } }
        : web,
      ...{ bounds, orientation, pageContext, frames, log },
      ...{ appId: id, noCache: false },
      url: entry.kind === "remote" ? entry.url : url,
    });
    addApp(id, options.session, {
      app,
      pageContext: () => webPlayer.pageContext(),
    });
    return openWebView({
      ...options,
      appScript:
        entry.kind === "remote" && entry.script !== null
          ? settingsScript(settings, entry.script)
          : null,
      signal:
        app.waitsForSignal && entry.kind === "file"
          ? { code: signalCode, sentence: noSignal }
          : null,
    });
  }

  async function playerHere(): Promise<WebPlayer> {
    const webPlayer = await player();
    if (!webPlayer)
      throw new Failure("unavailable", "The player window is not open.");
    if (!isListening) {
      isListening = true;
      webPlayer.onPageContextChanged(() => {
        for (const page of subscribedPages) page.loadAgain();
      });
    }
    return webPlayer;
  }

  function openAny(content: PageContent, place: PagePlace): WebPage {
    const page = createWebPage({
      open: (bounds, orientation, isAwaited) => {
        const placement = { ...place, bounds, orientation };
        return content.kind === "app"
          ? openApp(content, placement)
          : openPage(content, placement, isAwaited);
      },
      ...{ bounds: place.bounds, orientation: place.orientation },
      isMuted: isSilent(content.audio),
      refreshSeconds: refreshSecondsOf(content.web),
      log,
    });
    if (content.kind !== "app" && !content.web.isMetadataSent) return page;
    const { close } = page;
    const webPage: WebPage = {
      ...page,
      close: () => {
        subscribedPages.delete(webPage);
        close();
      },
    };
    subscribedPages.add(webPage);
    return webPage;
  }

  return {
    open: openAny,
    expect: frames.prepareStandby,
  };
}

/** The volume of a page cannot be lowered: it is audible or muted. */
export function isSilent({ isMuted, volume }: AudioSettings): boolean {
  return isMuted || volume === 0;
}

const noSignal =
  "The app did not signal that it is ready: it must call screenly.signalReadyForRendering().";

interface ViewParts {
  readonly url: string;
  readonly web: WebOptions;
  readonly noCache: boolean;
  readonly appId?: string;
  readonly bounds: Rectangle;
  readonly orientation: Orientation;
  readonly pageContext: PageContext;
  readonly frames: WebFrames;
  readonly log: Log;
}

function viewOptions(parts: ViewParts): WebViewOptions {
  const { url, web, noCache, appId, bounds, orientation, pageContext } = parts;
  const { frames, log } = parts;
  const uncheckedHost = pageContext.isAnyCertificateTaken
    ? "*"
    : web.isCertificateSkipped && url.startsWith("https:")
      ? new URL(url).hostname
      : null;
  return {
    ...{ url, web, bounds, orientation, frames, log },
    session: {
      ...{ noCache, uncheckedHost, ...(appId !== undefined && { appId }) },
      zoomPercent: web.zoomPercent ?? 100,
    },
    customHeaders: customHeaders(web, pageContext.screen),
    ...{ appScript: null, signal: null },
  };
}

/** At most once a second, so that the page can finish loading; a still of a page is refreshed when its cache age ends. */
function refreshSecondsOf(web: WebOptions): number | null {
  const seconds = web.isRenderedHere
    ? web.refreshSeconds
    : (web.refreshSeconds ?? web.screenshotCacheSeconds ?? defaultStillSeconds);
  return seconds === null || seconds <= 0 ? null : Math.max(1, seconds);
}
