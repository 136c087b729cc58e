// Navigation in the manager: a late response does not take the user back to the page that requested it.

import type { Locator } from "playwright";
import { expect, it } from "vitest";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager();

/** Clicks and navigates in one task, so that no response arrives in between. */
async function pressAndGo(pressed: Locator, to: string): Promise<void> {
  await pressed.evaluate((element: HTMLElement, hash) => {
    element.click();
    location.hash = hash;
  }, to);
}

const place = () => app.page.evaluate(() => location.hash);

it("an operator who deleted something before stays in the trash, and sees new entries in it", async () => {
  await app.add("Gone");
  await app.openLibrary();
  const { page } = app;
  const list = page.getByRole("listbox", { name: "Library" });
  await list.getByRole("option").first().click();
  await pressAndGo(
    page.getByRole("button", { name: "Move to trash" }),
    "#/library/trash",
  );
  await page.getByText("Moved “Gone” to trash").waitFor();
  await page.getByRole("button", { name: /^Restore “Gone”/ }).waitFor();
  expect(await place()).toBe("#/library/trash");
});

it("an operator who requested a new playlist, or a copy of one, stays on another page", async () => {
  const { page } = app;
  await page.evaluate(() => (location.hash = "#/playlists"));
  await pressAndGo(
    page.getByRole("button", { name: "New playlist" }).first(),
    "#/now",
  );
  await page.getByText(/^Created playlist/).waitFor();
  expect(await place()).toBe("#/now");

  await page.evaluate(() => (location.hash = "#/playlists"));
  await page.getByRole("button", { name: /^More actions for/ }).click();
  await pressAndGo(
    page.getByRole("menuitem", { name: "Duplicate" }),
    "#/activity",
  );
  await page.getByText(/^Created playlist .*copy/).waitFor();
  expect(await place()).toBe("#/activity");
});
