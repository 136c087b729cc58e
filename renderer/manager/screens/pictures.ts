// Latest screenshots of screens as small images for the tiles: fetched a few at a time, and scaled down.

import { scaledDown } from "../assets/thumbnails.ts";
import type { ScreenItem } from "../fleet/find-screens.ts";
import { bridge } from "../transport/bridge.ts";

export interface Picture {
  readonly dataUrl: string;
  /** Null where the service does not tell. */
  readonly takenAt: string | null;
}

interface PictureRequest {
  readonly item: ScreenItem;
  readonly done: () => void;
}

/** Wide enough for a tile on a high-density display. */
const longestSide = 480;
const atOnce = 3;
/** Far more tiles than a window shows. */
const maxPictures = 400;

interface StoredPicture extends Picture {
  readonly pictureKey: string;
}

/** The latest of each screen, the least recently used first. */
const pictures = new Map<string, StoredPicture>();
/** Not tried again before the screen has another. */
const failed = new Map<string, string>();
const queue: PictureRequest[] = [];
let running = 0;

/** The latest picture of a screen that is here, even if the service has a newer one. */
export function pictureOf({ key }: ScreenItem): Picture | null {
  return pictures.get(key) ?? null;
}

/** Calls back once if there is a newer picture; the returned function cancels the request. */
export function requestPicture(item: ScreenItem, done: () => void): () => void {
  const pictureKey = item.screen.screenshot?.key;
  const isHere = pictures.get(item.key)?.pictureKey === pictureKey;
  if (pictureKey === undefined || isHere || failed.get(item.key) === pictureKey)
    return () => undefined;
  const request: PictureRequest = { item, done };
  queue.push(request);
  startNext();
  return () => {
    const place = queue.indexOf(request);
    if (place !== -1) queue.splice(place, 1);
  };
}

function startNext(): void {
  if (running >= atOnce) return;
  const request = queue.shift();
  if (!request) return;
  running += 1;
  load(request.item)
    .then(request.done, () => undefined)
    .finally(() => {
      running -= 1;
      startNext();
    })
    // Everything above is caught.
    .catch(() => undefined);
}

async function load({ key, serviceId, screen }: ScreenItem): Promise<void> {
  const { key: pictureKey, taken_at: takenAt } = screen.screenshot ?? {};
  if (pictureKey === undefined) return;
  try {
    const picture = await bridge().readScreenPicture({
      ...{ serviceId, screenId: screen.id },
    });
    if (picture === null) return;
    const dataUrl = await smallOf(picture.dataUrl);
    pictures.delete(key);
    pictures.set(key, { dataUrl, pictureKey, takenAt: takenAt ?? null });
    failed.delete(key);
    const [oldest] = pictures.keys();
    if (pictures.size > maxPictures && oldest !== undefined)
      pictures.delete(oldest);
  } catch (error) {
    failed.set(key, pictureKey);
    throw error;
  }
}

async function smallOf(dataUrl: string): Promise<string> {
  const image = new Image();
  image.src = dataUrl;
  await image.decode();
  return scaledDown(image, longestSide);
}
