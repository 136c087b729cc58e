// Confirmation dialogs and menus in the manager of the real app, by keyboard alone: where the focus is after they close.

import { expect, it } from "vitest";
import { addCloudSwitchedOff } from "../support/manager/disabled-connection.ts";
import { goTo } from "../support/manager/manager-page.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager();
const question = () => app.page.getByRole("alertdialog");

/** The focused element: its name, or its value if it has none. */
async function focused(): Promise<string> {
  return app.page.evaluate(() => {
    const { activeElement: one } = document;
    if (one instanceof HTMLInputElement) return one.value;
    if (one === document.body) return "nothing";
    return one?.getAttribute("aria-label") ?? one?.textContent ?? "";
  });
}

async function answer(name: string): Promise<void> {
  await question().getByRole("button", { name }).press("Enter");
  await question().waitFor({ state: "detached" });
}

it("returns the focus to the choice that opened the dialog", async () => {
  const { page } = app;
  await goTo(page, "#/settings/kiosk");
  await page.locator("[data-setting=profile] input:checked").focus();
  await page.keyboard.press("ArrowLeft");
  await question().waitFor();
  await answer("Cancel");
  await expect.poll(focused).toBe("unattended");
});

it("returns the focus to the menu button that opened the dialog, and to the page's title where that is gone", async () => {
  const { page } = app;
  await addCloudSwitchedOff(page);
  await goTo(page, "#/connections");
  const more = page.getByRole("button", { name: /^More actions for .*Office/ });
  for (const [no, goal] of [
    ["Cancel", /^More actions for .*Office/],
    ["Disconnect", /^Connections$/],
  ] as const) {
    await more.press("Enter");
    await page.getByRole("menuitem", { name: "Disconnect" }).press("Enter");
    await question().waitFor();
    await answer(no);
    await expect.poll(focused).toMatch(goal);
  }
});

it("opens a dialog from a menu with the focus on the safe choice, and Escape cancels it", async () => {
  const { page } = app;
  await addCloudSwitchedOff(page, "Branch");
  await goTo(page, "#/connections");
  const more = page.getByRole("button", { name: /^More actions for .*Branch/ });
  await more.press("Enter");
  const item = page.getByRole("menuitem", { name: "Disconnect" });
  await item.press("Enter");
  await item.waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Cancel");
  await page.keyboard.press("Escape");
  await question().waitFor({ state: "detached" });
  await expect.poll(focused).toMatch(/^More actions for .*Branch/);
  await more.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await expect.poll(focused).toMatch(/^More actions for .*Branch/);
});

it("closes a menu by Escape at once, also before the menu has the focus", async () => {
  const { page } = app;
  await addCloudSwitchedOff(page, "Yard");
  await goTo(page, "#/connections");
  const more = page.getByRole("button", { name: /^More actions for .*Yard/ });
  await more.focus();
  // Both within one task of the page, so that nothing the menu defers runs in between.
  await more.evaluate((button: HTMLElement) => {
    button.click();
    button.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Escape", bubbles: true }),
    );
  });
  await page.getByRole("menu").waitFor({ state: "detached" });
  await expect.poll(focused).toMatch(/^More actions for .*Yard/);
});

it("keeps the focus on the button of a menu that is closed by Escape just as it appears", async () => {
  const { page } = app;
  await addCloudSwitchedOff(page, "Mill");
  await goTo(page, "#/connections");
  const more = page.getByRole("button", { name: /^More actions for .*Mill/ });
  await more.focus();
  // In the same task in which the menu is rendered: it takes the focus one task later, while it already fades out.
  await more.evaluate((button: HTMLElement) => {
    const appears = new MutationObserver(() => {
      if (!document.querySelector("[role=menu]")) return;
      appears.disconnect();
      button.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true }),
      );
    });
    appears.observe(document.body, { childList: true, subtree: true });
    button.click();
  });
  await page.getByRole("menu").waitFor({ state: "detached" });
  await expect.poll(focused).toMatch(/^More actions for .*Mill/);
});

it("returns the focus to the button that opened a connection form, whether it is saved or cancelled", async () => {
  const { page } = app;
  await addCloudSwitchedOff(page, "Depot");
  await goTo(page, "#/connections");
  const more = page.getByRole("button", { name: /^More actions for .*Depot/ });
  const name = page.getByLabel("Name", { exact: true });
  for (const [key, place] of [
    ["Escape", name],
    ["Enter", page.getByRole("button", { name: "Cancel" })],
    ["Enter", name],
  ] as const) {
    await more.press("Enter");
    await page.getByRole("menuitem", { name: "Settings" }).press("Enter");
    await expect.poll(focused).toBe("Depot");
    await place.press(key);
    await name.waitFor({ state: "detached" });
    await expect.poll(focused).toMatch(/^More actions for .*Depot/);
  }
  const connect = page.getByRole("button", {
    name: "Connect a content service",
  });
  await connect.press("Enter");
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await connect.waitFor();
  await expect.poll(focused).toBe("Connect a content service");
});
