// A picture of what a view shows, with a deadline: one that is asked for may never come while what draws stands still.

import type { NativeImage, Rectangle, WebContents } from "electron";
import { Failure } from "../../server/contract/ipc/ipc.ts";

const screenshotTimeoutMs = 5000;

/** Of the whole view or a part of it; rejects where none comes in time. */
export function pictureOf(
  contents: Pick<WebContents, "capturePage">,
  part?: Rectangle,
): Promise<NativeImage> {
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const failure = new Failure("unavailable", "The glass gave no picture.");
    late = setTimeout(() => reject(failure), screenshotTimeoutMs);
  });
  const picture = contents.capturePage(part);
  return Promise.race([picture, silence]).finally(() => clearTimeout(late));
}

/**
 * Four bytes a pixel, the last of them how opaque it is; null where nothing was drawn. A page whose painted layers went
 * with the graphics still gives a picture, but a transparent one. In the middle, since a view's corners may be open.
 */
export function drawnPixels(
  picture: Pick<NativeImage, "isEmpty" | "toBitmap">,
): Buffer | null {
  if (picture.isEmpty()) return null;
  const pixels = picture.toBitmap();
  const middle = Math.floor(pixels.length / 8) * 4;
  return (pixels[middle + 3] ?? 0) > 0 ? pixels : null;
}
