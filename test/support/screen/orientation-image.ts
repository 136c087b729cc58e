// An image whose four quarters show its orientation, in every format that is played.

import sharp from "sharp";
import type { Colour } from "../media/media.ts";
import { colourAt, isNear, type Frame } from "./screen.ts";

export type PictureFormat = "png" | "jpeg" | "webp" | "avif" | "gif" | "svg";

/** Upper left, upper right, lower left, lower right. */
export const quarters = [
  [210, 40, 40],
  [40, 170, 60],
  [40, 70, 210],
  [220, 190, 40],
] as const satisfies readonly Colour[];

export interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  /** As a camera held to its side writes it: rotated, with an EXIF note of how to rotate it back. */
  readonly isRotatedByExif?: boolean;
}

export async function quarteredImage(
  format: PictureFormat,
  { width = 640, height = 360, isRotatedByExif = false }: PictureOptions = {},
): Promise<Buffer> {
  const svg = Buffer.from(drawing(width, height));
  if (format === "svg") return svg;
  const upright = sharp(svg).flatten({ background: "#000" });
  if (!isRotatedByExif) return upright.toFormat(format).toBuffer();
  const rotated = await upright.png().toBuffer();
  // 6: to be rotated by 90°, clockwise.
  return sharp(rotated)
    .rotate(270)
    .withMetadata({ orientation: 6 })
    .toFormat(format)
    .toBuffer();
}

/** An animation of one colour after the other, for this many milliseconds each. */
export async function flickering(
  colours: readonly Colour[],
  eachMs: number,
): Promise<Buffer> {
  return animation(
    colours.map((colour) => [colour]),
    colours.map(() => eachMs),
  );
}

/** Repeats its frames, each of stripes of these colours, from top to bottom, for its milliseconds. */
export async function animation(
  frames: readonly (readonly Colour[])[],
  delaysMs: readonly number[],
  format: "gif" | "webp" = "gif",
): Promise<Buffer> {
  const [width, height] = [64, 36];
  const rows = frames.flatMap((stripes) =>
    stripes.map(([r, g, b]) =>
      Buffer.alloc(
        (width * height * 3) / stripes.length,
        Buffer.from([r, g, b]),
      ),
    ),
  );
  const image = sharp(Buffer.concat(rows), {
    raw: {
      ...{ width, height: height * frames.length, channels: 3 },
      pageHeight: height,
    },
  });
  const times = { delay: [...delaysMs], loop: 0 };
  return format === "gif"
    ? image.gif(times).toBuffer()
    : image.webp({ ...times, lossless: true }).toBuffer();
}

function drawing(width: number, height: number): string {
  const places = ["0,0", "1,0", "0,1", "1,1"].map((place) => place.split(","));
  const parts = quarters.map((colour, at) => {
    const [x = 0, y = 0] = (places[at] ?? []).map(Number);
    return `<rect x="${x}" y="${y}" width="1" height="1" fill="rgb(${colour.join()})"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 2 2" preserveAspectRatio="none">${parts.join("")}</svg>`;
}

/** Whether the quarters are upright in the middle of this box, given in fractions of the screen. */
export function showsQuarters(
  frame: Frame,
  box = { left: 0, top: 0, width: 1, height: 1 },
): boolean {
  const centres = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ] as const;
  return centres.every(([x, y], at) => {
    const seen = colourAt(
      frame,
      box.left + x * box.width,
      box.top + y * box.height,
    );
    return isNear(seen, quarters[at] ?? [0, 0, 0], 30);
  });
}
