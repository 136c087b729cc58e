// The fullscreen playback window: a black ground with the stage's page and web views on it; passes each showing to the view it
// needs.

import {
  app,
  BaseWindow,
  type NativeImage,
  type Point,
  type Rectangle,
  type WebContents,
  type WebContentsView,
} from "electron";
import { playerSentences } from "../../server/contract/sentences/player-sentences.ts";
import {
  Failure,
  audioOf,
  selfEndLeadMs,
  type Orientation,
  type Showing,
  type ShowingContent,
  type AudioSettings,
} from "../../server/contract/ipc/ipc.ts";
import { systemClock } from "../../server/platform/clock.ts";
import type { Log } from "../../server/platform/log.ts";
import type {
  Disturbance,
  GraphicsBlamed,
  ScreenVerdict,
  PlayerOptions,
  StageLoss,
} from "../../server/player/player.ts";
import type { Config } from "../config.ts";
import {
  onDisplaysChanged,
  placeOfWindow,
  withHome,
  windowBounds,
} from "./display.ts";
import {
  createScreenVerification,
  onScreen,
  ownGrid,
  rests,
  verdictLog,
  type VerificationSubject,
} from "../stage/screen-verification.ts";
import {
  gridLines,
  isOneColour,
  isPlain as isPlainImage,
  type PixelImage,
} from "../screenshots/compare-screenshots.ts";
import {
  areDescriptorsFew,
  onFewDescriptors,
} from "../chromium/descriptors.ts";
import { watchAudio } from "../chromium/audio-watchdog.ts";
import {
  firstGraphicsBlame,
  stepGraphicsBlame,
  type GraphicsBlameEvent,
  type GraphicsSuspect,
} from "../chromium/graphics-blame.ts";
import { watchGraphics } from "../chromium/graphics-watchdog.ts";
import { watchLaunchers } from "../chromium/launcher-watchdog.ts";
import { createHold } from "./keep-on-top.ts";
import { createImageCacheCleanup } from "../stage/image-cache-cleanup.ts";
import { watchNetwork } from "../chromium/network-watchdog.ts";
import { keepAwake } from "./power-block.ts";
import { endWithSession, type SessionEnd } from "../lifecycle/session-end.ts";
import { createStageView } from "../stage/stage-view.ts";
import { watchSurface } from "./surface-recovery.ts";
import type { SurfaceCause, SurfaceState } from "./surface-recovery-policy.ts";
import { createTransitionOverlay } from "../stage/transition-overlay.ts";
import { shareScreenshots } from "../screenshots/shared-screenshots.ts";
import { drawnPixels, captureView } from "../screenshots/view-screenshot.ts";
import { isFoundBlank } from "../web/web-health.ts";
import type { WebPage } from "../web/web-page.ts";
import {
  isFromNetwork,
  isPage,
  isPlain,
  isSilent,
  type WebPages,
} from "../web/web-pages.ts";
import { blackenGround } from "../x11/x11-window-background.ts";
import { createX11LastFrame } from "../x11/x11-last-frame.ts";
import { createX11Eye } from "../x11/x11-screen-reader.ts";
import { createGraphicsGap, type LostProcess } from "./graphics-gap.ts";

export interface PlaybackWindow {
  readonly stage: PlayerOptions["stage"];
  /** Screenshot of what a person sees, as PNG. */
  takeScreenshot(): Promise<Uint8Array>;
  /** The same as pixels, unencoded. */
  capture(): Promise<NativeImage>;
  /** Orientation of the display: everything is rotated clockwise by this angle. */
  setOrientation(orientation: Orientation): void;
  /** Unattended: it stays on top, open and awake. */
  hold(isHeld: boolean): void;
  /** Lays a view over everything in the window; null removes it. */
  cover(view: WebContentsView | null): void;
  /** Lays a view over the showing, beneath what covers the window; null removes it. Nothing is verified meanwhile. */
  overlay(view: WebContentsView | null): void;
  displayId(): number;
  /** Moves to another display; one that is not connected changes nothing. */
  moveTo(displayId: number): void;
  /** e.g. `fullscreen 1920x1080` */
  description(): string;
  /** A showing is on the screen, and what draws it is running. */
  isShowing(): boolean;
  /** Resolves when the first showing is visible. */
  readonly firstShowing: Promise<void>;
  onClosed(listener: () => void): void;
  /** Only Windows notifies its windows of the end of a session. */
  endWithSession(end: SessionEnd): void;
  stop(): void;
}

export interface PlaybackWindowOptions {
  readonly config: Config;
  readonly preload: string;
  readonly pages: WebPages;
  /** Until `setOrientation` is called. */
  readonly orientation?: Orientation;
  /** With the manager only, nothing is shown: the window stays hidden. */
  readonly isAway?: boolean;
  /** After consecutive crashes only undemanding content is shown: images, texts and the idle screen (V2-257). */
  readonly isCareful?: boolean;
  /** No stage starts any more: only a restart of the whole app helps (V2-461). */
  readonly onUnrecoverable: () => void;
  /** Software rendering is already in use. */
  readonly isSoft: boolean;
  /** The GPU process keeps ending: switches to software rendering (V2-463). */
  readonly soften: (reason: string) => void;
  readonly log: Log;
}

/** A showing that is prepared or on the screen; with a view of its own when it is a page. */
interface LoadedShowing {
  readonly showingId: string;
  readonly assetId: string | null;
  readonly content: ShowingContent;
  readonly page: WebPage | null;
  readonly isFaded: boolean;
  /** Why it can no longer be shown, though it was ready. */
  lost?: string;
  shownAtMs?: number;
  /** How long before its own end the transition to the next showing begins. */
  leadMs: number;
}

export function createPlaybackWindow({
  config,
  preload,
  pages,
  orientation: initialOrientation = 0,
  isCareful = false,
  isAway = false,
  onUnrecoverable,
  isSoft,
  soften,
  log,
}: PlaybackWindowOptions): PlaybackWindow {
  let ended = (_showingId: string): void => undefined;
  let failed = (_showingId: string, _reason: string): void => undefined;
  let refreshed = (_showingId: string, _problem: string | null): void =>
    undefined;
  let restarted = (_loss: StageLoss): void => undefined;
  let disturbed = (_what: Exclude<Disturbance, "stage-silent">): void =>
    undefined;
  let graphicsBlamed = (_blame: GraphicsBlamed): void => undefined;
  let judged = (_verdict: ScreenVerdict): void => undefined;
  let graphicsBlame = firstGraphicsBlame(performance.now());
  /** The last showing of each page, the newest last. */
  const shownPages = new Map<string, Omit<GraphicsBlamed, "isProven">>();
  let firstShown = (): void => undefined;
  const firstShowing = new Promise<void>((resolve) => (firstShown = resolve));
  /** The showing that was last requested to be prepared. */
  let newest: string | null = null;
  let prepared: LoadedShowing | null = null;
  let visible: LoadedShowing | null = null;
  let orientation = initialOrientation;
  let over: WebContentsView | null = null;
  let overlaid: WebContentsView | null = null;

  let preference = withHome({ home: null, index: config.display });
  let place = placeOfWindow(config, preference);
  const isFullscreen = config.window === "fullscreen";
  const window = new BaseWindow({
    ...windowBounds(place),
    title: app.getName(),
    backgroundColor: "#000000",
    show: false,
    frame: false,
    hasShadow: false,
    roundedCorners: false,
    enableLargerThanScreen: true,
    autoHideMenuBar: true,
  });
  const showWindow = (): void => {
    if (window.isDestroyed() || isAway) return;
    window.show();
    // Called earlier, this would show the window. Where no window manager responds, the bounds alone have to do.
    if (isFullscreen) window.setFullScreen(true);
  };
  // A background that stays white for a moment is better than no window.
  blackenGround(window, config)
    .then(showWindow, showWindow)
    .catch((error: unknown) => log.error("app.internal-error", { error }));
  const ground = window.contentView;
  ground.setBackgroundColor("#000000");

  /** Until something else is to be shown, missing redraws are invisible. */
  const isStill = (): boolean => visible !== null && rests(visible.content);

  const stage = createStageView({
    preload,
    bounds: viewBounds,
    isStill,
    onView: (view, old) => {
      openCorners(view);
      // At the old view's index: beneath a page that is only prepared, it would reveal that page.
      const place = old ? ground.children.indexOf(old) : 0;
      ground.addChildView(view, Math.max(0, place));
      if (old) remove(old);
    },
    onEnded: (showingId) => ended(showingId),
    onFailed: (showingId, reason) => failed(showingId, reason),
    onLost: () => {
      if (prepared?.page) hideBeneath(prepared.page);
      if (!visible?.page) coverGap("stage");
      // Nothing of it is on the screen any more, which the supervisor must learn (V2-462).
      if (!visible?.page) visible = null;
    },
    onRestarted: (loss) => restarted(loss),
    onUnrecoverable,
    log,
  });

  const imageCacheCleanup = createImageCacheCleanup({
    contents: () => stage.view().webContents,
    log,
  });

  const transitionOverlay = createTransitionOverlay({
    bounds: viewBounds,
    add: (view) => {
      ground.addChildView(view);
      raiseOverlays();
    },
    remove: (view) => ground.removeChildView(view),
  });

  async function prepare(showing: Showing): Promise<void> {
    giveUpPrepared();
    // Where they are few, the reserve is released for this showing.
    areDescriptorsFew();
    graphics.due();
    const { content } = showing;
    if (isFromNetwork(content)) network.due();
    if (isAudible(content)) audio.due();
    const isFaded = showing.transition === "cross-fade";
    if (isCareful && !isPlain(content))
      throw new Failure("unavailable", "Safe mode shows images only.");
    newest = showing.id;
    // The cleanup must not stall a fade that is under way.
    if (!visible?.isFaded) await imageCacheCleanup.comeFirst();
    if (newest !== showing.id)
      throw new Failure("conflict", "It was replaced by another showing.");
    if (!isPage(content)) {
      const own: LoadedShowing = {
        showingId: showing.id,
        assetId: showing.assetId,
        content,
        page: null,
        isFaded,
        leadMs: 0,
      };
      prepared = own;
      servicesChanged();
      await stage.prepare(showing);
      return leadTo(own);
    }
    const place = { bounds: viewBounds(), orientation, beneath: ground };
    const page = pages.open(content, place);
    const mine: LoadedShowing = {
      ...{ showingId: showing.id, assetId: showing.assetId, content, page },
      ...{ isFaded, leadMs: 0 },
    };
    prepared = mine;
    noteShown(mine);
    servicesChanged();
    page.onLost((reason) => pageLost(mine, reason));
    page.onRefreshed((problem) => refreshed(mine.showingId, problem));
    // Beneath everything: it is painted there, but not seen.
    ground.addChildView(page.view, 0);
    if (stage.isGone()) hideBeneath(page);
    openCorners(stage.view());
    try {
      await page.ready;
    } catch (error) {
      if (prepared === mine) giveUpPrepared();
      throw error;
    }
    leadTo(mine);
  }

  /** A ping may have been answered before what is shown or prepared was known: no further one was planned then. */
  function servicesChanged(): void {
    network.changed();
    audio.changed();
  }

  /**
   * A clip that plays to its own end is left early enough for a fade to the next showing to end with it, and for audio to follow
   * without a gap.
   */
  function leadTo(next: LoadedShowing | null): void {
    if (!visible || visible.page || next !== prepared) return;
    const isFade = next?.isFaded === true;
    const coming = next && {
      content: next.content,
      transition: isFade ? ("cross-fade" as const) : ("cut" as const),
    };
    const coverMs = next?.page ? transitionOverlay.coverMs() : 0;
    const leadMs = selfEndLeadMs(visible, coming, coverMs);
    if (leadMs === visible.leadMs) return;
    visible.leadMs = leadMs;
    stage.lead(visible.showingId, leadMs, isFade);
  }

  async function show(showingId: string): Promise<void> {
    const next = prepared;
    const assertPrepared = (): LoadedShowing => {
      if (!next || prepared !== next || next.showingId !== showingId)
        throw new Failure("conflict", "This showing is not prepared.");
      if (next.lost !== undefined) throw new Failure("unavailable", next.lost);
      return next;
    };
    const { page: nextPage, isFaded } = assertPrepared();
    graphics.due();
    const contents = nextPage?.contents();
    if (contents && (await isFoundBlank(contents, judgedWithinMs)))
      throw new Failure("unavailable", "The page went blank again.");
    try {
      // Between showings of its own the stage fades by itself.
      if (isFaded && visible && (nextPage ?? visible.page))
        await transitionOverlay.cover(captureScreen);
      await swap(assertPrepared());
    } finally {
      transitionOverlay.lift();
    }
  }

  async function swap(next: LoadedShowing): Promise<void> {
    const isUncovered = !next.page && visible?.page != null;
    if (!next.page) await stage.show(next.showingId, isUncovered);
    prepared = prepared === next ? null : prepared;
    const before = visible;
    visible = next;
    next.shownAtMs = performance.now();
    gap.changed();
    check.changed();
    graphics.changed();
    stage.changed();
    servicesChanged();
    next.page?.view.setVisible(true);
    // Added again, a view comes to the top. The previous one stays beneath until this one is painted.
    ground.addChildView(next.page?.view ?? stage.view());
    const transition = transitionOverlay.view();
    if (transition) ground.addChildView(transition);
    raiseOverlays();
    if (next.page) {
      next.page.start();
      stage.rest(next.showingId);
    }
    // A video that started beneath the page would lose its first frames there.
    if (isUncovered) stage.start(next.showingId);
    if (before?.page) closeCovered(before, before.page);
    openCorners(stage.view());
    if (next.content.kind === "image")
      imageCacheCleanup.add(viewBounds(), place.display.scaleFactor);
    if (!isCareful) pages.expect(viewBounds(), next.isFaded);
    firstShown();
  }

  /**
   * A stage that is gone covers nothing: a page being prepared beneath it would be seen. It is requested again once there is a
   * stage.
   */
  function hideBeneath(page: WebPage): void {
    if (!visible?.page) page.view.setVisible(false);
  }

  function giveUpPrepared(): void {
    if (prepared) closePage(prepared);
    prepared = null;
    leadTo(null);
  }

  /** A completely covered view stops drawing after a frame or two: while a page may lie beneath, a corner pixel is left open. */
  function openCorners(view: WebContentsView): void {
    view.setBorderRadius(prepared?.page || visible?.page ? 1 : 0);
  }

  /** The stage beneath still holds the previous showing, which is better than a dead page. */
  function pageLost(loaded: LoadedShowing, reason: string): void {
    closePage(loaded);
    loaded.lost = reason;
    if (visible !== loaded) return;
    visible = null;
    log.warn("page.lost", { showing: loaded.showingId, reason });
    failed(loaded.showingId, reason);
  }

  function tune(showingId: string, audio: AudioSettings): void {
    if (visible?.showingId !== showingId) return;
    if (visible.page) visible.page.mute(isSilent(audio));
    else stage.tune(showingId, audio);
  }

  function setOrientation(next: Orientation): void {
    if (next === orientation) return;
    orientation = next;
    gap.changed();
    stage.setOrientation(orientation);
    log.info("window.rotated", { orientation });
    for (const loaded of [prepared, visible])
      loaded?.page?.setOrientation(orientation);
  }

  function cover(view: WebContentsView | null): void {
    if (over) ground.removeChildView(over);
    over = view;
    gap.changed();
    view?.setBounds(viewBounds());
    raiseOverlays();
  }

  function overlay(view: WebContentsView | null): void {
    if (overlaid) ground.removeChildView(overlaid);
    overlaid = view;
    gap.changed();
    view?.setBounds(viewBounds());
    raiseOverlays();
  }

  function raiseOverlays(): void {
    for (const above of [overlaid, over]) if (above) ground.addChildView(above);
  }

  function closePage(loaded: LoadedShowing): void {
    const { page } = loaded;
    // It was closed when it was lost.
    if (!page || loaded.lost !== undefined) return;
    ground.removeChildView(page.view);
    page.close();
    noteForBlame({ kind: "closed", page: pageName(loaded) });
  }

  function noteForBlame(event: GraphicsBlameEvent): void {
    const step = stepGraphicsBlame(graphicsBlame, event, performance.now());
    graphicsBlame = step.state;
  }

  /** What lies above it may not be drawn yet. Nothing waits for that: the time of the showing counts from the swap. */
  function closeCovered(loaded: LoadedShowing, page: WebPage): void {
    page.mute(true);
    setTimeout(() => {
      if (window.isDestroyed()) page.close();
      else closePage(loaded);
    }, oldViewStaysMs);
  }

  function noteShown(loaded: LoadedShowing): void {
    const { showingId, assetId } = loaded;
    noteForBlame({ kind: "opened", page: pageName(loaded) });
    shownPages.delete(pageName(loaded));
    shownPages.set(pageName(loaded), { showingId, assetId });
    const [oldest] = shownPages.keys();
    if (shownPages.size > maxShownPages && oldest !== undefined)
      shownPages.delete(oldest);
  }

  function coverGap(lost: LostProcess): void {
    gap
      .lost(lost, visible?.showingId)
      .catch((error: unknown) => log.error("app.internal-error", { error }));
  }

  function graphicsLost(workedMs: number): void {
    disturbed("graphics-lost");
    coverGap("graphics");
    const open = [visible, prepared].flatMap((loaded) =>
      loaded?.page && loaded.lost === undefined ? [pageName(loaded)] : [],
    );
    const { state, suspect } = stepGraphicsBlame(
      graphicsBlame,
      { kind: "lost", open, sinceMs: workedMs },
      performance.now(),
    );
    graphicsBlame = state;
    if (suspect) blameForGraphics(suspect);
  }

  /** Closed at once: as long as it is drawn, nothing else is. */
  function blameForGraphics({ page, isProven }: GraphicsSuspect): void {
    const last = shownPages.get(page);
    if (!last) return;
    for (const loaded of [prepared, visible]) {
      if (!loaded?.page || pageName(loaded) !== page) continue;
      closePage(loaded);
      loaded.lost = "It may have hung the graphics process.";
      if (visible === loaded) visible = null;
    }
    log.warn("graphics.page-blamed", { asset: last.assetId, isProven });
    graphicsBlamed({ ...last, isProven });
  }

  function remove(view: WebContentsView): void {
    ground.removeChildView(view);
    if (!view.webContents.isDestroyed()) view.webContents.close();
  }

  function verificationSubject(): VerificationSubject | null {
    const on = visible;
    // What is beneath a view of our own, or a kept frame, cannot be read from the screen.
    if (!on || overlaid || gap.isCovered()) return null;
    const view = on.page?.view ?? stage.view();
    return {
      showingId: on.showingId,
      content: on.content,
      shownAtMs: on.shownAtMs ?? 0,
      size: viewBounds,
      capture: (part) =>
        on.page?.capture(part) ?? captureView(stage.view().webContents, part),
      contents: () => (on.page ? on.page.contents() : stage.view().webContents),
      isOnTop: () =>
        ground.children
          .filter(
            (child) => child !== over && child !== transitionOverlay.view(),
          )
          .at(-1) === view,
    };
  }

  async function captureScreen(part?: Rectangle): Promise<NativeImage> {
    return (
      visible?.page?.capture(part) ??
      captureView(stage.view().webContents, part)
    );
  }

  function viewBounds(): Rectangle {
    const { width, height } = window.getContentBounds();
    return {
      x: 0,
      y: 0,
      width: Math.min(width, place.bounds.width),
      height: Math.min(height, place.bounds.height),
    };
  }

  function fill(): void {
    const bounds = viewBounds();
    for (const child of ground.children) child.setBounds(bounds);
  }

  /** A display was connected, disconnected or changed: back to where the window belongs. */
  function replace(): void {
    if (window.isDestroyed()) return;
    preference = withHome(preference);
    place = placeOfWindow(config, preference);
    window.setBounds(windowBounds(place));
    // This would show a window that has to stay hidden.
    if (isFullscreen && !isAway) window.setFullScreen(true);
    fill();
    log.info("window.placed", { display: place.display.id, ...place.bounds });
  }

  const eye = createX11Eye(config);
  const logVerdict = verdictLog(log);
  const linesOnScreen = (count: number): Promise<PixelImage | null> => {
    const { x, y } = window.getContentBounds();
    const at = { ...viewBounds(), x, y };
    return eye.lines(onScreen(at, place.display.scaleFactor), count);
  };
  const check = createScreenVerification({
    subject: verificationSubject,
    lines: linesOnScreen,
    onVerdict: (verdict) => {
      logVerdict(verdict);
      if (verdict.verdict !== "verified") {
        graphics.due();
        stage.due();
      }
      if (verdict.verdict === "blank") surface.suspect("found-blank");
      if (
        verdict.verdict === "verified" &&
        verdict.showingId === visible?.showingId &&
        !over
      )
        gap.verified(verdict.showingId);
      judged(verdict);
    },
  });

  /** Contents of which the last probe found nothing drawn. */
  let undrawn: WebContents | null = null;

  /** Whether the screen shows what the topmost view has, whichever showing that is, and whether the stage is drawn beneath it. */
  async function readSurfaceState(cause: SurfaceCause): Promise<SurfaceState> {
    const on = verificationSubject();
    undrawn = null;
    if (!on || isAway || stage.isAway()) return "unknown";
    const middle = { ...middleOf(viewBounds()), width: 1, height: 1 };
    const { webContents } = stage.view();
    if (!drawnPixels(await captureView(webContents, middle))) {
      undrawn = webContents;
      return "undrawn";
    }
    const isPageOn = isPage(on.content);
    if (isPageOn && !drawnPixels(await on.capture(middle))) {
      undrawn = on.contents();
      return "undrawn";
    }
    // After a loss, a page that is new in each of its showings proves nothing about the stage.
    const drawn = isPageOn && cause === "graphics-lost" ? "unknown" : "image";
    const screen = await linesOnScreen(gridLines);
    if (!screen || !isOneColour(screen.pixels)) return drawn;
    const ownPixels = await ownGrid(on);
    if (!ownPixels) return "unknown";
    return isPlainImage(ownPixels, 3) ? drawn : "empty";
  }

  const surface = watchSurface({
    probe: readSurfaceState,
    remap: () => {
      if (window.isDestroyed()) return;
      // A showing found blank meanwhile is not at fault.
      disturbed("graphics-lost");
      window.hide();
      showWindow();
    },
    redraw: () => {
      disturbed("graphics-lost");
      // Reloading its page would not restore what the process has lost.
      const lost = undrawn ?? stage.view().webContents;
      if (!lost.isDestroyed()) lost.forcefullyCrashRenderer();
    },
    onUnrecoverable,
    log,
  });

  const gap = createGraphicsGap({
    frame: createX11LastFrame(config, () =>
      window.getNativeWindowHandle().readUInt32LE(0),
    ),
    isDrawn: async () => {
      const dot = { ...middleOf(viewBounds()), width: 1, height: 1 };
      return drawnPixels(await captureScreen(dot)) !== null;
    },
    onOver: () => surface.suspect("graphics-lost"),
  });

  stage.setOrientation(orientation);
  window.on("resize", fill);
  window.on("resize", gap.changed);
  const graphics = watchGraphics({
    ...{ isSoft, soften, isStill, log },
    onLost: graphicsLost,
    // Also without a showing: while nothing is drawn, none becomes visible.
    isDrawn: () =>
      stage.isUp() &&
      !stage.isAway() &&
      window.isVisible() &&
      !window.isMinimized(),
    capture: async () => {
      const dot = { x: 0, y: 0, width: 1, height: 1 };
      return !(await stage.view().webContents.capturePage(dot)).isEmpty();
    },
  });
  const network = watchNetwork({
    isNeeded: () =>
      [prepared, visible].some(
        (loaded) => loaded !== null && isFromNetwork(loaded.content),
      ),
    onLost: () => disturbed("network-lost"),
    log,
  });
  const audio = watchAudio({
    isNeeded: () =>
      [prepared, visible].some(
        (loaded) => loaded !== null && isAudible(loaded.content),
      ),
    contents: () => stage.view().webContents,
    onLost: () => disturbed("audio-lost"),
    log,
  });
  const stopWatchingLaunchers = watchLaunchers({
    onBlocked: () => disturbed("graphics-lost"),
    ...{ onLost: onUnrecoverable, log },
  });
  const stopListening = onDisplaysChanged(replace);
  const stopCounting = onFewDescriptors(() => disturbed("descriptors-few"));
  const hold = createHold(window, isFullscreen, log);
  const awake = isAway ? null : keepAwake(log);

  return {
    stage: {
      ...{ prepare, show, tune },
      isAway: () => stage.isAway() || graphics.isSilent(),
      onEnded: (listener) => (ended = listener),
      onFailed: (listener) => (failed = listener),
      onRefreshed: (listener) => (refreshed = listener),
      onRestarted: (listener) => (restarted = listener),
      onDisturbed: (listener) => (disturbed = listener),
      onVerdict: (listener) => (judged = listener),
      onGraphicsBlamed: (listener) => (graphicsBlamed = listener),
    },
    takeScreenshot: shareScreenshots(async () => {
      const image = await captureScreen();
      if (!drawnPixels(image))
        throw new Failure("unavailable", playerSentences["screenshot-failed"]);
      return image.toPNG();
    }, systemClock),
    capture: captureScreen,
    setOrientation,
    hold: hold.hold,
    ...{ cover, overlay },
    displayId: () => place.display.id,
    moveTo: (displayId) => {
      preference = { ...preference, home: displayId };
      replace();
    },
    description: () => {
      const { width, height } = viewBounds();
      return `${isFullscreen ? "fullscreen" : "window"} ${width}x${height}`;
    },
    isShowing: () =>
      visible !== null && (visible.page !== null || !stage.isAway()),
    firstShowing,
    onClosed: (listener) => window.on("closed", listener),
    endWithSession: (end) => endWithSession(window, end),
    stop: () => {
      stopListening();
      stopWatchingLaunchers();
      stopCounting();
      graphics.stop();
      network.stop();
      audio.stop();
      surface.stop();
      check.stop();
      eye.close();
      gap.stop();
      stage.stop();
      imageCacheCleanup.stop();
      hold.stop();
      awake?.stop();
      transitionOverlay.stop();
    },
  };
}

/** More are never up between two checks of the graphics process. */
const maxShownPages = 50;

/** The same each time the page is shown. */
function pageName({ assetId, content, showingId }: LoadedShowing): string {
  return assetId ?? ("url" in content ? content.url : showingId);
}

/** Played by the stage itself with sound, if it has any. */
function isAudible(content: ShowingContent): boolean {
  const audio = isPage(content) ? null : audioOf(content);
  return audio !== null && !isSilent(audio);
}

function middleOf({ width, height }: Rectangle): Point {
  return { x: Math.floor(width / 2), y: Math.floor(height / 2) };
}

/** A page that was ready is checked once more before it is shown; a busy one is not waited for. */
const judgedWithinMs = 700;

/** Long enough for a raised view to be on the screen, even at 30 frames per second on a busy machine. */
const oldViewStaysMs = 100;
