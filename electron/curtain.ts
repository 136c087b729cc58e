// Keeps a new window out of sight until something is painted on it.

import type { BaseWindow } from "electron";

const dot = { x: 0, y: 0, width: 1, height: 1 };
/** An empty list, said to undo a shape, hides the whole window; this is larger than any display. */
const everything = { x: 0, y: 0, width: 16384, height: 16384 };

/**
 * X11 fills a new window with the desktop theme's colour, mostly white, for as long as Chromium takes to paint;
 * a hidden window is not painted at all. So it is shown in the shape of a single dot. The answer opens the curtain. The window must not be visible yet.
 */
export function drawCurtain(window: BaseWindow): () => void {
  const isX11 = process.platform === "linux";
  if (isX11) window.setShape([dot]);
  window.show();
  return () => {
    if (isX11 && !window.isDestroyed()) window.setShape([everything]);
  };
}
