// One showing of a page: its view, and periodically a fresh copy, swapped in without a flash.

import {
  View,
  type NativeImage,
  type Rectangle,
  type WebContents,
} from "electron";
import type { Orientation } from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import type { WebView } from "./web-view.ts";

/** The view that the window adds to its content view; it takes the bounds it is given. */
export interface WebPage {
  readonly view: View;
  /** Resolves when showing it is only a swap; rejects with a Failure. */
  readonly ready: Promise<void>;
  /** It was lost after it was ready. */
  onLost(listener: (reason: string) => void): void;
  /**
   * A fresh copy of it could not be loaded, so that the visible one stays, or, with null, could be loaded again (V2-740); also
   * before it is on the screen.
   */
  onRefreshed(listener: (problem: string | null) => void): void;
  /** It is on the screen, and audible, from now on. */
  start(): void;
  /** Takes effect once it is on the screen. */
  mute(isMuted: boolean): void;
  /** Orientation of the display from now on: the page stays as it is until it has been reloaded for that. */
  setOrientation(orientation: Orientation): void;
  /** A fresh copy replaces it as soon as it is ready; a page that is not on the screen yet is reloaded, too. */
  loadAgain(): void;
  /** Screenshot of what is visible of it, or of a part. */
  capture(part?: Rectangle): Promise<NativeImage>;
  contents(): WebContents | null;
  close(): void;
}

export interface WebPageOptions {
  /**
   * May take a while; a rejection with a Failure means that the page is at fault. `isAwaited`: nothing of it is on the screen yet.
   */
  readonly open: (
    bounds: Rectangle,
    orientation: Orientation,
    isAwaited: boolean,
  ) => Promise<WebView>;
  readonly bounds: Rectangle;
  readonly orientation: Orientation;
  readonly isMuted: boolean;
  /** Null: it is loaded once. */
  readonly refreshSeconds: number | null;
  readonly log: Log;
}

/** Long enough for a raised view to be on the screen, even at 30 frames per second on a busy machine. */
const oldViewStaysMs = 100;
/** Retry pause after it could not be loaded for the current orientation or size. */
const againMs = 5000;

interface LoadedView {
  readonly view: WebView;
  readonly orientation: Orientation;
  /** Of the screen for which a still was taken: empty if it is one for another; null for a page, which adapts by itself. */
  readonly size: string | null;
}

const sizeOf = ({ width, height }: Rectangle): string => `${width}x${height}`;

export function createWebPage(options: WebPageOptions): WebPage {
  const { open, bounds, refreshSeconds, log } = options;
  const ground = new View();
  ground.setBounds(bounds);
  let current: WebView | null = null;
  let coming: WebView | null = null;
  let lost = (_reason: string): void => undefined;
  let refreshed = (_problem: string | null): void => undefined;
  let isClosed = false;
  let isStarted = false;
  let isRefreshing = false;
  let { orientation, isMuted } = options;
  let appliedOrientation = orientation;
  let appliedSize: LoadedView["size"] = null;
  let refreshing: NodeJS.Timeout | undefined;

  const inside = (): Rectangle => {
    const { width, height } = ground.getBounds();
    return { x: 0, y: 0, width, height };
  };
  ground.on("bounds-changed", () => {
    for (const child of ground.children) child.setBounds(inside());
    if (current && !isApplied()) refresh();
  });

  function isApplied(): boolean {
    return (
      orientation === appliedOrientation &&
      (appliedSize === null || appliedSize === sizeOf(inside()))
    );
  }

  async function load(): Promise<LoadedView> {
    const at = inside();
    const loadedOrientation = orientation;
    const opened = await open(at, loadedOrientation, current === null);
    if (isClosed) {
      opened.close();
      throw new Error("closed in the meantime");
    }
    coming = opened;
    // Beneath the visible copy: it is painted there, but not seen.
    ground.addChildView(opened.view, 0);
    try {
      await opened.ready;
    } catch (error) {
      remove(opened);
      throw error;
    } finally {
      coming = null;
    }
    opened.onLost((reason) => {
      if (opened === current && !isClosed) lost(reason);
    });
    const { copy } = opened;
    const size = copy?.isForOther ? "" : sizeOf(at);
    return {
      view: opened,
      orientation: loadedOrientation,
      size: copy ? size : null,
    };
  }

  function apply(loaded: LoadedView): void {
    current = loaded.view;
    appliedOrientation = loaded.orientation;
    appliedSize = loaded.size;
    const { copy } = loaded.view;
    if (isClosed) return;
    refreshed(copy?.problem ?? null);
    copy?.next
      ?.then((problem) => {
        if (isClosed || current !== loaded.view) return;
        if (problem === null) refresh();
        else refreshed(problem);
      })
      .catch((error: unknown) => log.error("app.internal-error", { error }));
  }

  function refresh(): void {
    takeFresh().catch((error: unknown) => {
      isRefreshing = false;
      log.error("app.internal-error", { error });
    });
  }

  async function takeFresh(): Promise<void> {
    if (isRefreshing || isClosed) return;
    isRefreshing = true;
    clearTimeout(refreshing);
    let pauseMs = againMs;
    try {
      const fresh = await load();
      // Added again, a view comes to the top.
      ground.addChildView(fresh.view.view);
      const before = current;
      apply(fresh);
      before?.mute(true);
      fresh.view.mute(isMuted || !isStarted);
      await new Promise((resolve) => setTimeout(resolve, oldViewStaysMs));
      if (before) remove(before);
      if (fresh.size !== "") pauseMs = 0;
    } catch (error) {
      // The visible copy is better than none (V2-176).
      if (!isClosed) {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn("page.refresh-failed", { reason });
        refreshed(reason);
      }
    }
    isRefreshing = false;
    plan(pauseMs);
  }

  /** After `pauseMs` at the latest if the screen has another orientation or size than the copy was loaded for. */
  function plan(pauseMs = againMs): void {
    const seconds = isStarted ? refreshSeconds : null;
    const afterMs = seconds === null ? Infinity : seconds * 1000;
    const soonMs = isApplied() ? afterMs : Math.min(afterMs, pauseMs);
    clearTimeout(refreshing);
    if (isClosed || soonMs === Infinity) return;
    refreshing = setTimeout(refresh, soonMs);
  }

  function remove(view: WebView): void {
    ground.removeChildView(view.view);
    view.close();
  }

  const ready = load().then((loaded) => {
    apply(loaded);
    if (!isApplied()) plan(loaded.size === "" ? againMs : 0);
  });
  // After `close` nothing waits for it.
  ready.catch(() => undefined);

  return {
    view: ground,
    ready,
    onLost: (listener) => (lost = listener),
    onRefreshed: (listener) => (refreshed = listener),
    start: () => {
      if (isStarted) return;
      isStarted = true;
      current?.mute(isMuted);
      plan();
    },
    mute: (next) => {
      isMuted = next;
      if (isStarted) current?.mute(isMuted);
    },
    setOrientation: (next) => {
      orientation = next;
      if (current && !isApplied()) refresh();
    },
    loadAgain: () => {
      if (current) refresh();
    },
    capture: (part) => {
      if (!current) throw new Error("there is no page yet");
      return current.capture(part);
    },
    contents: () => current?.contents() ?? null,
    close: () => {
      isClosed = true;
      clearTimeout(refreshing);
      for (const view of [coming, current]) if (view) remove(view);
      coming = current = null;
    },
  };
}
