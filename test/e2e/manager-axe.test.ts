// Every page of the desk, and what opens over it, held against axe in both themes: nothing serious.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "../support/axe.ts";
import { goTo } from "../support/desk-hand.ts";
import { fillShop } from "../support/desk-library.ts";
import { openDesk, type Desk } from "../support/desk.ts";
import { extras } from "./screenshots/extras.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
  await fillShop(desk);
  await fetch(`${desk.api}/api/v2/tokens`, {
    ...{ method: "POST", body: '{"name":"a token"}' },
    headers: { "Content-Type": "application/json" },
  });
}, 60_000);

afterAll(async () => {
  await desk.close();
  await desk.screen.close();
});

const pages = [
  ...["library", "playlists", "schedule", "cloud", "activity", "reports"],
  ...["settings/screen", "settings/kiosk", "settings/access"],
  ...["settings/backup", "settings/desk", "settings/about"],
];
const over = [
  ...["library-details", "library-several", "library-list", "commands"],
  ...["takeover", "first-run-1", "first-run-2", "first-run-3"],
];

describe.each(["light", "dark"] as const)(
  "the desk in its %s theme",
  (theme) => {
    beforeAll(async () => {
      const reducedMotion = "reduce";
      await desk.page.emulateMedia({ colorScheme: theme, reducedMotion });
    });

    it("has nothing serious on its first page and in the frame around every page", async () => {
      await goTo(desk.page, "#/now");
      expect(await seriousFaults(desk, "body")).toEqual([]);
    });

    it.each(pages)("has nothing serious on the page %s", async (page) => {
      await goTo(desk.page, `#/${page}`);
      expect(await seriousFaults(desk, "body")).toEqual([]);
    });

    it.each(over)("has nothing serious with %s open", async (name) => {
      const putBack = await extras[name]?.(desk);
      try {
        expect(await seriousFaults(desk, "body")).toEqual([]);
      } finally {
        await putBack?.();
      }
    });
  },
);
