// One desk for all tests of a file, with nothing in its player at the beginning of each.

import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openDesk, type Desk } from "./desk.ts";
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
}

export function oneDesk(): OneDesk {
  let desk: Desk | null = null;
  const opened = (): Desk => {
    if (!desk) throw new Error("The desk is not open yet.");
    return desk;
  };
  beforeAll(async () => {
    desk = await openDesk();
  }, 60_000);
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
  };
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
    location.hash = "#/now";
  });
  await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
}
