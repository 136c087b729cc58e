// Unmaps windows as another client of the X server: the program that owns them is not notified.

import {
  connectX11,
  getInputFocus,
  request,
} from "../../../electron/x11/x11-connection.ts";
import type { VirtualScreen } from "./screen.ts";

/** UnmapSubwindows of the root. */
export async function unmapWindows(screen: VirtualScreen): Promise<void> {
  const server = await connectX11({
    xDisplay: screen.display,
    xAuthority: undefined,
  });
  const root = Buffer.alloc(4);
  root.writeUInt32LE(server.setup.root, 0);
  await server
    .send([request(11, 0, root), request(getInputFocus, 0)], 1)
    .finally(server.close);
}
