// Small pictures of the screen for those who look at it from elsewhere: scaled down here, encoded in a process of its own.

import { hash } from "node:crypto";
import type { NativeImage } from "electron";
import { playerSentences } from "../../server/contract/sentences/player-sentences.ts";
import { Failure } from "../../server/contract/ipc/ipc.ts";
import { livePictureLimits } from "../../server/contract/link/link.ts";
import { createPictureEncoder } from "../../server/platform/media/picture-encoder.ts";
import type { ScreenPicture } from "../../server/player/sync/sync.ts";
import { drawnPixels } from "./view-screenshot.ts";

/** Several services that look at once get the same picture: the screen is captured once. */
const sharedMs = 700;

export function createLivePicture(
  capture: () => Promise<NativeImage>,
  encoder = createPictureEncoder(),
): () => Promise<ScreenPicture> {
  let last: {
    readonly atMs: number;
    readonly picture: Promise<ScreenPicture>;
  } | null = null;

  async function take(): Promise<ScreenPicture> {
    const image = scaledDown(await capture());
    const pixels = drawnPixels(image);
    if (!pixels)
      throw new Failure("unavailable", playerSentences["screenshot-failed"]);
    const size = sizeOf(image, pixels);
    let encoding: Promise<Uint8Array> | null = null;
    return {
      mark: hash("sha256", pixels, "base64url"),
      encode: () =>
        (encoding ??= encoder.encode({
          ...{ pixels, ...size, maxBytes: livePictureLimits.bytes },
        })),
    };
  }

  return () => {
    const atMs = performance.now();
    if (last && atMs - last.atMs < sharedMs) return last.picture;
    const picture = take();
    last = { atMs, picture };
    return picture;
  };
}

function scaledDown(image: NativeImage): NativeImage {
  const { width, height } = image.getSize();
  const scale = livePictureLimits.side / Math.max(width, height, 1);
  // Also where it is not larger: a capture of a display with a scale factor has more pixels than its size tells.
  const factor = Math.min(1, scale);
  return image.resize({
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
    quality: "good",
  });
}

/** In pixels of the bitmap. */
function sizeOf(
  image: NativeImage,
  pixels: Buffer,
): { readonly width: number; readonly height: number } {
  const { width, height } = image.getSize();
  const factor = Math.sqrt(pixels.length / 4 / (width * height));
  return {
    width: Math.round(width * factor),
    height: Math.round(height * factor),
  };
}
