// Keyboard focus in the real manager: when the focused element disappears, the focus moves to a sensible place.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright";
import { describe, expect, it } from "vitest";
import {
  command,
  dropFiles,
  focusOf,
  goTo,
} from "../support/manager/manager-page.ts";
import {
  cloudImage,
  serveFaultyCloud,
} from "../support/faulty-service/faulty-service.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager();
const { elsewhere } = app;

/** Presses Enter on an element that disappears by it; afterwards the element with this name has the focus. */
async function pressAway(place: Locator, next: RegExp): Promise<void> {
  await place.focus();
  await app.page.keyboard.press("Enter");
  await place.waitFor({ state: "detached" });
  await at(next);
}

const at = (next: RegExp): Promise<void> =>
  expect.poll(() => focusOf(app.page)).toMatch(next);

const button = (name: string | RegExp): Locator =>
  app.page.getByRole("button", { name });

describe("the focus moves", () => {
  it("to the name of a playlist created on the empty page", async () => {
    const { page } = app;
    await goTo(page, "#/playlists");
    const empty = page.locator(".empty");
    await pressAway(empty.getByRole("button"), /^Name$/);
    // The whole text is selected, so typing replaces it.
    await page.keyboard.type("Lunch");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Lunch" }).waitFor();
    await at(/^Name$/);
  });

  it("to the setting that was reset to its default", async () => {
    const { page } = app;
    await elsewhere("PATCH", "/device_settings", { default_duration: 33 });
    await goTo(page, "#/settings/playback");
    await pressAway(button(/^Reset/).first(), /^Default time on screen$/);
  });

  it("back to where it was before the command bar opened the takeover panel", async () => {
    const { page } = app;
    await page.locator("#page-title").focus();
    await command(page, "takeover", /[Tt]ake/);
    const panel = page.getByRole("dialog");
    await panel.waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await at(/^Now$/);
  });

  it("to the page when the list of rejected files is closed", async () => {
    const { page, manager } = app;
    await goTo(page, "#/library");
    const broken = path.join(manager.dir, "broken.png");
    await writeFile(broken, "not a picture");
    await dropFiles(page, [broken]);
    const tray = page.locator(".jobs-tray");
    await pressAway(tray.getByRole("button", { name: "Close" }), /^Library$/);
  });

  it("to the file that is retried and rejected again", async () => {
    const { page, manager } = app;
    await goTo(page, "#/library");
    const broken = path.join(manager.dir, "broken.png");
    await writeFile(broken, "not a picture");
    await dropFiles(page, [broken]);
    const again = button(/^Try .*broken/);
    await again.focus();
    await page.keyboard.press("Enter");
    await again.waitFor();
    await at(/^Try .*broken/);
  });

  it("to the playlist chosen from the list", async () => {
    const { page } = app;
    await app.openPlaylist("Lunch");
    await app.openPlaylist("Dinner");
    await page.locator(".playlist-link", { hasText: "Lunch" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Lunch" }).waitFor();
    await at(/Lunch/);
  });

  it("back to where it was before this PC was set up, when that is finished", async () => {
    const { page } = app;
    await page.locator("#page-title").focus();
    await command(page, "set up this pc", /Set up this PC/);
    const panel = page.getByRole("dialog", { name: "Set up this PC" });
    for (const step of ["Next", "Next", "Done"])
      await panel.getByRole("button", { name: step }).press("Enter");
    await panel.waitFor({ state: "detached" });
    await at(/^(Now|Library)$/);
  });

  it("to the connection whose changes were applied", async () => {
    const { page } = app;
    const cloud = await serveFaultyCloud();
    const red = cloudImage("red", [255, 0, 0]);
    cloud.playlists = [{ id: "P1", assets: [red] }];
    await elsewhere("POST", "/sync/accounts", {
      ...{ base_url: cloud.address, token: "a-token", mode: "ask" },
      ...{ name: "Office", poll_seconds: 3600 },
    });
    await goTo(page, "#/connections");
    const plan = page.getByRole("region", { name: "Changes", exact: true });
    await plan.getByText("red").waitFor();
    await pressAway(
      plan.getByRole("button", { name: /^Apply changes/ }),
      /^Edit in the content service$/,
    );
  });
});
