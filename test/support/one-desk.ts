// One desk for all tests of a file, with nothing in its player at the beginning of each.

import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { goTo } from "./desk-hand.ts";
import { openDesk, type Desk, type DeskWish } from "./desk.ts";
import { picture, type Colour } from "./media.ts";

export interface OneDesk {
  readonly desk: Desk;
  readonly page: Page;
  /** The page that is open in the frame. */
  readonly main: Locator;
  /** A picture of this colour that stays for ten minutes; answers its identifier. */
  add(name: string, colour?: Colour): Promise<string>;
  /** The names of the player's assets in the order of play. */
  order(): Promise<readonly string[]>;
  /** The library, once it shows just what the player has now: what the test before left is out of it. */
  openLibrary(): Promise<void>;
}

export function oneDesk(wish: DeskWish = {}): OneDesk {
  let desk: Desk | null = null;
  const opened = (): Desk => {
    if (!desk) throw new Error("The desk is not open yet.");
    return desk;
  };
  beforeAll(async () => {
    desk = await openDesk(wish);
  });
  afterAll(async () => {
    await desk?.close();
    await desk?.screen.close();
  });
  beforeEach(async () => {
    await empty(opened().page);
  });
  return {
    get desk() {
      return opened();
    },
    get page() {
      return opened().page;
    },
    get main() {
      return opened().page.locator("main");
    },
    add: async (name, colour = [10, 90, 10]) => {
      const wish = { name, mimetype: "image", duration: 600 };
      return (await opened().addFile(picture(colour), wish)).asset_id;
    },
    order: () =>
      opened().page.evaluate(async () =>
        (await window.manager.listAssets({})).map(({ name }) => name),
      ),
    openLibrary: async () => {
      const { page } = opened();
      await goTo(page, "#/library");
      await expect
        .poll(() => page.evaluate(shownAndHad))
        .toEqual({ same: true, shown: expect.any(Array) });
    },
  };
}

/** In the page: the assets that the library shows, and whether the player has these, in this order, and no others. */
async function shownAndHad() {
  const cards = document.querySelectorAll(".asset-list [data-asset]");
  const shown = [...cards].map((card) => card.getAttribute("data-asset"));
  const had = (await window.manager.listAssets({})).map(({ id }) => id);
  const same = had.join() === shown.join();
  const place = had.length > 0 ? ".asset-list" : ".empty";
  return { same: same && document.querySelector(place) !== null, shown };
}

async function empty(page: Page): Promise<void> {
  const panel = page.getByRole("dialog");
  if (await panel.isVisible()) {
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  }
  await page.evaluate(async () => {
    const ask = window.manager.operate;
    await ask({ operation: "endTakeover" });
    const assets = await window.manager.listAssets({});
    const ids = assets.map(({ id }) => id);
    if (ids.length > 0)
      await ask({ operation: "putInBin", body: { asset_ids: ids } });
    await ask({ operation: "emptyBin" });
  });
  await goTo(page, "#/now");
  // What has the screen no more is known here a moment later.
  await page.locator('.takeover-button[data-on="false"]').waitFor();
}
