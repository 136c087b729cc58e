// Black window background before the first paint: on X11 a new window is white until Chromium has painted, unless the X server is
// given another colour.

import type { BaseWindow } from "electron";
import type { Config } from "../config.ts";
import { connectX11, getInputFocus, request } from "./x11-connection.ts";

/**
 * A local server answers at once, except on a busy machine: each of its two replies may take this long. Without them the window
 * is shown as it is. It cannot wait for its first frame: a window that is not mapped draws none.
 */
const timeoutMs = 10_000;

/**
 * Gives a window that is not yet visible a black background. Electron's background colour is what Chromium paints, which comes
 * later; the server first fills the window with the desktop theme's colour, and only the X protocol can change that.
 */
export async function blackenGround(
  window: BaseWindow,
  config: Config,
): Promise<void> {
  try {
    const server = await connectX11(config, timeoutMs);
    const windowId = window.getNativeWindowHandle().readUInt32LE(0);
    await server.send(blackGround(windowId), 1).finally(server.close);
  } catch {
    // No X server here, or none that accepts this user: the cost is a white moment at the start.
  }
}

/** ChangeWindowAttributes with a background pixel of 0; then GetInputFocus, whose reply confirms that it is done. */
function blackGround(windowId: number): readonly Buffer[] {
  const change = Buffer.alloc(12);
  change.writeUInt32LE(windowId, 0);
  change.writeUInt32LE(2, 4);
  change.writeUInt32LE(0, 8);
  return [request(2, 0, change), request(getInputFocus, 0)];
}
