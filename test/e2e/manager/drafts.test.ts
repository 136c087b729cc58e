// Unsaved drafts in the real manager while the same item is changed or deleted elsewhere, or while the user navigates away.

import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { focusOf, goTo } from "../../support/manager/manager-page.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();

const { operate } = app;

const changeAsset = (id: string, body: Partial<AssetV2>) =>
  operate("changeAsset", { parameters: { id }, body });
const readAsset = (id: string) =>
  operate<AssetV2>("readAsset", { parameters: { id } });

async function openDetails(id: string, name: string): Promise<void> {
  await app.openLibrary();
  await goTo(app.page, `#/library/${id}`);
  await expect.poll(() => field("Name").inputValue()).toBe(name);
  await expect
    .poll(() => field("Time on screen (seconds)").inputValue())
    .not.toBe("");
}

const field = (label: string) =>
  app.page.getByLabel(label, { exact: true }).and(
    // The group that reports a change elsewhere has the same label as the field.
    app.page.locator("input, textarea"),
  );
const reported = (theirs: string) =>
  app.page.getByText(`Changed elsewhere to “${theirs}”`);
const press = (name: string) =>
  app.page.getByRole("button", { name, exact: true }).click();

const focused = () => focusOf(app.page);

describe("a name typed while it is changed elsewhere", () => {
  it("stays, with the focus, and overwrites the other only when the operator keeps it", async () => {
    const { page } = app;
    const id = await app.add("Menu");
    await openDetails(id, "Menu");
    await field("Name").focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" of the");
    await changeAsset(id, { name: "Theirs" });
    await reported("Theirs").waitFor();
    expect(await focused()).toBe("Name");
    await page.keyboard.type(" day");
    expect(await field("Name").inputValue()).toBe("Menu of the day");
    await page.keyboard.press("Tab");
    await reported("Theirs").waitFor();
    expect((await readAsset(id)).name).toBe("Theirs");
    await press("Keep mine");
    await expect
      .poll(async () => (await readAsset(id)).name)
      .toBe("Menu of the day");
    await reported("Theirs").waitFor({ state: "detached" });
    expect(await focused()).toBe("Name");
  });

  it("is dropped when the operator uses the other's", async () => {
    const { page } = app;
    const id = await app.add("Menu");
    await openDetails(id, "Menu");
    await field("Name").focus();
    await page.keyboard.type("x");
    await changeAsset(id, { name: "Theirs" });
    await reported("Theirs").waitFor();
    await press("Use theirs");
    await reported("Theirs").waitFor({ state: "detached" });
    expect(await field("Name").inputValue()).toBe("Theirs");
    expect((await readAsset(id)).name).toBe("Theirs");
    expect(await focused()).toBe("Name");
  });
});

it("merges a line of the request headers with changes made to other lines meanwhile", async () => {
  const { page } = app;
  const { asset_id: id } = await operate<AssetV2>("createAsset", {
    body: {
      ...{ name: "Board", uri: `${app.manager.api}/api/v2/info` },
      ...{ mimetype: "webpage", skip_asset_check: true, duration: 60 },
      ...{ is_enabled: true, start_date: "2026-01-01T00:00:00Z" },
      end_date: "2099-01-01T00:00:00Z",
      custom_headers: { Authorization: "Bearer abc" },
    },
  });
  await openDetails(id, "Board");
  await expect
    .poll(() => field("Request headers").inputValue())
    .toBe("Authorization: Bearer abc");
  await field("Request headers").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nX-Mine: 1");
  await changeAsset(id, {
    custom_headers: { Authorization: "Bearer new", "X-Theirs": "2" },
  });
  await page.keyboard.press("Tab");
  const merged = {
    ...{ Authorization: "Bearer new", "X-Mine": "1", "X-Theirs": "2" },
  };
  await expect
    .poll(async () => (await readAsset(id)).custom_headers)
    .toEqual(merged);
});

it("keeps text typed in the details of an asset that is deleted, until it is discarded or restored", async () => {
  const { page } = app;
  const id = await app.add("Menu");
  await openDetails(id, "Menu");
  await field("Name").focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" of the");
  await operate("moveToTrash", { body: { asset_ids: [id] } });
  const gone = page.getByText("This asset was deleted.");
  await gone.waitFor();
  expect(await focused()).toBe("Name");
  await page.keyboard.type(" day");
  expect(await field("Name").inputValue()).toBe("Menu of the day");
  await press("Restore");
  await gone.waitFor({ state: "detached" });
  expect(await field("Name").inputValue()).toBe("Menu of the day");
  await field("Name").press("Enter");
  await expect
    .poll(async () => (await readAsset(id)).name)
    .toBe("Menu of the day");
  await page.keyboard.press("End");
  await page.keyboard.type("s");
  await operate("moveToTrash", { body: { asset_ids: [id] } });
  await gone.waitFor();
  await press("Discard");
  await gone.waitFor({ state: "detached" });
});

describe("a draft when the operator navigates away", () => {
  it("is saved when a page shortcut is used", async () => {
    const { page } = app;
    const id = await app.add("Menu");
    await openDetails(id, "Menu");
    await field("Name").fill("Soup");
    await page.keyboard.press("Control+1");
    await page.locator('.rail-link[aria-current="page"]').waitFor();
    await expect.poll(async () => (await readAsset(id)).name).toBe("Soup");
  });

  it("that is rejected after moving to another asset is reported with the asset and the field, and can be reopened", async () => {
    const { page } = app;
    const id = await app.add("Menu");
    const other = await app.add("Other");
    await openDetails(id, "Menu");
    await field("Time on screen (seconds)").fill("-5");
    await page.locator(`[data-asset="${other}"]`).click();
    await page
      .getByText("Couldn’t save “Time on screen (seconds)” for “Menu”")
      .waitFor();
    await expect.poll(() => field("Name").inputValue()).toBe("Other");
    await expect
      .poll(() => field("Time on screen (seconds)").inputValue())
      .toBe("600");
    await press("Go to field");
    await expect
      .poll(() => field("Time on screen (seconds)").inputValue())
      .toBe("-5");
    await expect.poll(focused).toBe("Time on screen (seconds)");
    await page.keyboard.press("Escape");
    expect(await field("Time on screen (seconds)").inputValue()).toBe("600");
  });

  it("that is half a date leaves the date unchanged and is reported", async () => {
    const { page } = app;
    const id = await app.add("Menu");
    const end = "2031-05-04T10:30:00Z";
    await changeAsset(id, { end_date: end });
    const before = (await readAsset(id)).end_date;
    await openDetails(id, "Menu");
    await expect.poll(() => field("Until").inputValue()).toMatch(/^2031/);
    await field("Until").focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+1");
    const notice = page
      .getByRole("alert")
      .filter({ hasText: "Couldn’t save “Until” for “Menu”" });
    await notice.waitFor();
    expect((await readAsset(id)).end_date).toBe(before);
    await notice.getByRole("button", { name: "Close" }).click();
    await notice.waitFor({ state: "detached" });
  });
});

const readPlaylist = (id: string) =>
  operate<PlaylistV2>("readPlaylist", { parameters: { id } });
const changePlaylist = (id: string, body: Readonly<Record<string, unknown>>) =>
  operate("changePlaylist", { parameters: { id }, body });

describe("a playlist that is changed elsewhere", () => {
  it("keeps the name being typed, and the focus in it", async () => {
    const { page } = app;
    const { playlist_id: id } = await app.openPlaylist("Lunch");
    const name = page.locator(".playlist-name-field input");
    await name.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" menu of the da");
    await changePlaylist(id, { name: "Theirs" });
    await reported("Theirs").waitFor();
    await page.keyboard.type("y");
    expect(await name.inputValue()).toBe("Lunch menu of the day");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("Name");
    expect((await readPlaylist(id)).name).toBe("Theirs");
    await press("Keep mine");
    await expect
      .poll(async () => (await readPlaylist(id)).name)
      .toBe("Lunch menu of the day");
    await reported("Theirs").waitFor({ state: "detached" });
  });

  it("keeps the duration being typed, and the focus in it", async () => {
    const { page } = app;
    const asset_id = await app.add("Bread");
    const created = await app.openPlaylist("Bakery", {
      items: [{ asset_id, duration: 10 }],
    });
    const { playlist_id: id } = created;
    const length = page.getByRole("textbox", {
      name: /^Time on screen for .*Bread/,
    });
    await length.fill("7");
    await changePlaylist(id, { items: [{ asset_id, duration: 30 }] });
    await reported("30").waitFor();
    await page.keyboard.type("7");
    expect(await length.inputValue()).toBe("77");
    const durationOf = async () => (await readPlaylist(id)).items[0]?.duration;
    await page.keyboard.press("Enter");
    expect(await durationOf()).toBe(30);
    await press("Use theirs");
    expect(await length.inputValue()).toBe("30");
    await length.fill("77");
    await page.keyboard.press("Enter");
    await expect.poll(durationOf).toBe(77);
    expect(await length.evaluate((at) => at === document.activeElement)).toBe(
      true,
    );
  });

  it("keeps the durations of its selected items when none is entered for them", async () => {
    const { page } = app;
    const asset_id = await app.add("Bread");
    const { playlist_id: id } = await app.openPlaylist("Breads", {
      items: [10, 11].map((duration) => ({ asset_id, duration })),
    });
    const durations = async () =>
      (await readPlaylist(id)).items.map(({ duration }) => duration);
    await page.getByLabel("Select all").check();
    await press("Save");
    await page.getByText(/^Enter a time such as 90 or 1:30/).waitFor();
    expect(await durations()).toEqual([10, 11]);
    await press("Use asset’s duration");
    await expect.poll(durations).toEqual([null, null]);
  });
});

describe("a setting", () => {
  const name = () => app.page.locator('[data-setting="player_name"] input');
  const readName = async () =>
    (await operate<{ player_name: string }>("readSettings")).player_name;

  it("keeps its draft while it is changed elsewhere, and is saved when a page shortcut is used", async () => {
    const { page } = app;
    await operate("changeSettings", { body: { player_name: "Lobby" } });
    await goTo(page, "#/settings/screen");
    await expect.poll(() => name().inputValue()).toBe("Lobby");
    await name().focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" Win");
    await operate("changeSettings", { body: { player_name: "Theirs" } });
    await reported("Theirs").waitFor();
    await page.keyboard.type("dow");
    expect(await name().inputValue()).toBe("Lobby Window");
    await page.keyboard.press("Enter");
    expect(await readName()).toBe("Theirs");
    await press("Keep mine");
    await expect.poll(readName).toBe("Lobby Window");
    await name().fill("Half ty");
    await page.keyboard.press("Control+3");
    await expect.poll(readName).toBe("Half ty");
    await operate("changeSettings", { body: { player_name: "" } });
  });
});

const lunch = "$TIME BETWEEN {39600000, 50399999}";

async function openWhen(name: string, predicate: string): Promise<string> {
  const { playlist_id: id } = await app.openPlaylist(name, { predicate });
  await app.page.getByRole("tab", { name: "Schedule" }).click();
  return id;
}

describe("the schedule of a playlist", () => {
  it("saves both times of a window together, and extends past midnight only after a confirmation", async () => {
    const { page } = app;
    const id = await openWhen("Lunchtime", lunch);
    const predicateOf = async () => (await readPlaylist(id)).predicate;
    const [from, until] = ["From", "Until"].map((label) =>
      page.getByLabel(label, { exact: true }),
    );
    await until?.fill("10:00");
    await page.keyboard.press("Shift+Tab");
    expect(await predicateOf()).toBe(lunch);
    await from?.fill("08:00");
    await page.keyboard.press("Enter");
    await expect.poll(predicateOf).toBe("$TIME BETWEEN {28800000, 35999999}");
    expect(await focused()).toBe("From");
    await from?.fill("11:00");
    await page.keyboard.press("Enter");
    await page.getByText("This time would end the next day.").waitFor();
    expect(await predicateOf()).toContain("28800000");
    await press("Play overnight");
    await expect.poll(predicateOf).toContain("OR");
  });

  it("asks before its only time is removed, and stores nothing until confirmed", async () => {
    const { page } = app;
    const id = await openWhen("Lunch break", lunch);
    const question = page.getByRole("alertdialog", { name: /^Play .*Lunch/ });
    await press("Remove time 1");
    await question.waitFor();
    await press("Cancel");
    await question.waitFor({ state: "detached" });
    expect((await readPlaylist(id)).predicate).toBe(lunch);
    await press("Remove time 1");
    await press("Disable playlist");
    await expect
      .poll(async () => (await readPlaylist(id)).is_enabled)
      .toBe(false);
    expect((await readPlaylist(id)).predicate).toBe(lunch);
    await press("Remove time 1");
    await press("Play at any time");
    await expect
      .poll(async () => (await readPlaylist(id)).predicate)
      .toBe("TRUE");
  });

  it("keeps a predicate being typed while it is changed elsewhere", async () => {
    const { page } = app;
    const id = await openWhen("Any time", "TRUE");
    const text = page.getByRole("textbox", { name: "Schedule rule" });
    await text.fill("$WEEKDAY = ");
    await changePlaylist(id, { predicate: lunch });
    await reported(lunch).waitFor();
    await page.keyboard.type("5");
    expect(await text.inputValue()).toBe("$WEEKDAY = 5");
    await press("Apply");
    expect((await readPlaylist(id)).predicate).toBe(lunch);
    await press("Keep mine");
    await expect
      .poll(async () => (await readPlaylist(id)).predicate)
      .toBe("$WEEKDAY = 5");
    await reported(lunch).waitFor({ state: "detached" });
  });
});

describe("the editor of a block in the schedule", () => {
  const panel = () => app.page.getByRole("group", { name: /^Times for/ });

  it("discards its changes on Escape, and saves days and times together", async () => {
    const { page } = app;
    const predicate = `$WEEKDAY IN {1, 2, 3, 4, 5} AND ${lunch}`;
    const created = await app.openPlaylist("Dinner", { predicate });
    const predicateOf = async () =>
      (await readPlaylist(created.playlist_id)).predicate;
    await goTo(page, "#/schedule");
    const block = page
      .locator(".lane-row")
      .filter({ has: page.getByRole("link", { name: "Dinner", exact: true }) })
      .getByRole("button", { name: /Thursday/ });
    await block.press("Enter");
    await panel().getByLabel("From").fill("10:15");
    await panel().getByRole("button", { name: "Every day" }).click();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await block.press("Enter");
    expect(await panel().getByLabel("From").inputValue()).toBe("11:00");
    expect(await predicateOf()).toBe(predicate);
    await panel().getByLabel("Until").fill("10:00");
    await page.keyboard.press("Enter");
    await page.getByText("This time would end the next day.").waitFor();
    expect(await predicateOf()).toBe(predicate);
    await panel().getByLabel("From").fill("08:00");
    await panel().getByRole("button", { name: "Every day" }).click();
    await panel().getByRole("button", { name: "Done" }).click();
    await expect.poll(predicateOf).toBe("$TIME BETWEEN {28800000, 35999999}");
    await panel().waitFor({ state: "detached" });
  });
});

describe("the preset messages of a takeover", () => {
  interface Message {
    readonly id: string;
    readonly name: string;
    readonly text: string;
    readonly seconds: null;
  }
  const message = (id: string, text: string): Message => ({
    ...{ id, name: id, text, seconds: null },
  });
  const store = (...list: readonly Message[]) =>
    operate("changeSettings", { body: { takeover_messages: list } });
  const stored = async () => {
    const { takeover_messages: list } = await operate<{
      takeover_messages: readonly Message[];
    }>("readSettings");
    return Object.fromEntries(list.map(({ id, text }) => [id, text]));
  };

  it("are merged with additions and removals made elsewhere, and report a conflict where both changed one", async () => {
    const { page } = app;
    await store(message("Fire", "Leave"), message("Storm", "Stay"));
    await goTo(page, "#/now");
    await page.keyboard.press("Control+Shift+E");
    const panel = page.getByRole("dialog");
    await panel.getByRole("button", { name: "Edit presets" }).click();
    const texts = panel.locator(".message textarea:not([aria-hidden])");
    await texts.nth(0).fill("Leave now");
    await store(message("Fire", "Leave"), message("Theirs", "Hello"));
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(stored).toEqual({ Fire: "Leave now", Theirs: "Hello" });

    await panel.getByRole("button", { name: "Edit presets" }).click();
    await expect.poll(() => texts.count()).toBe(2);
    await texts.nth(0).fill("Mine");
    await store(message("Fire", "Theirs"), message("Theirs", "Hello"));
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await reported("Fire: Theirs").waitFor();
    expect(await stored()).toEqual({ Fire: "Theirs", Theirs: "Hello" });
    await panel.getByRole("button", { name: "Keep mine" }).click();
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(stored).toEqual({ Fire: "Mine", Theirs: "Hello" });
    await store();
    await page.keyboard.press("Escape");
  });
});
