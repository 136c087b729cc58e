// Settings, activity and reports in the real app: each task by mouse and by keyboard alone, steps counted.

import { writeFile, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { addCloudSwitchedOff } from "../../support/manager/disabled-connection.ts";
import { goTo, tabTo } from "../../support/manager/manager-page.ts";
import type { ManagerApp } from "../../support/manager/manager-app.ts";
import { png } from "../../support/media/media.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const one = sharedManager();

async function settingsOf({
  api,
}: ManagerApp): Promise<Record<string, unknown>> {
  const answer = await fetch(`${api}/api/v2/device_settings`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Stubs the system's save dialog with this file. */
async function answerSaveDialogs(
  { app }: ManagerApp,
  file: string,
): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () =>
      Promise.resolve({ canceled: false, filePath });
  }, file);
}

describe("activity and reports", () => {
  it("are updated live, by keyboard alone, and exported as a file", async () => {
    const { manager, page } = one;
    await goTo(page, "#/activity");
    await page.getByText("Player started").first().waitFor();
    await manager.addFile(png([20, 90, 200]), { name: "=Winter, sale" });
    // New events are added at the top of the open page automatically.
    const added = page
      .getByRole("listitem")
      .filter({ hasText: /Asset added/ })
      .filter({ hasText: "=Winter, sale" });
    await added.waitFor();
    const file = path.join(manager.dir, "activity.csv");
    await answerSaveDialogs(manager, file);
    await page.getByRole("button", { name: "Export" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem").first().waitFor();
    await page.locator("[role=menu] :focus").waitFor({ state: "attached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("Activity exported").waitFor();
    expect(await readFile(file, "utf8")).toMatch(
      /^time,kind,action,name,asset_id,details,actor_kind,actor_name,actor_address,changes\r\n.*,asset,added,"'=Winter, sale",/,
    );
    await page.getByRole("radio", { name: "Problems" }).focus();
    await page.keyboard.press("Space");
    await page.getByText("No matching activity").waitFor();
    await page.getByRole("button", { name: "Show all activity" }).focus();
    await page.keyboard.press("Enter");
    await added.waitFor();
    // Also while events keep arriving.
    const [{ asset_id: id } = { asset_id: "" }] = (await (
      await fetch(`${manager.api}/api/v2/assets`)
    ).json()) as { asset_id: string }[];
    let duration = 100;
    await expect
      .poll(
        async () => {
          await fetch(`${manager.api}/api/v2/assets/${id}`, {
            method: "PATCH",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ duration: (duration += 1) }),
          });
          return page.getByText("Asset changed").count();
        },
        { interval: 300 },
      )
      .toBeGreaterThan(0);
    await goTo(page, "#/reports");
    // Nothing was shown long enough yet, unless another test ran before this one.
    await page
      .getByText("No plays in this time range")
      .or(page.locator(".report-table"))
      .first()
      .waitFor();
  });
});

describe("the settings, by mouse", () => {
  it("finds a setting by its effect, changes it in place, shows an error at its field, and undoes", async () => {
    const { manager, page } = one;
    await goTo(page, "#/settings");
    await page.getByLabel("Search settings").fill("silence");
    await page.locator("[data-setting=muted] .mantine-Switch-track").click();
    await page.getByText("Mute: On").waitFor();
    expect(await settingsOf(manager)).toMatchObject({ muted: true });
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await page.getByText("Undone: Mute: On").waitFor();
    expect(await settingsOf(manager)).toMatchObject({ muted: false });

    await page.getByLabel("Search settings").fill("coordinates");
    const field = page.getByRole("textbox", { name: "Coordinates" });
    await field.fill("north pole");
    await field.press("Enter");
    const refusal = page.locator("[data-setting=coordinates] [role=alert]");
    await refusal.getByText(/latitude and longitude/).waitFor();
    expect(await field.inputValue()).toBe("north pole");
    expect(await settingsOf(manager)).toMatchObject({ coordinates: "" });
    await field.fill("52.5, 13.4");
    await field.press("Enter");
    await page.getByText("Coordinates: 52.5, 13.4").waitFor();
    await page
      .getByRole("button", { name: /^Reset .*Coordinates.* to default/ })
      .click();
    await expect
      .poll(async () => (await settingsOf(manager))["coordinates"])
      .toBe("");

    // A backup's contents are shown before the restore, and the restore can be undone.
    await manager.addFile(png([200, 30, 30]), { name: "Summer" });
    await goTo(page, "#/settings/backup");
    await page.getByRole("button", { name: "Create backup" }).click();
    const row = page.getByRole("listitem").filter({ hasText: ".tar.gz" });
    await row.waitFor();
    const saved = path.join(manager.dir, "copy.tar.gz");
    await answerSaveDialogs(manager, saved);
    await row.getByRole("button", { name: /^Save a copy of/ }).click();
    await page.getByText("Copy saved").waitFor();
    expect((await readFile(saved)).subarray(0, 2)).toEqual(
      Buffer.from([0x1f, 0x8b]),
    );
    await addCloudSwitchedOff(page);
    const { assets } = await namesOf(manager);
    await manager.remove(assets[0]?.asset_id ?? "");
    await page.locator("input[type=file]").setInputFiles(saved);
    await page.getByText("Assets in this backup").waitFor();
    expect((await namesOf(manager)).names).toEqual([]);
    const preview = page.locator(".restore-preview");
    await preview.getByText(/Will be disconnected:.*Office/).waitFor();
    await preview.getByText("Summer", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page
      .getByText(/^Backup restored/)
      .first()
      .waitFor();
    expect((await namesOf(manager)).names).toEqual(["Summer"]);
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await page.getByText(/^Undone: Backup restored/).waitFor();
    expect((await namesOf(manager)).names).toEqual([]);
    const broken = path.join(manager.dir, "broken.tar.gz");
    await writeFile(broken, "hello");
    const file = page.locator("input[type=file]");
    await file.setInputFiles(broken);
    // The same file can be chosen again after it is repaired.
    await expect.poll(() => file.inputValue()).toBe("");
    await page
      .getByText(/Couldn’t read this backup\. Nothing has changed/)
      .waitFor();
  });
});

async function namesOf({ api }: ManagerApp) {
  const answer = await fetch(`${api}/api/v2/assets`);
  const assets = (await answer.json()) as { name: string; asset_id: string }[];
  return { assets, names: assets.map(({ name }) => name) };
}

describe("the settings, by keyboard alone", () => {
  it("creates a token in 2 steps, shows it once, revokes it by name, and tries the interface itself", async () => {
    const { manager, page } = one;
    const { keyboard } = page;
    // Step 0: the page is open.
    await goTo(page, "#/settings/access");
    await page.getByLabel("Token name").focus();
    await keyboard.type("front desk");
    await keyboard.press("Enter");
    const secret = await page.locator("[data-secret]").textContent();
    expect(secret).toMatch(/^\S{20,}$/);
    // It stays visible until it is confirmed as copied, whatever page is opened in between.
    await page.getByLabel("Search settings").fill("volume");
    await page.getByRole("heading", { name: "Sound" }).waitFor();
    await goTo(page, "#/now");
    await goTo(page, "#/settings/access");
    await page.getByText(secret ?? "-", { exact: true }).waitFor();
    await tabTo(page, /^Copy$/);
    // The copy button has the focus; the button that confirms the copy follows.
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.locator("[data-secret]").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole("button", { name: /^Revoke/ }).focus();
    await keyboard.press("Enter");
    const question = page.getByRole("alertdialog");
    await question.getByText("Revoke “front desk”?").waitFor();
    await question.locator("button:focus").waitFor();
    // Pressing Enter twice does nothing, as the safe choice has the focus.
    await keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    // The focus is back on the button that opened the dialog.
    await page.locator("button:focus", { hasText: "Revoke" }).waitFor();
    await keyboard.press("Enter");
    await question.locator("button:focus").waitFor();
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.getByText(/^Revoked “front desk”/).waitFor();
    const left = await fetch(`${manager.api}/api/v2/tokens`);
    expect(await left.json()).toEqual([]);

    // The API documentation, served by the player and tried out in place.
    await page.getByLabel("Search operations").focus();
    await keyboard.type("status of the player and its PC");
    await expect.poll(() => page.locator(".docs-group button").count()).toBe(1);
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Send request" }).focus();
    await keyboard.press("Enter");
    await page.locator(".docs-outcome").getByText("player_name").waitFor();

    // Ctrl+F reaches every setting from anywhere on the page.
    await page.locator("#page-title").focus();
    await keyboard.press("Control+f");
    await page.locator("input:focus").waitFor();
    await keyboard.type("stumm-no-such-thing");
    await page.getByText(/^No settings match/).waitFor();
    await keyboard.press("Escape");
    await page.getByRole("heading", { name: "API and access" }).waitFor();
  });

  it("sets the exit PIN of the screen, requires it for its removal, and runs the system check", async () => {
    const { page } = one;
    const { keyboard } = page;
    await goTo(page, "#/settings");
    await page.getByLabel("Search settings").fill("PIN leave");
    const panel = page.getByRole("region", { name: "Exit PIN" });
    await panel.waitFor();
    await goTo(page, "#/settings/kiosk");
    await panel.getByLabel("PIN, 4 to 12 digits").focus();
    await keyboard.type("12");
    await keyboard.press("Enter");
    await panel.getByText("Enter 4 to 12 digits.").waitFor();
    await keyboard.press("Control+a");
    await keyboard.type("2468");
    await keyboard.press("Enter");
    await page.getByText("Exit PIN set").waitFor();
    const known = panel.getByLabel("Current PIN");
    const takeAway = panel.getByRole("button", { name: "Remove" });
    // Empty input does not use up an attempt.
    await takeAway.press("Enter");
    await panel.getByText("Enter 4 to 12 digits.").waitFor();
    await known.focus();
    await keyboard.type("1111");
    await takeAway.press("Enter");
    await panel.getByText("Wrong PIN. 4 attempts left.").waitFor();
    await known.focus();
    await keyboard.press("Control+a");
    await keyboard.type("2468");
    await takeAway.press("Enter");
    await page.getByText("Exit PIN removed").waitFor();

    const site = page.getByRole("region", { name: "System check" });
    await site.getByRole("button", { name: "Check this PC" }).press("Enter");
    await site.getByText(/^Checked at /).waitFor();
    await expect.poll(() => site.getByRole("listitem").count()).toBe(13);
    await site.getByText("Exit PIN: can be improved").waitFor();
  });
});
