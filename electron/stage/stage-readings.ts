// Evidence from the stage's page for screen verification: media times of its videos, and whether an image may be of one colour.

import type { WebContents } from "electron";
import type { ShowingContent } from "../../server/contract/ipc/ipc.ts";

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

/**
 * Whether an image from the store may look like one colour: what is visible of it is of one colour, or it is animated, and so may
 * have such frames (V2-679). Null when that cannot be determined.
 */
export async function mayBeOneColoured(
  contents: WebContents | null,
  { url, fit }: Extract<ShowingContent, { kind: "image" }>,
): Promise<boolean | null> {
  if (!url.startsWith("asset:")) return null;
  const answer = await evaluate(
    contents,
    `(${inspectImage})(${JSON.stringify(url)}, ${JSON.stringify(fit)})`,
    screenshotTimeoutMs,
  );
  return typeof answer === "boolean" ? answer : null;
}

/** A canvas draws an animated image as its first frame, whichever is visible. */
const inspectImage = `async (url, fit) => {
  const image = new Image();
  image.crossOrigin = "anonymous";
  image.src = url;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const { clientWidth, clientHeight } = document.querySelector(".layer");
  const scale = fit === "fit" ? 0
    : fit === "fill" ? Math.max(clientWidth / width, clientHeight / height)
    : 1 / devicePixelRatio;
  const seenWidth = scale > 0 ? Math.min(width, clientWidth / scale) : width;
  const seenHeight = scale > 0 ? Math.min(height, clientHeight / scale) : height;
  const canvas = document.createElement("canvas");
  canvas.width = 256;
  canvas.height = 256;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.imageSmoothingQuality = "high";
  pen.fillRect(0, 0, 256, 256);
  pen.drawImage(
    image, (width - seenWidth) / 2, (height - seenHeight) / 2, seenWidth, seenHeight, 0, 0, 256, 256,
  );
  const { data } = pen.getImageData(0, 0, 256, 256);
  if (data.every((value, at) => at % 4 === 3 || Math.abs(value - data[at % 4]) <= 6)) return true;
  const file = await fetch(url);
  const type = file.headers.get("content-type") ?? "";
  if (!(await ImageDecoder.isTypeSupported(type))) return false;
  const decoder = new ImageDecoder({ type, data: file.body });
  try {
    await decoder.completed;
    return decoder.tracks.selectedTrack?.animated === true;
  } finally {
    decoder.close();
  }
}`;
