// The fullscreen window: a black ground, the stage's page and web views on it; hands slides to the one they need.

import {
  app,
  BaseWindow,
  type NativeImage,
  type Point,
  type Rectangle,
  type WebContentsView,
} from "electron";
import {
  Failure,
  selfEndLeadMs,
  type Orientation,
  type Showing,
  type ShowingContent,
  type AudioSettings,
} from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import type {
  Disturbance,
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
  isPlain as isPlainPicture,
  type Picture,
} from "../pictures/screen-picture.ts";
import {
  areDescriptorsFew,
  onFewDescriptors,
} from "../chromium/descriptors.ts";
import { watchGraphics } from "../chromium/graphics.ts";
import { watchLaunchers } from "../chromium/launchers.ts";
import { createHold } from "./held-window.ts";
import { createImageCacheCleanup } from "../stage/image-cache-cleanup.ts";
import { watchNetwork } from "../chromium/network.ts";
import { keepAwake } from "./power-block.ts";
import { endWithSession, type SessionEnd } from "../lifecycle/session-end.ts";
import { createStageView } from "../stage/stage-view.ts";
import { watchSurface } from "./surface.ts";
import type { SurfaceSight } from "./surface-watch.ts";
import { createTransitionOverlay } from "../stage/transition-overlay.ts";
import { drawnPixels, pictureOf } from "../pictures/view-picture.ts";
import { isFoundBlank } from "../web/web-health.ts";
import type { WebPage } from "../web/web-page.ts";
import {
  isFromNetwork,
  isPage,
  isPlain,
  isSilent,
  type WebPages,
} from "../web/web-pages.ts";
import { blackenGround } from "../x11/x11-ground.ts";
import { createX11Eye } from "../x11/x11-picture.ts";

export interface PlaybackWindow {
  readonly stage: PlayerOptions["stage"];
  /** What a person sees, as PNG. */
  takeScreenshot(): Promise<Uint8Array>;
  /** How the display hangs: everything is turned clockwise by so much. */
  setOrientation(orientation: Orientation): void;
  /** Nobody attends: it stays on top, open and awake. */
  hold(isHeld: boolean): void;
  /** Lays a view over everything on the glass; null takes it away. */
  cover(view: WebContentsView | null): void;
  displayId(): number;
  /** Goes to another display; one that is not there changes nothing. */
  moveTo(displayId: number): void;
  /** e.g. `fullscreen 1920x1080` */
  description(): string;
  /** A slide is on the glass, and what draws it is up. */
  isShowing(): boolean;
  /** Resolves when the first slide is up. */
  readonly firstShowing: Promise<void>;
  onClosed(listener: () => void): void;
  /** Only Windows tells its windows of the end of a session. */
  endWithSession(end: SessionEnd): void;
  stop(): void;
}

export interface PlaybackWindowOptions {
  readonly config: Config;
  readonly preload: string;
  readonly pages: WebPages;
  /** Until it is told otherwise. */
  readonly orientation?: Orientation;
  /** On a desk alone nothing is shown: the window stays away. */
  readonly isAway?: boolean;
  /** After crashes in a row only what needs little is shown: pictures, texts and the house card (V2-257). */
  readonly isCareful?: boolean;
  /** No stage comes up any more: only another start of the whole helps (V2-461). */
  readonly onUnrecoverable: () => void;
  /** The processor draws already. */
  readonly isSoft: boolean;
  /** The graphics end again and again: the processor is to draw (V2-463). */
  readonly soften: (reason: string) => void;
  readonly log: Log;
}

/** A slide prepared or on the glass; with a view of its own when it is a page. */
interface LoadedShowing {
  readonly showingId: string;
  readonly content: ShowingContent;
  readonly page: WebPage | null;
  readonly isFaded: boolean;
  /** Why it cannot be shown any more, though it was ready. */
  lost?: string;
  shownAtMs?: number;
  /** How long before its own end it gives way. */
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
  let restarted = (_loss: StageLoss): void => undefined;
  let disturbed = (_what: Exclude<Disturbance, "stage-silent">): void =>
    undefined;
  let judged = (_verdict: ScreenVerdict): void => undefined;
  let firstShown = (): void => undefined;
  const firstShowing = new Promise<void>((resolve) => (firstShown = resolve));
  /** Which slide was to be prepared last. */
  let newest: string | null = null;
  let prepared: LoadedShowing | null = null;
  let visible: LoadedShowing | null = null;
  let orientation = initialOrientation;
  let over: WebContentsView | null = null;

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
    // Asked for earlier, it would show the window. Where no window manager answers, the bounds do it alone.
    if (isFullscreen) window.setFullScreen(true);
  };
  // A ground that stays white for a moment is better than no window.
  blackenGround(window, config)
    .then(showWindow, showWindow)
    .catch((error: unknown) => log.error("app.internal-error", { error }));
  const ground = window.contentView;
  ground.setBackgroundColor("#000000");

  /** Until something else is to be shown, nobody sees whether it is drawn anew. */
  const isStill = (): boolean => visible !== null && rests(visible.content);

  const stage = createStageView({
    preload,
    bounds: viewBounds,
    isStill,
    onView: (view, old) => {
      openCorners(view);
      // In its place: beneath a page that is only prepared it would let that be seen.
      const place = old ? ground.children.indexOf(old) : 0;
      ground.addChildView(view, Math.max(0, place));
      if (old) remove(old);
    },
    onEnded: (showingId) => ended(showingId),
    onFailed: (showingId, reason) => failed(showingId, reason),
    onLost: () => {
      if (prepared?.page) hideBeneath(prepared.page);
      // Nothing of it is on the screen any more, and the supervisor is told so (V2-462).
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
      if (over) ground.addChildView(over);
    },
    remove: (view) => ground.removeChildView(view),
  });

  async function prepare(showing: Showing): Promise<void> {
    giveUpPrepared();
    // Where they are few, some are given up for this one.
    areDescriptorsFew();
    graphics.due();
    const { content } = showing;
    if (isFromNetwork(content)) network.due();
    const isFaded = showing.transition === "cross-fade";
    if (isCareful && !isPlain(content))
      throw new Failure("unavailable", "Safe mode shows pictures only.");
    newest = showing.id;
    // A fade under way is not to stand still for it.
    if (!visible?.isFaded) await imageCacheCleanup.comeFirst();
    if (newest !== showing.id)
      throw new Failure("conflict", "Another slide took its place.");
    if (!isPage(content)) {
      const own: LoadedShowing = {
        showingId: showing.id,
        content,
        page: null,
        isFaded,
        leadMs: 0,
      };
      prepared = own;
      await stage.prepare(showing);
      return leadTo(own);
    }
    const place = { bounds: viewBounds(), orientation, beneath: ground };
    const page = pages.open(content, place);
    const mine: LoadedShowing = {
      ...{ showingId: showing.id, content, page, isFaded, leadMs: 0 },
    };
    prepared = mine;
    page.onLost((reason) => pageLost(mine, reason));
    // Beneath everything: it is painted there, and nobody sees it.
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

  /** A clip that plays to its own end gives way so early that a fade to the next ends with it, and a sound follows without a gap. */
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
        throw new Failure("conflict", "This slide is not prepared.");
      if (next.lost !== undefined) throw new Failure("unavailable", next.lost);
      return next;
    };
    const { page: nextPage, isFaded } = assertPrepared();
    graphics.due();
    const contents = nextPage?.contents();
    if (contents && (await isFoundBlank(contents, judgedWithinMs)))
      throw new Failure("unavailable", "The page emptied itself again.");
    try {
      // Between slides of its own the stage fades by itself.
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
    check.changed();
    graphics.changed();
    stage.changed();
    next.page?.view.setVisible(true);
    // Added again, a view comes to the top. The one before stays beneath until this is painted.
    ground.addChildView(next.page?.view ?? stage.view());
    for (const above of [transitionOverlay.view(), over])
      if (above) ground.addChildView(above);
    if (next.page) {
      next.page.start();
      stage.rest(next.showingId);
    }
    // A film that started beneath the page would lose its first frames there.
    if (isUncovered) stage.start(next.showingId);
    if (before?.page) closeCovered(before.page);
    openCorners(stage.view());
    if (next.content.kind === "image")
      imageCacheCleanup.add(viewBounds(), place.display.scaleFactor);
    if (!isCareful) pages.expect(viewBounds(), next.isFaded);
    firstShown();
  }

  /** A stage that is gone covers nothing: what gets ready beneath it would be seen. It is asked for anew once there is one. */
  function hideBeneath(page: WebPage): void {
    if (!visible?.page) page.view.setVisible(false);
  }

  function giveUpPrepared(): void {
    if (prepared?.page) closePage(prepared.page);
    prepared = null;
    leadTo(null);
  }

  /** Of what lies wholly covered, nothing is drawn after a picture or two: while a page may lie beneath, a corner's dot is open. */
  function openCorners(view: WebContentsView): void {
    view.setBorderRadius(prepared?.page || visible?.page ? 1 : 0);
  }

  /** The stage beneath still holds the slide before; it is a better sight than a dead page. */
  function pageLost(loaded: LoadedShowing, reason: string): void {
    if (loaded.page) closePage(loaded.page);
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
    stage.setOrientation(orientation);
    log.info("window.rotated", { orientation });
    for (const loaded of [prepared, visible])
      loaded?.page?.setOrientation(orientation);
  }

  function cover(view: WebContentsView | null): void {
    if (over) ground.removeChildView(over);
    over = view;
    if (!view) return;
    view.setBounds(viewBounds());
    ground.addChildView(view);
  }

  function closePage(page: WebPage): void {
    ground.removeChildView(page.view);
    page.close();
  }

  /** What lies above it may not be drawn yet. Nobody waits for that: the time of what was shown counts from the swap. */
  function closeCovered(page: WebPage): void {
    page.mute(true);
    setTimeout(() => {
      if (window.isDestroyed()) page.close();
      else closePage(page);
    }, oldViewStaysMs);
  }

  function remove(view: WebContentsView): void {
    ground.removeChildView(view);
    if (!view.webContents.isDestroyed()) view.webContents.close();
  }

  function verificationSubject(): VerificationSubject | null {
    const on = visible;
    if (!on) return null;
    const view = on.page?.view ?? stage.view();
    return {
      showingId: on.showingId,
      content: on.content,
      shownAtMs: on.shownAtMs ?? 0,
      size: viewBounds,
      capture: (part) =>
        on.page?.capture(part) ?? pictureOf(stage.view().webContents, part),
      contents: () => (on.page ? on.page.contents() : stage.view().webContents),
      isOnTop: () =>
        ground.children
          .filter(
            (child) => child !== over && child !== transitionOverlay.view(),
          )
          .at(-1) === view,
    };
  }

  async function captureScreen(): Promise<NativeImage> {
    return visible?.page?.capture() ?? pictureOf(stage.view().webContents);
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

  /** A display came, went or changed: back to where the glass belongs. */
  function replace(): void {
    if (window.isDestroyed()) return;
    preference = withHome(preference);
    place = placeOfWindow(config, preference);
    window.setBounds(windowBounds(place));
    // It would show a window that is to stay away.
    if (isFullscreen && !isAway) window.setFullScreen(true);
    fill();
    log.info("window.placed", { display: place.display.id, ...place.bounds });
  }

  const eye = createX11Eye(config);
  const logVerdict = verdictLog(log);
  const linesOnScreen = (count: number): Promise<Picture | null> => {
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
      judged(verdict);
    },
  });

  /** Whether the screen shows what the topmost view has, whichever slide that is. */
  async function sightOfSurface(): Promise<SurfaceSight> {
    const on = verificationSubject();
    if (!on || isAway) return "unknown";
    const middle = { ...middleOf(viewBounds()), width: 1, height: 1 };
    if (!drawnPixels(await on.capture(middle))) return "undrawn";
    const screen = await linesOnScreen(gridLines);
    if (!screen || !isOneColour(screen.pixels)) return "picture";
    const own = await ownGrid(on);
    if (!own) return "unknown";
    return isPlainPicture(own, 3) ? "picture" : "empty";
  }

  const surface = watchSurface({
    probe: sightOfSurface,
    remap: () => {
      if (window.isDestroyed()) return;
      // What was found blank meanwhile is not to blame.
      disturbed("graphics-lost");
      window.hide();
      showWindow();
    },
    redraw: () => {
      disturbed("graphics-lost");
      // Loading its page once more would not bring back what the process has lost.
      verificationSubject()?.contents()?.forcefullyCrashRenderer();
    },
    onUnrecoverable,
    log,
  });

  stage.setOrientation(orientation);
  window.on("resize", fill);
  const graphics = watchGraphics({
    ...{ isSoft, soften, isStill, log },
    onLost: () => {
      disturbed("graphics-lost");
      surface.suspect("graphics-lost");
    },
    // Also without a slide: while nothing is drawn, none comes up.
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
  const stopWatchingLaunchers = watchLaunchers({
    onHeldUp: () => disturbed("graphics-lost"),
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
      onRestarted: (listener) => (restarted = listener),
      onDisturbed: (listener) => (disturbed = listener),
      onVerdict: (listener) => (judged = listener),
    },
    takeScreenshot: async () => {
      const picture = await captureScreen();
      if (!drawnPixels(picture))
        throw new Failure("unavailable", "The glass gave no picture.");
      return picture.toPNG();
    },
    setOrientation,
    hold: hold.hold,
    cover,
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
      surface.stop();
      check.stop();
      eye.close();
      stage.stop();
      imageCacheCleanup.stop();
      hold.stop();
      awake?.stop();
      transitionOverlay.stop();
    },
  };
}

function middleOf({ width, height }: Rectangle): Point {
  return { x: Math.floor(width / 2), y: Math.floor(height / 2) };
}

/** A page that was ready is asked once more before it is seen; one that is busy is not waited for. */
const judgedWithinMs = 700;

/** Long enough for a raised view to be on the glass, even at 30 frames a second on a busy machine. */
const oldViewStaysMs = 100;
