// A small picture of a picture, turned the right way; null for what has none.

import sharp from "sharp";
import { mostPixels } from "./measure.ts";
import { Refused } from "./refused.ts";

/** Sharp enough for a list on a dense display. */
const longestSide = 480;

// Pictures come one after the other; what was decoded is not kept.
sharp.cache(false);
sharp.concurrency(1);

/** WebP; throws `Refused` when the picture cannot be decoded to its end. */
export async function previewOf(
  file: string,
  mimetype: string,
): Promise<Buffer | null> {
  if (mimetype === "image/bmp") return null;
  try {
    return await sharp(file, {
      limitInputPixels: mostPixels,
      sequentialRead: true,
      failOn: "truncated",
    })
      .autoOrient()
      .resize(longestSide, longestSide, {
        fit: "inside",
        withoutEnlargement: true,
      })
      .webp({ quality: 80 })
      .toBuffer();
  } catch {
    throw new Refused("This picture is damaged: it cannot be decoded.");
  }
}
