// Help in the real app: searched and read by keyboard alone, offline, in both themes.

import { afterAll, beforeAll, expect, it } from "vitest";
import { seriousFaults, themeIsChosen } from "../../support/manager/axe.ts";
import { goTo, tabTo } from "../../support/manager/manager-page.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";

let manager: ManagerApp;

beforeAll(async () => {
  manager = await openManager();
});

afterAll(async () => {
  await manager.close();
  await manager.screen.close();
});

it("Help finds a section of any guide as one types, opens it there, and follows links, by keyboard alone", async () => {
  const { page } = manager;
  const { keyboard } = page;
  await goTo(page, "#/now");
  await page.getByRole("link", { name: /^Help/ }).press("Enter");
  await page.locator("#page-title:focus", { hasText: "Help" }).waitFor();
  await page.getByRole("link", { name: "A signage PC with Windows" }).waitFor();

  await tabTo(page, /^Search the guides/);
  await keyboard.type("shell launch");
  const results = page.getByRole("list", { name: "Search results" });
  await results.getByRole("link").first().waitFor();
  await keyboard.press("Control+a");
  await keyboard.type("V2-207");
  const rule = results.getByRole("link", { name: /^V2-207/ });
  await rule.waitFor();
  expect(await rule.locator("mark").first().textContent()).toBe("V2");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await themeIsChosen(manager);
    expect(await seriousFaults(manager)).toEqual([]);
  }
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowUp");
  await page.locator(".help-results a:focus").waitFor();
  await keyboard.press("ArrowUp");
  await page.locator(".help-search input:focus").waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  const chosen = page.locator("li:focus", { hasText: /^V2-207/ });
  await chosen.waitFor();
  expect(await chosen.isVisible()).toBe(true);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await themeIsChosen(manager);
    expect(await seriousFaults(manager)).toEqual([]);
  }

  // A link to a rule on the same page, and one to a rule on another.
  await chosen.getByRole("link", { name: "V2-385" }).press("Enter");
  const kinds = page.locator("li:focus", { hasText: /^V2-385/ });
  await kinds.getByRole("link", { name: "V2-302" }).press("Enter");
  await page.locator("li:focus", { hasText: /^V2-302/ }).waitFor();
  await page.getByRole("link", { name: "All guides" }).press("Enter");
  await page.getByRole("heading", { name: "API rules" }).waitFor();
});
