// Editing together: two browsers and the player's window have the same playlist open. Each sees the others' changes, and nothing is
// overwritten silently.

import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { untilAllHaveRun } from "../../support/folder.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

const nameIn = (page: Page) => page.locator(".playlist-name-field input");
const itemsIn = (page: Page) =>
  page
    .getByRole("list", { name: "Items", exact: true })
    .locator(".item-name")
    .allInnerTexts();

it("[V2-807] two browsers and the window edit one playlist: all changes meet, and of two names both are shown", async () => {
  const ids = [];
  for (const name of ["A", "B", "C"]) ids.push(await app.add(name));
  const { playlist_id: id } = await app.openPlaylist("Lunch", { items: ids });
  const stored = () => app.elsewhere<PlaylistV2>("GET", `/playlists/${id}`);
  const at = `${app.manager.api}/#/playlists/${id}`;
  const [anna, ben] = [await browser.open(at), await browser.open(at)];
  const everybody = [app.page, anna, ben];
  for (const page of everybody)
    await expect.poll(() => itemsIn(page)).toEqual(["A", "B", "C"]);

  // Different items at once: both changes are kept, and everybody sees both.
  const remove = (page: Page, name: string) =>
    page.getByRole("button", { name: `Remove “${name}”`, exact: true }).click();
  await Promise.all([remove(anna, "A"), remove(ben, "C")]);
  for (const page of everybody)
    await expect.poll(() => itemsIn(page)).toEqual(["B"]);

  // Different fields at once.
  const length = anna.locator(".item-duration input, input.item-duration");
  await length.first().fill("25");
  await nameIn(ben).fill("Brunch");
  await Promise.all([
    length.first().press("Enter"),
    nameIn(ben).press("Enter"),
  ]);
  await expect
    .poll(async () => {
      const { name, items } = await stored();
      return [name, items[0]?.duration];
    })
    .toEqual(["Brunch", 25]);
  for (const page of everybody)
    await expect.poll(() => nameIn(page).inputValue()).toBe("Brunch");

  // The same field: the second person sees both versions, and decides.
  await nameIn(anna).fill("Anna’s");
  await nameIn(ben).fill("Ben’s");
  await nameIn(ben).press("Enter");
  await anna.getByText("Changed elsewhere to “Ben’s”").waitFor();
  await nameIn(anna).press("Enter");
  expect(await nameIn(anna).inputValue()).toBe("Anna’s");
  await expect.poll(() => nameIn(app.page).inputValue()).toBe("Ben’s");
  await anna.getByRole("button", { name: "Keep mine", exact: true }).click();
  for (const page of everybody)
    await expect.poll(() => nameIn(page).inputValue()).toBe("Anna’s");

  // At the very same moment: one is stored, the other is shown both.
  await nameIn(anna).fill("One");
  await nameIn(ben).fill("Two");
  await Promise.all([anna, ben].map((page) => nameIn(page).press("Enter")));
  const report = (page: Page) => page.getByText("Changed elsewhere to “");
  const losing = async () => {
    const { name } = await stored();
    const loser = name === "One" ? ben : anna;
    return [
      ["One", "Two"].includes(name),
      await report(loser).count(),
      (await nameIn(app.page).inputValue()) === name,
    ];
  };
  await expect.poll(losing).toEqual([true, 1, true]);
  expect(await nameIn(anna).inputValue()).toBe("One");
  expect(await nameIn(ben).inputValue()).toBe("Two");
});
