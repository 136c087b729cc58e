// Creates thumbnails in the browser, which already knows every format: once per file, one at a time, the latest request first.

import type { AssetView } from "../api/asset-view.ts";
import { can } from "../place/abilities.ts";
import { whenIdle } from "../place/idle-time.ts";
import { keepThumbnail } from "../place/thumbnail-store.ts";
import { thumbnailOfPdf } from "./pdf-thumbnails.ts";
import { transport } from "../transport/transport.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

/** Half as large again as a card: sharp enough on a high-density display, and cheap to draw. */
const longestSide = 320;
/** Position in a video, since many begin with black. */
const intoVideoSeconds = 1;
const timeoutMs = 8_000;
const tryAgainMs = 60_000;

export type ThumbnailKind = Extract<
  AssetView["kind"],
  "image" | "video" | "pdf"
>;

interface ThumbnailRequest {
  readonly hash: string;
  readonly kind: ThumbnailKind;
  readonly fileUrl: string;
  readonly done: (isMade: boolean) => void;
}

const queue: ThumbnailRequest[] = [];
/** Of the last minute: the file may be fine, and the network, the disk or the processor was not. */
const failedHashes = new Set<string>();
let isMaking = false;

export function hasThumbnail(kind: AssetView["kind"]): kind is ThumbnailKind {
  // A PDF is drawn by the stage in a frame.
  return (
    kind === "image" || kind === "video" || (kind === "pdf" && can("preview"))
  );
}

/** `asset://store/<hash>` → `<hash>` */
export function hashOf(fileUrl: string): string {
  return fileUrl.slice(fileUrl.lastIndexOf("/") + 1);
}

/** Calls back once; the returned function cancels the request. */
export function requestThumbnail(
  kind: ThumbnailKind,
  fileUrl: string,
  done: (isMade: boolean) => void,
): () => void {
  const hash = hashOf(fileUrl);
  if (failedHashes.has(hash)) {
    done(false);
    return () => undefined;
  }
  const request: ThumbnailRequest = { hash, kind, fileUrl, done };
  queue.push(request);
  if (!isMaking) makeAll().catch(notifyInternalError);
  return () => {
    const place = queue.indexOf(request);
    if (place !== -1) queue.splice(place, 1);
  };
}

async function makeAll(): Promise<void> {
  isMaking = true;
  try {
    for (;;) {
      const request = queue.pop();
      if (!request) break;
      await quietMoment();
      request.done(await make(request));
    }
  } finally {
    isMaking = false;
  }
}

/** Scrolling and typing come first. */
function quietMoment(): Promise<void> {
  return new Promise((resolve) => {
    whenIdle(resolve, 500);
  });
}

async function make({
  hash,
  kind,
  fileUrl,
}: ThumbnailRequest): Promise<boolean> {
  try {
    const dataUrl = await imageOf(kind, fileUrl);
    await keepThumbnail(hash, dataUrl);
    return true;
  } catch {
    failedHashes.add(hash);
    setTimeout(() => failedHashes.delete(hash), tryAgainMs);
    return false;
  }
}

async function imageOf(kind: ThumbnailKind, fileUrl: string): Promise<string> {
  if (kind === "pdf") return thumbnailOfPdf(fileUrl, longestSide);
  if (kind === "image" && transport.readThumbnail)
    return addressOfBlob(await transport.readThumbnail(fileUrl));
  if (kind === "image")
    return scaledDown(await loadImage(fileUrl), longestSide);
  const video = document.createElement("video");
  try {
    await loadFrame(video, fileUrl);
    return await scaledDown(video, longestSide);
  } finally {
    // Otherwise it would continue to load, and keep one of the browser's few connections.
    video.removeAttribute("src");
    video.load();
  }
}

async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.crossOrigin = "anonymous";
  image.src = address;
  await image.decode();
  return image;
}

async function loadFrame(
  video: HTMLVideoElement,
  address: string,
): Promise<void> {
  video.crossOrigin = "anonymous";
  video.muted = true;
  video.preload = "auto";
  video.src = address;
  await nextEvent(video, "loadedmetadata");
  video.currentTime = Math.min(intoVideoSeconds, video.duration / 2 || 0);
  await nextEvent(video, "seeked");
}

function nextEvent(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error("This video has no image."));
    }, timeoutMs);
    video.addEventListener(
      event,
      () => {
        clearTimeout(late);
        resolve();
      },
      { once: true },
    );
    video.addEventListener("error", () => {
      clearTimeout(late);
      reject(new Error("This video cannot be read."));
    });
  });
}

/** As a data URL of a WebP. */
export async function scaledDown(
  source: HTMLImageElement | HTMLVideoElement,
  maxSide: number,
): Promise<string> {
  const { width, height } = sizeOf(source);
  const part = Math.min(1, maxSide / Math.max(width, height, 1));
  const [across, down] = [width, height].map((side) =>
    Math.max(1, Math.round(side * part)),
  ) as [number, number];
  // Decoded and scaled down off the main thread.
  const small = await createImageBitmap(source, {
    ...{ resizeWidth: across, resizeHeight: down, resizeQuality: "medium" },
  });
  const canvas = new OffscreenCanvas(across, down);
  canvas.getContext("2d")?.drawImage(small, 0, 0);
  small.close();
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
  return addressOfBlob(blob);
}

function sizeOf(source: HTMLImageElement | HTMLVideoElement): {
  readonly width: number;
  readonly height: number;
} {
  return source instanceof HTMLVideoElement
    ? { width: source.videoWidth, height: source.videoHeight }
    : { width: source.naturalWidth, height: source.naturalHeight };
}

function addressOfBlob(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      if (typeof reader.result === "string") resolve(reader.result);
    };
    reader.onerror = () => {
      reject(new Error("This image cannot be read."));
    };
    reader.readAsDataURL(blob);
  });
}
