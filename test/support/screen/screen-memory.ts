// A screen whose memory is read: the server removes the pointer from every screenshot it returns.

import { readFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../folder.ts";
import { openScreen, type VirtualScreen } from "./screen.ts";

export interface DrawnScreen {
  readonly screen: VirtualScreen;
  /** Whether anything is drawn on a plain background around a position, in pixels. */
  hasMark(x: number, y: number): boolean;
}

const bytesEach = 4;
const around = 12;

export async function openDrawnScreen(): Promise<DrawnScreen> {
  const folder = await temporaryFolder();
  const screen = await openScreen(1280, 720, ["-fbdir", folder]);
  return {
    screen,
    hasMark: (x, y) => {
      const dump = readFileSync(path.join(folder, "Xvfb_screen0"));
      const pixels = pixelsOf(dump);
      const colours = new Set<number>();
      for (let row = y - around; row < y + around; row += 1)
        for (let column = x - around; column < x + around; column += 1)
          colours.add(
            pixels.readUInt32LE((row * screen.width + column) * bytesEach),
          );
      return colours.size > 1;
    },
  };
}

/** The format of xwd: a header whose length it states, a table of colours, and the pixels. */
function pixelsOf(dump: Buffer): Buffer {
  const headBytes = dump.readUInt32BE(0);
  const colours = dump.readUInt32BE(19 * 4);
  return dump.subarray(headBytes + colours * 12);
}
