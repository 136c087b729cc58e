// Switching from the desk profile to an unattended screen in the real app: confirmed before, and kept behind the open manager.

import { expect, it, onTestFinished } from "vitest";
import { goTo } from "../../support/manager/manager-page.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";

/** Whether one of the app's windows is always on top. */
const isHeld = ({ app }: ManagerApp): Promise<boolean> =>
  app.evaluate(({ BaseWindow }) =>
    BaseWindow.getAllWindows().some((window) => window.isAlwaysOnTop()),
  );

it("[V2-377] asks before the screen is left unattended, and locks it once the manager is closed", async () => {
  const manager = await openManager();
  onTestFinished(async () => {
    await manager.close();
    await manager.screen.close();
  });
  const { page } = manager;
  const settingsOf = async (): Promise<unknown> =>
    (await fetch(`${manager.api}/api/v2/device_settings`)).json();
  await goTo(page, "#/settings/kiosk");
  const choice = page.getByRole("radiogroup", { name: "Kiosk mode" });
  await choice.getByText("On", { exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText(/press Ctrl\+Alt\+Shift\+E/).waitFor();
  await question.getByText(/No exit PIN is set/).waitFor();
  expect(await settingsOf()).toMatchObject({ profile: "desk" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(await settingsOf()).toMatchObject({ profile: "desk" });

  await choice.getByText("On", { exact: true }).click();
  await question.getByRole("button", { name: "Turn on" }).click();
  await expect.poll(settingsOf).toMatchObject({ profile: "unattended" });
  expect(await isHeld(manager)).toBe(false);

  await page.getByRole("textbox", { name: "Exit shortcut" }).press("Backspace");
  await page.getByText(/Kiosk mode needs an exit shortcut/).waitFor();
  await page.close();
  await expect.poll(() => isHeld(manager)).toBe(true);
});
