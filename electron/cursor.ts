// No pointer on the glass, whatever a page wishes.

import type { WebContents, WebFrameMain } from "electron";

const hidden = "*, *::before, *::after { cursor: none !important }";

// As a sheet made by script it needs no leave from the page's content policy; in a layer it outweighs the page's own sheets.
const code = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@layer { ${hidden} }");
  document.adoptedStyleSheets.push(sheet);
}`;

/** In every frame of these contents, on every page they come to. */
export function hideCursor(contents: WebContents): void {
  // The main frame may have been there before: one that was kept ready, or one around which another lies.
  contents.on("dom-ready", () => {
    // As the user's own sheet it outweighs every wish of the page's, and holds in shadow trees.
    contents.insertCSS(hidden, { cssOrigin: "user" }).catch(() => undefined);
  });
  // Electron has that for the main frame alone.
  contents.on("frame-created", (_event, { frame }) => {
    if (frame?.parent) frame.on("dom-ready", () => hideIn(frame));
  });
}

function hideIn(frame: WebFrameMain): void {
  // A frame that has gone meanwhile has no pointer to hide.
  frame.executeJavaScript(code).catch(() => undefined);
}
