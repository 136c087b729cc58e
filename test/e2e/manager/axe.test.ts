// Accessibility of the manager: no serious axe finding on any page, dialog or menu, in both themes, whatever the system's theme.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  colourRules,
  seriousFaults,
  themeIsChosen,
} from "../../support/manager/axe.ts";
import { goTo } from "../../support/manager/manager-page.ts";
import { fillShop } from "../../support/manager/manager-library.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import { extras } from "../screenshots/extras.ts";

let manager: ManagerApp;

beforeAll(async () => {
  manager = await openManager();
  await fillShop(manager);
  await fetch(`${manager.api}/api/v2/tokens`, {
    ...{ method: "POST", body: '{"name":"a token"}' },
    headers: { "Content-Type": "application/json" },
  });
});

afterAll(async () => {
  await manager.close();
  await manager.screen.close();
});

const pages = [
  ...["screens", "library", "playlists", "schedule", "connections"],
  ...["activity", "reports"],
  ...["settings/screen", "settings/kiosk", "settings/access"],
  ...["settings/backup", "settings/manager", "settings/about"],
];
/** Actions that cannot be undone, in white on red. */
const grave: typeof extras = {
  "library-trash-question": async (shown) => {
    const putBack = await extras["library-trash"]?.(shown);
    await shown.page.getByRole("button", { name: "Empty trash" }).click();
    return async () => {
      await shown.page.getByRole("button", { name: "Cancel" }).click();
      await putBack?.();
    };
  },
};
const over = [
  ...["library-details", "library-several", "library-list", "commands"],
  ...["takeover"],
  ...["first-run-1", "first-run-2", "first-run-3"],
  ...["library-trash", "library-trash-question"],
  ...["screens-table", "screens-tiles", "screens-details", "screens-several"],
  "screens-outages",
];

describe.each(["light", "dark"] as const)(
  "the manager in its %s theme",
  (theme) => {
    const faults = () =>
      seriousFaults(
        manager,
        "body",
        theme === "light" ? undefined : colourRules,
      );

    beforeAll(async () => {
      const reducedMotion = "reduce";
      await manager.page.emulateMedia({ colorScheme: theme, reducedMotion });
    });

    it("has no serious accessibility violation on its first page and in the frame around every page", async () => {
      await goTo(manager.page, "#/now");
      expect(await faults()).toEqual([]);
    });

    it.each(pages)(
      "has no serious accessibility violation on the page %s",
      async (page) => {
        await goTo(manager.page, `#/${page}`);
        expect(await faults()).toEqual([]);
      },
    );

    it.each(over)(
      "has no serious accessibility violation with %s open",
      async (name) => {
        const putBack = await { ...extras, ...grave }[name]?.(manager);
        try {
          expect(await faults()).toEqual([]);
        } finally {
          await putBack?.();
        }
      },
    );
  },
);

describe.each([
  ["Dark", "light"],
  ["Light", "dark"],
  ["Dark", "dark"],
  ["Light", "light"],
] as const)(
  "the manager whose appearance is %s on a system that is %s",
  (appearance, system) => {
    const scheme = appearance === "Dark" ? "dark" : "light";

    async function choose(name: string): Promise<void> {
      await goTo(manager.page, "#/settings/manager");
      const choice = manager.page.getByRole("radiogroup", {
        name: "Appearance",
      });
      await choice.getByText(name, { exact: true }).click();
      await themeIsChosen(manager);
    }

    beforeAll(async () => {
      const reducedMotion = "reduce";
      await manager.page.emulateMedia({ colorScheme: system, reducedMotion });
      await choose(appearance);
    });
    afterAll(() => choose("System default"));

    it("has one background everywhere, with matching text and controls", async () => {
      const brightness = await manager.page.evaluate(() => {
        const colourOf = (what: string, property: string): number => {
          const element = document.querySelector(what);
          if (!element) throw new Error(`There is no ${what}.`);
          const colour = getComputedStyle(element).getPropertyValue(property);
          const [red = 0, green = 0, blue = 0] = (
            colour.match(/[\d.]+/g) ?? []
          ).map(Number);
          return (red + green + blue) / 3 / 255;
        };
        return {
          scheme: getComputedStyle(document.documentElement).colorScheme,
          grounds: ["body", ".rail", "main input"].map((what) =>
            colourOf(what, "background-color"),
          ),
          letters: ["body", "#page-title", "main input"].map((what) =>
            colourOf(what, "color"),
          ),
        };
      });
      const isDark = scheme === "dark";
      expect(brightness.scheme).toBe(scheme);
      for (const ground of brightness.grounds)
        expect(ground < 0.3).toBe(isDark);
      for (const letter of brightness.letters)
        expect(letter > 0.7).toBe(isDark);
    });

    it.each(["settings/manager", "playlists", "library"])(
      "has no serious accessibility violation on the page %s",
      async (page) => {
        await goTo(manager.page, `#/${page}`);
        expect(await seriousFaults(manager, "body", colourRules)).toEqual([]);
      },
    );
  },
);
