// Keys pressed on a virtual screen, as a person would, by the X server's own extension for it.

import { connectX11, padded } from "../../electron/x11-connection.ts";
import type { VirtualScreen } from "./screen.ts";

/** By the key codes of a common PC keyboard. */
const codes = {
  ...{ Ctrl: 37, Shift: 50, Alt: 64, Super: 133 },
  ...{ F4: 70, F9: 75, Escape: 9, Tab: 23, Return: 36, E: 26 },
  ...{ 1: 10, 2: 11, 3: 12, 4: 13, 5: 14, 6: 15, 7: 16, 8: 17, 9: 18, 0: 19 },
} as const;

export async function press(
  screen: VirtualScreen,
  ...keys: readonly (keyof typeof codes)[]
): Promise<void> {
  const server = await connectX11({
    xDisplay: screen.display,
    xAuthority: undefined,
  });
  try {
    const name = padded(Buffer.from("XTEST"));
    const query = Buffer.alloc(8);
    query.writeUInt8(98, 0);
    query.writeUInt16LE(2 + name.length / 4, 2);
    query.writeUInt16LE(5, 4);
    const [found] = await server.ask([Buffer.concat([query, name])], 1);
    const opcode = found?.[9] ?? 0;
    const fake = (type: number, code: number): Buffer => {
      const request = Buffer.alloc(36);
      request.writeUInt8(opcode, 0);
      request.writeUInt8(2, 1);
      request.writeUInt16LE(9, 2);
      request.writeUInt8(type, 4);
      request.writeUInt8(code, 5);
      return request;
    };
    const down = keys.map((key) => fake(2, codes[key]));
    const up = keys.toReversed().map((key) => fake(3, codes[key]));
    // The answer to the last one says that all before it are done.
    const sync = Buffer.from([43, 0, 1, 0]);
    await server.ask([...down, ...up, sync], 1);
  } finally {
    server.close();
  }
}
