// Screenshot of a view, with a deadline: a capture may never resolve while drawing has stalled.

import type { NativeImage, Rectangle, WebContents } from "electron";
import { playerSentences } from "../../server/contract/sentences/player-sentences.ts";
import { Failure } from "../../server/contract/ipc/ipc.ts";

const screenshotTimeoutMs = 5000;

/** Of the whole view or a part of it; rejects where none arrives in time. */
export function captureView(
  contents: Pick<WebContents, "capturePage">,
  part?: Rectangle,
): Promise<NativeImage> {
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const failure = new Failure(
      "unavailable",
      playerSentences["screenshot-failed"],
    );
    late = setTimeout(() => reject(failure), screenshotTimeoutMs);
  });
  const image = contents.capturePage(part);
  return Promise.race([image, silence]).finally(() => clearTimeout(late));
}

/**
 * Four bytes per pixel, the last of them its opacity; null where nothing was drawn. A page whose painted layers were lost with
 * the GPU process still yields a screenshot, but a transparent one. Tested in the middle, since a view's corners may be open.
 */
export function drawnPixels(
  image: Pick<NativeImage, "isEmpty" | "toBitmap">,
): Buffer | null {
  if (image.isEmpty()) return null;
  const pixels = image.toBitmap();
  const middle = Math.floor(pixels.length / 8) * 4;
  return (pixels[middle + 3] ?? 0) > 0 ? pixels : null;
}
