// A standby frame for the next page: its process is already running, which is most of the time to a page's first paint.

import type { Rectangle } from "electron";
import {
  areDescriptorsFew,
  assertDescriptors,
} from "../chromium/descriptors.ts";
import {
  openWebFrame,
  type WebFrame,
  type WebFrameOptions,
} from "./web-frame.ts";
import { partitionOf, webSession, type SessionOptions } from "./web-session.ts";

export interface WebFrames {
  /** Throws a Failure while descriptors are few (V2-653). */
  open(options: WebFrameOptions): WebFrame;
  /** Prepares a standby frame for a page with ordinary options, delayed until a fade under way has ended. */
  prepareStandby(bounds: Rectangle, isFading: boolean): void;
}

interface StandbyFrame {
  readonly frame: WebFrame;
  /** Resolves when its process is running; a caller that takes the frame before still saves a part of that time. */
  readonly loaded: Promise<void>;
}

/** Takeovers use these options, and so do most assets; any other page gets a frame of its own. */
const ordinary: SessionOptions = {
  ...{ noCache: false, zoomPercent: 100, uncheckedHost: null },
};
/** Work in progress has priority: a start, */
const afterStartMs = 3000;
/** the page that was requested, */
const afterPageMs = 400;
/** and every frame of a fade. */
const afterFadeMs = 1200;

export function createWebFrames(): WebFrames {
  let standby: StandbyFrame | null = null;
  let timer: NodeJS.Timeout | undefined;

  function plan(bounds: Rectangle, afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      if (!standby && !areDescriptorsFew()) make(bounds);
    }, afterMs);
  }

  function make(bounds: Rectangle): void {
    // Created before its first view, it is configured as every page's session is.
    webSession(ordinary);
    const frame = openWebFrame({
      ...{ partition: partitionOf(ordinary), zoomPercent: 100 },
      ...{ orientation: 0, bounds },
    });
    const contents = frame.view.webContents;
    // A document that belongs to no site: the first page may use its process.
    const loaded = contents.loadURL("about:blank");
    const mine: StandbyFrame = { frame, loaded };
    standby = mine;
    const drop = (): void => {
      if (standby !== mine) return;
      standby = null;
      if (!contents.isDestroyed()) contents.close();
    };
    contents.once("render-process-gone", drop);
    contents.once("destroyed", drop);
    loaded.catch(drop);
  }

  function take(options: WebFrameOptions): WebFrame | null {
    const isOrdinary =
      options.orientation === 0 &&
      options.zoomPercent === 100 &&
      options.partition === partitionOf(ordinary);
    if (!isOrdinary || !standby) return null;
    const { frame, loaded } = standby;
    standby = null;
    frame.view.setBounds(options.bounds);
    const contents = loaded.then(() => {
      const { webContents } = frame.view;
      // Its history begins with the page: nothing before it can be navigated back to.
      webContents.once("did-navigate", () =>
        webContents.navigationHistory.clear(),
      );
      return webContents;
    });
    return { ...frame, contents, wasEmpty: true };
  }

  return {
    open: (options) => {
      assertDescriptors();
      const frame = take(options) ?? openWebFrame(options);
      plan(options.bounds, afterPageMs);
      return frame;
    },
    prepareStandby: (bounds, isFading) => {
      if (standby) return;
      if (isFading) plan(bounds, afterFadeMs);
      else if (!timer) plan(bounds, afterStartMs);
    },
  };
}
