// A script of the asset's, run in the page's own world at every document it comes to.

import { randomBytes } from "node:crypto";
import type { WebContents } from "electron";

/** What goes wrong in it stays in it; the page knows nothing of it (V2-174). */
export function runScript(contents: WebContents, code: string): void {
  const guarded = onceForADocument(code);
  contents.on("dom-ready", () => {
    contents.mainFrame.executeJavaScript(guarded).catch(() => undefined);
  });
}

/** Once for each document, however often it is asked for; a page's own policy against evaluated text does not reach it. */
function onceForADocument(code: string): string {
  const mark = JSON.stringify(`_${randomBytes(8).toString("hex")}`);
  return `if (!Object.hasOwn(document, ${mark})) {
Object.defineProperty(document, ${mark}, { value: true });
${code}
}`;
}
