// Evidence from the stage's page for screen verification: media times of its videos, and whether an image is of one colour.

import type { WebContents } from "electron";

/** Isolated from the page's own scripts. */
const world = 997;
/** A page that hangs does not answer; its media times then count as frozen. */
const timesWithinMs = 1000;
/** Decoding a huge image takes time. */
const screenshotTimeoutMs = 5000;

async function evaluate(
  contents: WebContents | null,
  code: string,
  withinMs: number,
): Promise<unknown> {
  if (!contents || contents.isDestroyed()) return null;
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    late = setTimeout(() => resolve(null), withinMs);
  });
  const answer = contents
    .executeJavaScriptInIsolatedWorld(world, [{ code }])
    .catch(() => null);
  return Promise.race([answer, silence]).finally(() => clearTimeout(late));
}

/** Current time of each video of the page, in seconds; empty when the page does not answer. */
export async function mediaTimes(
  contents: WebContents | null,
): Promise<readonly number[]> {
  const times = await evaluate(
    contents,
    `[...document.querySelectorAll("video")]
      .filter((video) => video.currentSrc !== "")
      .map((video) => video.currentTime)`,
    timesWithinMs,
  );
  return Array.isArray(times) ? (times as number[]) : [];
}

/** Whether the decoded pixels of an image from the store are of one colour; null when that cannot be determined. */
export async function isOneColoured(
  contents: WebContents | null,
  url: string,
): Promise<boolean | null> {
  if (!url.startsWith("asset:")) return null;
  const isPlain = await evaluate(
    contents,
    `(async () => {
      const image = new Image();
      image.crossOrigin = "anonymous";
      image.src = ${JSON.stringify(url)};
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = 256;
      canvas.height = 256;
      const pen = canvas.getContext("2d", { willReadFrequently: true });
      pen.imageSmoothingQuality = "high";
      pen.fillRect(0, 0, 256, 256);
      pen.drawImage(image, 0, 0, 256, 256);
      const { data } = pen.getImageData(0, 0, 256, 256);
      return data.every((value, at) => at % 4 === 3 || Math.abs(value - data[at % 4]) <= 6);
    })()`,
    screenshotTimeoutMs,
  );
  return typeof isPlain === "boolean" ? isPlain : null;
}
