// Saves text where the operator chooses: with the system's dialog in the player's window, as a download in a browser.

import type { Saved } from "../../../server/contract/ipc/ipc-pc.ts";
import { isBrowser } from "../place/abilities.ts";

/** Null when the operator cancelled. */
export async function saveText(
  suggestedName: string,
  text: string,
): Promise<Saved> {
  if (!isBrowser) return window.manager.saveText({ suggestedName, text });
  downloadContent(suggestedName, text);
  return { path: suggestedName };
}

/** In a browser. */
export function downloadContent(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content]));
  download(address, name);
  // The download has its own reference by then.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}

export function download(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
