// Undo in the real app with concurrent changes to the same items: what is reverted, what is kept, and what needs a confirmation.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import {
  dropFiles,
  goTo,
  trackOf,
} from "../../support/manager/manager-page.ts";
import { png } from "../../support/media/media.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();

const { operate, elsewhere } = app;

const playlists = () => operate<readonly PlaylistV2[]>("listPlaylists");
const named = async (name: string) =>
  (await playlists()).find((one) => one.name === name);

const undo = () => app.page.keyboard.press("Control+z");
const notice = (text: string | RegExp) =>
  app.page.locator(".mantine-Notification-root").filter({ hasText: text });
const withFocus = () =>
  app.page.evaluate(() => document.activeElement?.ariaLabel ?? "");

const openPlaylist = (name: string, assetIds: readonly string[] = []) =>
  app.openPlaylist(name, {
    items: assetIds.map((asset_id) => ({ asset_id })),
  });

const takeOut = (name: string) =>
  app.page.getByRole("button", { name: `Remove “${name}”` });

describe("undoing a change of a playlist", () => {
  it("restores an item with its identity, and keeps what another client added", async () => {
    const ids = [await app.add("A"), await app.add("B")];
    const other = await app.add("Other");
    const created = await openPlaylist("Lunch", ids);
    await takeOut("A").click();
    await expect.poll(async () => (await named("Lunch"))?.items.length).toBe(1);
    const at = `/playlists/${created.playlist_id}/items`;
    await elsewhere("POST", at, { items: [other] });
    await undo();
    await expect
      .poll(async () => (await named("Lunch"))?.items)
      .toEqual([
        ...created.items,
        expect.objectContaining({ asset_id: other }) as object,
      ]);
    await notice("Undone:").waitFor();
  });

  it("keeps a field that another client wrote since, says so, and overwrites it on request", async () => {
    const created = await openPlaylist("Lunch");
    const title = app.page.locator(".playlist-name-field input");
    await title.fill("Mine");
    await title.press("Enter");
    await expect.poll(() => named("Mine")).toBeTruthy();
    await elsewhere("PATCH", `/playlists/${created.playlist_id}`, {
      name: "Theirs",
    });
    await app.page.locator("#page-title").focus();
    await undo();
    const refused = notice("has since been changed elsewhere");
    await refused.getByRole("button", { name: "Undo anyway" }).waitFor();
    expect(await named("Theirs")).toBeTruthy();
    await refused.getByRole("button", { name: "Undo anyway" }).click();
    await expect.poll(() => named("Lunch")).toBeTruthy();
  });

  it("removes files that were dropped into it in one step, after another client removed an item meanwhile", async () => {
    const created = await openPlaylist("Lunch", [await app.add("A")]);
    const file = path.join(app.manager.dir, "dropped.png");
    await writeFile(file, png([7, 80, 90]));
    await elsewhere("PATCH", `/playlists/${created.playlist_id}`, {
      items: [],
    });
    await dropFiles(app.page, [file]);
    await expect.poll(async () => (await named("Lunch"))?.items.length).toBe(1);
    await notice("dropped").waitFor();
    await app.page.locator("#page-title").focus();
    await undo();
    await expect.poll(async () => (await named("Lunch"))?.items.length).toBe(0);
    await expect.poll(() => app.order()).toEqual(["A"]);
  });
});

describe("a double click", () => {
  it("creates one playlist", async () => {
    await goTo(app.page, "#/playlists");
    const add = app.page.getByRole("button", {
      ...{ name: "New playlist", exact: true },
    });
    await add.dblclick();
    await app.page.locator(".playlist-name-field input").waitFor();
    await add.dblclick();
    await expect.poll(async () => (await playlists()).length).toBe(2);
    await expect.poll(() => app.page.locator(".playlist-link").count()).toBe(2);
    expect(await playlists()).toHaveLength(2);
  });

  it("removes one item, and one undo restores it", async () => {
    const ids = [];
    for (const name of ["A", "B", "C"]) ids.push(await app.add(name));
    const created = await openPlaylist("Lunch", ids);
    await takeOut("A").dblclick();
    await expect
      .poll(async () => (await named("Lunch"))?.items)
      .toEqual(created.items.slice(1));
    await undo();
    await expect
      .poll(async () => (await named("Lunch"))?.items)
      .toEqual(created.items);
    // The undone notice is still fading out when the notice of the undo appears.
    await expect.poll(() => notice("Removed").count()).toBe(1);
  });
});

describe("a playlist that is deleted elsewhere while it is open", () => {
  const panel = () =>
    app.page.getByRole("region", { name: "This playlist was deleted" });

  it("is reported as deleted; no other playlist takes its place, and it can be restored from the trash", async () => {
    await operate("createPlaylist", { body: { name: "Another" } });
    const created = await openPlaylist("Lunch", [await app.add("A")]);
    await app.page.locator(".playlist-name-field input").focus();
    const { playlist_id: id } = created;
    await elsewhere("POST", "/trash", { playlist_ids: [id] });
    await panel().waitFor();
    expect(await app.page.locator(".playlist-editor").count()).toBe(0);
    await expect.poll(withFocus).toBe("This playlist was deleted");
    await panel().getByRole("button", { name: "Restore" }).click();
    await expect
      .poll(() => app.page.locator(".playlist-name-field input").inputValue())
      .toBe("Lunch");
    expect((await named("Lunch"))?.items).toEqual(created.items);
  });

  it("is also reported when it was opened by default, and when none is left; a link leads to the list", async () => {
    for (const name of ["First", "Second"])
      await operate("createPlaylist", { body: { name } });
    await goTo(app.page, "#/playlists");
    const title = app.page.locator(".playlist-name-field input");
    await expect.poll(() => title.inputValue()).toBe("First");
    const first = await named("First");
    await elsewhere("DELETE", `/playlists/${first?.playlist_id}`);
    await panel().getByText("can’t be restored").waitFor();
    await panel().getByRole("link", { name: "Show all playlists" }).click();
    await expect.poll(() => title.inputValue()).toBe("Second");
    const second = await named("Second");
    await elsewhere("DELETE", `/playlists/${second?.playlist_id}`);
    await panel().waitFor();
    await panel().getByRole("link", { name: "Show all playlists" }).click();
    await app.page.getByText("No playlists yet").waitFor();
  });

  it("is reported after “New playlist” was undone", async () => {
    await operate("createPlaylist", { body: { name: "Another" } });
    await goTo(app.page, "#/playlists");
    await app.page.getByRole("button", { name: "New playlist" }).click();
    await notice("Created playlist").waitFor();
    await app.page.locator("#page-title").focus();
    await undo();
    await panel().getByRole("button", { name: "Restore" }).waitFor();
    expect(await app.page.locator(".playlist-editor").count()).toBe(0);
  });

  it("is reported where its times were open in the schedule", async () => {
    await operate("createPlaylist", { body: { name: "Another" } });
    const predicate = "$TIME BETWEEN {41400000, 50399999}";
    const body = { name: "Lunch", predicate };
    const created = await operate<PlaylistV2>("createPlaylist", { body });
    await goTo(app.page, "#/schedule");
    await trackOf(app.page, "Lunch").locator(".block").first().press("Enter");
    await app.page.locator(".block-editor").waitFor();
    await elsewhere("DELETE", `/playlists/${created.playlist_id}`);
    await notice("was deleted elsewhere").waitFor();
    await expect
      .poll(() => app.page.evaluate(() => document.activeElement?.id))
      .toBe("page-title");
  });
});

describe("Ctrl+Z", () => {
  it("reports an action that cannot be undone, and asks before it undoes one on another page", async () => {
    await openPlaylist("Lunch");
    const title = app.page.locator(".playlist-name-field input");
    await title.fill("Renamed");
    await title.press("Enter");
    await expect.poll(() => named("Renamed")).toBeTruthy();
    await goTo(app.page, "#/now");
    await app.page.getByRole("button", { name: "Mute" }).click();
    await expect
      .poll(
        async () => (await operate<{ muted: boolean }>("readSettings")).muted,
      )
      .toBe(true);
    await undo();
    await notice("Can’t undo: Muted").waitFor();
    await undo();
    const question = app.page.getByRole("dialog", {
      name: "Undo this on the Playlists page?",
    });
    await question.getByText("Changed").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(await named("Renamed")).toBeTruthy();
    await undo();
    await question.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(() => named("Lunch")).toBeTruthy();
    await operate("changeSettings", { body: { muted: false } });
  });

  it("continues where it was after another language was chosen", async () => {
    await app.add("Menu");
    await app.openLibrary();
    const { page } = app;
    await page.getByRole("option", { name: /Menu/ }).click();
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Renamed");
    await name.press("Enter");
    await expect.poll(() => app.order()).toEqual(["Renamed"]);
    await goTo(page, "#/settings/manager");
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    await goTo(page, "#/library");
    await page.locator("#page-title").focus();
    await undo();
    await expect.poll(() => app.order()).toEqual(["Menu"]);
    await goTo(page, "#/settings/manager");
    await page.getByLabel("Sprache").selectOption("");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });

  it("asks before it undoes a restored backup when something was added since", async () => {
    await app.add("Before");
    const { page } = app;
    const archive = await operate<string>("makeBackup");
    await goTo(page, "#/settings/backup");
    const row = page.getByRole("listitem").filter({ hasText: archive });
    await row.getByRole("button", { name: /^Restore/ }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await notice("Backup restored").waitFor();
    await app.add("Added later");
    await page.locator("#page-title").focus();
    await undo();
    const question = notice("Added or changed since the restore");
    await question.getByText("Added later").waitFor();
    expect(await app.order()).toEqual(["Before", "Added later"]);
    await question.getByRole("button", { name: "Undo anyway" }).click();
    await expect.poll(() => app.order()).toEqual(["Before"]);
  });
});

it("explains why Alt and an arrow move nothing in a library that is sorted by something else", async () => {
  await app.add("A");
  await app.add("B");
  await app.openLibrary();
  const { page } = app;
  await page.getByRole("combobox", { name: "Sort by" }).click();
  await page.getByRole("option", { name: "Name", exact: true }).click();
  await page.getByRole("option", { name: /^A/ }).click();
  await page.keyboard.press("Alt+ArrowRight");
  await notice("Sort by play order to move assets.").waitFor();
  expect(await app.order()).toEqual(["A", "B"]);
});

it("reports that a replaced file cannot be restored, and undoes no older action in its place", async () => {
  const { page, manager } = app;
  const id = await app.add("Menu");
  const created = await openPlaylist("Lunch");
  await page.getByRole("switch", { name: "Enabled" }).click({ force: true });
  const isEnabled = async () => (await named("Lunch"))?.is_enabled;
  await expect.poll(isEnabled).toBe(!created.is_enabled);
  await app.openLibrary();
  await goTo(page, `#/library/${id}`);
  const file = path.join(manager.dir, "other.png");
  await writeFile(file, png([10, 10, 90]));
  await page.locator(".details input[type=file]").setInputFiles(file);
  await notice(/Replaced the file for/).waitFor();
  await page.locator("#page-title").focus();
  await undo();
  await notice(/^Can’t undo: Replaced the file/).waitFor();
  expect(await isEnabled()).toBe(!created.is_enabled);
});
