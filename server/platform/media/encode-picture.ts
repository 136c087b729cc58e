// Encodes pixels as a WebP of a limited size: with less and less quality, and then smaller. Runs only in the media process.

import sharp from "sharp";
import type { PictureJob } from "./media-job.ts";

/** What is still well readable comes first; a picture full of noise ends up small. */
const steps: readonly (readonly [scale: number, quality: number])[] = [
  ...([1, 1, 1, 1] as const).map(
    (scale, at) => [scale, [80, 60, 40, 20][at] ?? 20] as const,
  ),
  ...([
    [0.75, 40],
    [0.75, 15],
    [0.5, 30],
    [0.5, 10],
    [0.25, 10],
  ] as const),
];
/** Quick rather than small: somebody is waiting, and another picture follows in a second. */
const effort = 2;

/** Null when it does not become small enough. */
export async function encodePicture(job: PictureJob): Promise<Buffer | null> {
  const { width, height, maxBytes } = job;
  const raw = withoutOpacity(Buffer.from(job.pixels, "base64"));
  for (const [scale, quality] of steps) {
    const picture = sharp(raw, { raw: { width, height, channels: 3 } });
    const bytes = await (
      scale === 1
        ? picture
        : picture.resize({ width: Math.max(1, Math.round(width * scale)) })
    )
      .webp({ quality, effort })
      .toBuffer();
    if (bytes.length <= maxBytes) return bytes;
  }
  return null;
}

/** Blue, green, red, opacity → red, green, blue. */
function withoutOpacity(pixels: Buffer): Buffer {
  const count = Math.floor(pixels.length / 4);
  const colours = Buffer.allocUnsafe(count * 3);
  for (let at = 0; at < count; at += 1) {
    colours[at * 3] = pixels[at * 4 + 2] ?? 0;
    colours[at * 3 + 1] = pixels[at * 4 + 1] ?? 0;
    colours[at * 3 + 2] = pixels[at * 4] ?? 0;
  }
  return colours;
}
