// Closes web contents: one whose process hangs reacts to nothing, and is terminated with its process.

import type { WebContents } from "electron";

/** Until then a process that does not hang has closed them. */
const closingMs = 2000;

export function closeContents(contents: WebContents): void {
  if (contents.isDestroyed()) return;
  contents.close();
  setTimeout(() => {
    if (!contents.isDestroyed()) contents.forcefullyCrashRenderer();
  }, closingMs);
}
