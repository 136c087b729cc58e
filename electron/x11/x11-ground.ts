// Black before the first paint: on X11 a new window is white until Chromium has painted, unless the X server is told otherwise.

import type { BaseWindow } from "electron";
import type { Config } from "../config.ts";
import { connectX11, getInputFocus, request } from "./x11-connection.ts";

/**
 * A server of this machine answers at once, but not on a busy one: each of its two answers may take so long. Without them
 * the window is shown as it is. It cannot wait for its first picture: in a window that is not there, none is drawn.
 */
const timeoutMs = 10_000;

/**
 * Gives a window not yet visible a black ground. Electron's background colour is what Chromium paints, which comes
 * later; what the server fills in first is the desktop theme's colour, and only the X protocol can change that.
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
    // No X server here, or not one for us: a white moment at the start is all that is lost.
  }
}

/** ChangeWindowAttributes with a background pixel of 0; then GetInputFocus, whose answer says that it is done. */
function blackGround(windowId: number): readonly Buffer[] {
  const change = Buffer.alloc(12);
  change.writeUInt32LE(windowId, 0);
  change.writeUInt32LE(2, 4);
  change.writeUInt32LE(0, 8);
  return [request(2, 0, change), request(getInputFocus, 0)];
}
