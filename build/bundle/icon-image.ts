// Draws the icon from its SVG in the size that a system requires.

import sharp from "sharp";

/** Returns a PNG. */
export function iconImage(drawing: Buffer, size: number): Promise<Buffer> {
  return sharp(drawing, { density: 288 }).resize(size, size).png().toBuffer();
}
