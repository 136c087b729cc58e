// A frame kept ready for the next page: its process runs already, and that is most of what a page's first picture takes.

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
  /** From soon on there is one ready for a page of the ordinary kind: once what fades now has faded. */
  prepareStandby(bounds: Rectangle, isFading: boolean): void;
}

interface StandbyFrame {
  readonly frame: WebFrame;
  /** Resolves when its process runs; whoever takes it before has at least waited for a part of that. */
  readonly loaded: Promise<void>;
}

/** Takeovers ask for these, and most assets; any other page has a frame made for itself. */
const ordinary: SessionOptions = {
  ...{ noCache: false, zoomPercent: 100, uncheckedHost: null },
};
/** What is under way comes first: a start, */
const afterStartMs = 3000;
/** the page that was asked for, */
const afterPageMs = 400;
/** and every picture of a fade. */
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
    // Made before its first view, it is set up as every page's session is.
    webSession(ordinary);
    const frame = openWebFrame({
      ...{ partition: partitionOf(ordinary), zoomPercent: 100 },
      ...{ orientation: 0, bounds },
    });
    const contents = frame.view.webContents;
    // A document that belongs to no site: the first page to come may use its process.
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
      // It begins with the page: nothing lies before it that one could go back to.
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
