// What stored bytes are: kind of asset, media type, size in pixels and seconds; told by the bytes alone (V4-220).

import { open } from "node:fs/promises";
import sharp from "sharp";
import {
  measureMedia,
  type MeasuredMedia,
} from "../../platform/media-probe.ts";
import { Refused } from "./refused.ts";

export interface Measured {
  readonly type: "image" | "video" | "audio" | "pdf";
  readonly mimetype: string;
  /** As it is seen: turned the way a camera says. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

const pdfType = "application/pdf";

/** Hundred megapixels: more than a wall of displays has, and what a machine can still decode. */
export const mostPixels = 100_000_000;

/** Null for what is no media at all; throws `Refused` for media nobody could show. */
export async function measure(file: string): Promise<Measured | null> {
  const media = await measureMedia(file);
  if (media === null) return null;
  if (media.type === pdfType) return plain("pdf", pdfType);
  if (media.problem !== null) throw new Refused(media.problem);
  if (media.type.startsWith("image/")) return measurePicture(file, media.type);
  return measureMoving(media);
}

function plain(type: Measured["type"], mimetype: string): Measured {
  return { type, mimetype, width: null, height: null, durationSeconds: null };
}

async function measurePicture(
  file: string,
  mimetype: string,
): Promise<Measured> {
  if (mimetype === "image/bmp")
    return { ...plain("image", mimetype), ...(await sizeOfBitmap(file)) };
  const { autoOrient } = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Refused(
        `This picture of type ${mimetype} is damaged or of a kind that cannot be read here.`,
      );
    });
  if (autoOrient.width * autoOrient.height > mostPixels)
    throw new Refused(
      `This picture has more than the ${mostPixels / 1_000_000} megapixels allowed.`,
    );
  return { ...plain("image", mimetype), ...sizeOf(autoOrient) };
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height };
}

/** Width and height stand at the same place in every bitmap with a header of forty bytes or more. */
async function sizeOfBitmap(file: string) {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(26), 0);
    if (bytesRead < 26 || buffer.readUInt32LE(14) < 40)
      throw new Refused("This bitmap is damaged.");
    return {
      width: Math.abs(buffer.readInt32LE(18)),
      height: Math.abs(buffer.readInt32LE(22)),
    };
  } finally {
    await handle.close();
  }
}

/** A film without sound, or only the sound: told by the tracks, not by the container. */
function measureMoving(media: MeasuredMedia): Measured {
  const { type: mimetype, tracks, lengthSeconds } = media;
  if (!tracks?.video && !tracks?.hasAudio)
    throw new Refused(
      `This file of type ${mimetype} is damaged or breaks off: its tracks cannot be read.`,
    );
  const durationSeconds =
    lengthSeconds === null ? null : Math.round(lengthSeconds * 1000) / 1000;
  const { video } = tracks;
  if (!video) return { ...plain("audio", mimetype), durationSeconds };
  return {
    ...plain("video", mimetype),
    ...{ ...sizeOf(video), durationSeconds },
  };
}
