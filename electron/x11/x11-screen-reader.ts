// Reads the screen contents within the playback window from the X server itself, whatever program drew them.

import type { Rectangle } from "electron";
import type { Config } from "../config.ts";
import {
  linesOf,
  type PixelImage,
} from "../screenshots/compare-screenshots.ts";
import {
  connectX11,
  queryExtension,
  request,
  type X11Connection,
} from "./x11-connection.ts";

export interface X11Eye {
  /**
   * This many lines, evenly spread over the place; null where the screen can never be read. Rejects where it cannot be read now.
   */
  lines(place: Rectangle, count: number): Promise<PixelImage | null>;
  close(): void;
}

/** In pixels of the screen, not of the page. */
export function createX11Eye(config: Config): X11Eye {
  let connecting: Promise<X11Connection | null> | null = null;
  let isClosed = false;
  let wasRead = false;

  async function open(): Promise<X11Connection | null> {
    const server = await connectX11(config);
    // Under a Wayland desktop this server returns the whole screen to no client.
    const [nested] = await server.send([queryExtension("XWAYLAND")], 1);
    const isNested = nested?.[8] === 1;
    if (server.setup.isPlainColour && !isNested && !isClosed) return server;
    server.close();
    return null;
  }

  return {
    lines: async (place, count) => {
      connecting ??= open();
      try {
        const server = await connecting;
        if (!server) return null;
        const lines = linesOf(place.height, count);
        const replies = await server.send(
          lines.map((y) => getLine(server.setup.root, place, place.y + y)),
          lines.length,
        );
        wasRead = true;
        return {
          ...{ width: place.width, height: lines.length },
          pixels: Buffer.concat(
            replies.map((reply) => reply.subarray(32, 32 + place.width * 4)),
          ),
        };
      } catch (error) {
        // A display was connected, disconnected or resized: the next read starts again.
        const lost = connecting;
        connecting = null;
        void lost.then((server) => server?.close()).catch(() => undefined);
        // A failed read says nothing about the screen.
        if (wasRead) throw error;
        return null;
      }
    },
    close: () => {
      isClosed = true;
      connecting?.then((server) => server?.close()).catch(() => undefined);
    },
  };
}

/** GetImage of one line, as whole pixels. Of the root window, which includes whatever lies on top. */
function getLine(root: number, { x, width }: Rectangle, y: number): Buffer {
  const rest = Buffer.alloc(16);
  rest.writeUInt32LE(root, 0);
  rest.writeInt16LE(x, 4);
  rest.writeInt16LE(y, 6);
  rest.writeUInt16LE(width, 8);
  rest.writeUInt16LE(1, 10);
  rest.writeUInt32LE(0xffffffff, 12);
  return request(73, 2, rest);
}
