// Identifier of this tab: the same after a reload of the page, another one in a copy of the tab.

import { randomId } from "./random-id.ts";
import { takeStored } from "./tab-storage.ts";

const storedUnder = "vitrine-tab";

/** A copy of the tab has what is stored while the page is open: nothing. */
export const tabId: string = takeStored(storedUnder) ?? randomId();

if ("addEventListener" in globalThis) {
  addEventListener("pagehide", () => {
    sessionStorage.setItem(storedUnder, tabId);
  });
  // It comes back from the browser's cache of pages.
  addEventListener("pageshow", () => {
    sessionStorage.removeItem(storedUnder);
  });
}
