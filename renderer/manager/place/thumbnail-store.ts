// Keeps thumbnails: on the disk of the PC in the player's window, in the page's memory in a browser.

import { isBrowser } from "./abilities.ts";

/** A thumbnail has about 20 KB. */
const maxKept = 1000;
const kept = new Map<string, string>();

/** An address for an image; null when it still has to be made. `isNew`: past what the browser's cache knows of it. */
export function thumbnailAddress(hash: string, isNew: boolean): string | null {
  if (isBrowser) return kept.get(hash) ?? null;
  return `asset://thumbnail/${hash}${isNew ? "?made" : ""}`;
}

export async function keepThumbnail(
  hash: string,
  dataUrl: string,
): Promise<void> {
  if (!isBrowser) {
    await window.manager.keepThumbnail({ hash, dataUrl });
    return;
  }
  kept.set(hash, dataUrl);
  if (kept.size > maxKept)
    for (const oldest of kept.keys()) {
      kept.delete(oldest);
      break;
    }
}
