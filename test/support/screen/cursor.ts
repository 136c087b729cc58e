// The pointer as the X server draws it: moved like a mouse, and checked for visibility.

import {
  connectX11,
  getInputFocus,
  queryExtension,
  request,
  type X11Connection,
} from "../../../electron/x11/x11-connection.ts";
import type { VirtualScreen } from "./screen.ts";

const buttonDown = 4;
const buttonUp = 5;
const motion = 6;

export interface Pointer {
  /** In pixels of the screen. */
  moveTo(x: number, y: number): Promise<void>;
  /** With the left button, at its position. */
  click(): Promise<void>;
  isSeen(): Promise<boolean>;
  close(): void;
}

export async function takePointer(screen: VirtualScreen): Promise<Pointer> {
  const server = await connectX11({
    xDisplay: screen.display,
    xAuthority: undefined,
  });
  const test = await opcodeOf(server, "XTEST");
  const fixes = await opcodeOf(server, "XFIXES");
  const version = Buffer.alloc(8);
  version.writeUInt32LE(4, 0);
  await server.send([request(fixes, 0, version)], 1);
  return {
    moveTo: async (x, y) => {
      const input = Buffer.alloc(32);
      input.writeUInt8(motion, 0);
      input.writeInt16LE(x, 20);
      input.writeInt16LE(y, 22);
      await server.send(
        [request(test, 2, input), request(getInputFocus, 0)],
        1,
      );
    },
    click: async () => {
      const presses = [buttonDown, buttonUp].map((type) => {
        const input = Buffer.alloc(32);
        input.writeUInt8(type, 0);
        input.writeUInt8(1, 1);
        return request(test, 2, input);
      });
      await server.send([...presses, request(getInputFocus, 0)], 1);
    },
    isSeen: async () => {
      const [image] = await server.send([request(fixes, 4)], 1);
      const pixels = image?.subarray(32) ?? Buffer.alloc(0);
      // The highest byte of each pixel is its opacity.
      return pixels.some((byte, at) => at % 4 === 3 && byte > 0);
    },
    close: server.close,
  };
}

async function opcodeOf(server: X11Connection, name: string): Promise<number> {
  const [found] = await server.send([queryExtension(name)], 1);
  if (found?.[8] !== 1) throw new Error(`This screen has no ${name}.`);
  return found[9] ?? 0;
}
