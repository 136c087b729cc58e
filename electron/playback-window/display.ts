// The display of the playback window, and its bounds there.

import { screen, type Display, type Rectangle } from "electron";
import type { Config } from "../config.ts";
import {
  chooseDisplay,
  homeOf,
  type DisplayPreference,
} from "./display-choice.ts";

export interface Place {
  readonly display: Display;
  /** What the playback window covers. */
  readonly bounds: Rectangle;
}

/** The preferred place, or an available one while that display is disconnected. */
export function placeOfWindow(
  { window }: Config,
  preference: DisplayPreference,
): Place {
  const displays = screen.getAllDisplays();
  const display = chooseDisplay(
    displays,
    preference,
    screen.getPrimaryDisplay(),
  );
  const { x, y } = display.bounds;
  return {
    display,
    bounds:
      window === "fullscreen"
        ? display.bounds
        : { ...window, x: x + window.x, y: y + window.y },
  };
}

/** The same preference, with the home display filled in once that is known. */
export function withHome(preference: DisplayPreference): DisplayPreference {
  return { ...preference, home: homeOf(screen.getAllDisplays(), preference) };
}

/**
 * Window bounds for such a place. On X11 a window of exactly the display's size is made one pixel smaller, so that no window
 * manager treats it as full screen; without a window manager it would stay so. It is therefore one line larger.
 */
export function windowBounds({ bounds, display }: Place): Rectangle {
  const { width, height } = bounds;
  const isFullSize =
    width === display.bounds.width && height === display.bounds.height;
  return process.platform === "linux" && isFullSize
    ? { ...bounds, height: height + 1 }
    : bounds;
}

/** Calls back whenever displays are connected, disconnected or changed. */
export function onDisplaysChanged(listener: () => void): () => void {
  screen.on("display-added", listener);
  screen.on("display-removed", listener);
  screen.on("display-metrics-changed", listener);
  return () => {
    screen.off("display-added", listener);
    screen.off("display-removed", listener);
    screen.off("display-metrics-changed", listener);
  };
}
