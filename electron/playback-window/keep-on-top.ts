// Keeps the playback window of an unattended player on top: raised again when something covers it, never closed or minimised.

import { BaseWindow } from "electron";
import type { Log } from "../../server/platform/log.ts";

export interface Hold {
  hold(isHeld: boolean): void;
  stop(): void;
}

/** A notification may cover the window without taking the focus: the window is raised again at this interval. */
const raiseIntervalMs = 1500;
/** Less would fight with windows that are closing by themselves. */
const timeoutMs = 500;

export function createHold(
  window: BaseWindow,
  isFullscreen: boolean,
  log: Log,
): Hold {
  let isHeld = false;
  let raising: NodeJS.Timeout | undefined;
  let winning: NodeJS.Timeout | undefined;

  function raise(): void {
    if (!isHeld || window.isDestroyed() || !window.isVisible()) return;
    if (window.isMinimized()) window.restore();
    window.setAlwaysOnTop(true, "screen-saver");
    window.moveTop();
  }

  function winBack(): void {
    winning = undefined;
    // Any of our own windows may have the focus: the operator may have opened the manager.
    if (!isHeld || window.isDestroyed() || BaseWindow.getFocusedWindow())
      return;
    raise();
    window.focus();
    log.info("window.focus-regained");
  }

  window.on("blur", () => {
    if (isHeld) winning ??= setTimeout(winBack, timeoutMs);
  });
  window.on("minimize", raise);
  window.on("leave-full-screen", () => {
    if (isHeld && isFullscreen) window.setFullScreen(true);
  });
  window.on("close", (event) => {
    if (isHeld) event.preventDefault();
  });

  function letGo(): void {
    clearInterval(raising);
    clearTimeout(winning);
    winning = undefined;
  }

  return {
    hold: (shouldHold) => {
      if (shouldHold === isHeld || window.isDestroyed()) return;
      isHeld = shouldHold;
      window.setAlwaysOnTop(shouldHold, shouldHold ? "screen-saver" : "normal");
      window.setSkipTaskbar(shouldHold);
      window.setMinimizable(!shouldHold);
      window.setClosable(!shouldHold);
      letGo();
      if (shouldHold) raising = setInterval(raise, raiseIntervalMs);
      log.info(shouldHold ? "screen.held-on-top" : "screen.released");
    },
    stop: () => {
      isHeld = false;
      letGo();
    },
  };
}
