// Identifier of this tab: the same after a reload of the page, another one in a copy of the tab.

import { randomId } from "./random-id.ts";

const storedUnder = "vitrine-tab";

/** A copy of the tab has what is stored while the page is open: nothing. */
export const tabId: string = taken() ?? randomId();

function taken(): string | null {
  if (!("sessionStorage" in globalThis)) return null;
  const id = sessionStorage.getItem(storedUnder);
  sessionStorage.removeItem(storedUnder);
  return id;
}

if ("addEventListener" in globalThis) {
  addEventListener("pagehide", () => {
    sessionStorage.setItem(storedUnder, tabId);
  });
  // It comes back from the browser's cache of pages.
  addEventListener("pageshow", () => {
    sessionStorage.removeItem(storedUnder);
  });
}
