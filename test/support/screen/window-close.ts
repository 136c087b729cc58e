// Asks every window of a screen to close, as a window manager does when a user closes it.

import {
  connectX11,
  getInputFocus,
  request,
} from "../../../electron/x11/x11-connection.ts";
import type { VirtualScreen } from "./screen.ts";

const [internAtom, queryTree, sendEvent] = [16, 15, 25];
const clientMessage = 33;

export async function closeWindows(screen: VirtualScreen): Promise<void> {
  const server = await connectX11({
    xDisplay: screen.display,
    xAuthority: undefined,
  });
  try {
    const atomOf = async (name: string): Promise<number> => {
      const rest = Buffer.alloc(4 + Math.ceil(name.length / 4) * 4);
      rest.writeUInt16LE(name.length, 0);
      rest.write(name, 4);
      const [answer] = await server.send([request(internAtom, 0, rest)], 1);
      return answer?.readUInt32LE(8) ?? 0;
    };
    const protocols = await atomOf("WM_PROTOCOLS");
    const deleteWindow = await atomOf("WM_DELETE_WINDOW");
    const root = Buffer.alloc(4);
    root.writeUInt32LE(server.setup.root);
    const [tree] = await server.send([request(queryTree, 0, root)], 1);
    const count = tree?.readUInt16LE(16) ?? 0;
    const requests = [...Array(count).keys()].map((index) => {
      const window = tree?.readUInt32LE(32 + 4 * index) ?? 0;
      const requestBytes = Buffer.alloc(40);
      requestBytes.writeUInt32LE(window, 0);
      requestBytes.writeUInt8(clientMessage, 8);
      requestBytes.writeUInt8(32, 9);
      requestBytes.writeUInt32LE(window, 12);
      requestBytes.writeUInt32LE(protocols, 16);
      requestBytes.writeUInt32LE(deleteWindow, 20);
      return request(sendEvent, 0, requestBytes);
    });
    // The reply to the last one confirms that all before it are done.
    await server.send([...requests, request(getInputFocus, 0)], 1);
  } finally {
    server.close();
  }
}
