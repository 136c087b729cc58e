// Renders the icon from its SVG in the sizes that systems require.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { iconImage } from "../bundle/icon-image.ts";
import { iconFolder, projectRoot } from "./paths.ts";

export const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512] as const;
/** An .ico entry stores each side in one byte. */
const maxIcoSize = 256;

export async function makeIcons(): Promise<void> {
  await mkdir(iconFolder, { recursive: true });
  const drawing = await readFile(join(projectRoot, "build", "icon.svg"));
  const images = await Promise.all(
    iconSizes.map(async (size) => {
      const image = await iconImage(drawing, size);
      await writeFile(join(iconFolder, `${size}x${size}.png`), image);
      return { size, image };
    }),
  );
  await writeFile(
    join(iconFolder, "icon.ico"),
    icoOf(images.filter(({ size }) => size <= maxIcoSize)),
  );
}

interface IconImage {
  readonly size: number;
  readonly image: Buffer;
}

/** An .ico file: a header, an entry of 16 bytes for each image, then the images as PNG. */
export function icoOf(images: readonly IconImage[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  images.forEach(({ size, image }, at) => {
    const entry = 6 + 16 * at;
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(image.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += image.length;
  });
  return Buffer.concat([header, ...images.map(({ image }) => image)]);
}
