// Presses keys on a virtual screen, as a person would, by the X server's own extension for it.

import {
  connectX11,
  getInputFocus,
  queryExtension,
  request,
} from "../../../electron/x11/x11-connection.ts";
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
    const [found] = await server.send([queryExtension("XTEST")], 1);
    const opcode = found?.[9] ?? 0;
    const fake = (type: number, code: number): Buffer => {
      const input = Buffer.alloc(32);
      input.writeUInt8(type, 0);
      input.writeUInt8(code, 1);
      return request(opcode, 2, input);
    };
    const down = keys.map((key) => fake(2, codes[key]));
    const up = keys.toReversed().map((key) => fake(3, codes[key]));
    // The reply to the last one confirms that all before it are done.
    await server.send([...down, ...up, request(getInputFocus, 0)], 1);
  } finally {
    server.close();
  }
}
