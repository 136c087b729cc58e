// The screens page in the real app: counts as filters, details, commands to many with results, and what a service that fails leaves.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  connectTo,
  disconnectAll,
  serviceWithScreens,
  type ServiceWithScreens,
} from "../../support/manager/service-with-screens.ts";
import { holdPort } from "../../support/machine/reserved-port.ts";
import { goTo, tabTo } from "../../support/manager/manager-page.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";
import { afterThisTest } from "../../support/after-this-test.ts";

const app = sharedManager();

async function openScreens(count: number): Promise<ServiceWithScreens> {
  const service = await serviceWithScreens({ count });
  await connectTo(app, service.address);
  afterThisTest(() => disconnectAll(app));
  await goTo(app.page, "#/screens");
  await app.page.getByRole("option").first().waitFor();
  return service;
}

const optionsIn = () => app.page.getByRole("option");
const details = () =>
  app.page.getByRole("complementary", { name: "Screen details" });

/** Stubs the system's save dialog with a file of this name. */
async function answerSaveDialogs(name: string): Promise<string> {
  const file = path.join(app.manager.dir, name);
  await app.manager.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () =>
      Promise.resolve({ canceled: false, filePath });
  }, file);
  return file;
}

it("names the first step where there is no content service", async () => {
  const { page } = app;
  await goTo(page, "#/screens");
  await page.getByText("No screens yet").waitFor();
  await page.getByRole("button", { name: "Go to Connections" }).click();
  await page.getByLabel("Address").waitFor();
});

it("[V3-110] [V3-112] [V3-119] adds an Anthias player by its address, with what it reports and what it can do", async () => {
  const { page } = app;
  const service = await openScreens(8);
  await page.getByRole("button", { name: "Add screen" }).click();
  await page.getByRole("button", { name: "Add an Anthias player" }).click();
  const address = page.getByLabel("Player address");
  await address.fill("192.0.2.9");
  await page.keyboard.press("Enter");
  await page.getByText(/isn’t an Anthias player \(status 404\)/).waitFor();
  await address.fill("192.0.2.20");
  await page.getByLabel("Screen name").fill("Old hall");
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password").first().fill("secret");
  await page.keyboard.press("Enter");
  const screen = optionsIn().filter({ hasText: "Old hall" });
  await screen.click();
  const player = details().getByRole("region", { name: "Anthias player" });
  await player.getByText("Raspberry Pi 4").waitFor();
  await player.getByText("Not reported").waitFor();
  await player.getByText("3 assets, unchanged").waitFor();
  const commands = details().getByRole("group", { name: "Commands" });
  expect(await commands.getByRole("button").allTextContents()).toEqual([
    ...["Previous", "Next", "Show asset", "Check for changes", "Restart PC"],
  ]);
  await details().getByRole("button", { name: "Show asset" }).click();
  const dialog = page.getByRole("dialog", { name: /^Show an asset on “/ });
  await dialog.getByRole("combobox").click();
  await page.getByRole("option", { name: "Opening hours" }).click();
  await dialog.getByRole("button", { name: "Show asset" }).click();
  await dialog.waitFor({ state: "detached" });
  await details()
    .getByRole("region", { name: "Latest commands" })
    .getByText("Show asset")
    .waitFor();
  const { changes } = service;
  expect(changes.at(-1)?.body).toMatchObject({
    ...{ kind: "show", arguments: { asset_id: "asset-2" } },
  });
  expect(changes[1]).toEqual({
    request: "POST /screens/adopted/",
    body: {
      ...{ address: "192.0.2.20", name: "Old hall" },
      ...{ username: "admin", password: "secret" },
    },
  });
});

it("lists wrong screens first with the reason, and filters by a count, words and a label", async () => {
  const { page } = app;
  await openScreens(60);
  await optionsIn()
    .first()
    .getByText("Wrong content", { exact: true })
    .waitFor();
  await optionsIn()
    .first()
    .getByText(/Lunch menu/)
    .first()
    .waitFor();
  const wrong = page.getByRole("button", { name: "3 with wrong content" });
  await wrong.click();
  await expect.poll(() => optionsIn().count()).toBe(3);
  await wrong.click();
  await page.getByLabel("Search by name, label or location").fill("osaka 12");
  await expect.poll(() => optionsIn().count()).toBe(1);
  await page.getByLabel("Clear search").click();
  await page.getByRole("combobox", { name: "Filter by label" }).click();
  await page.getByRole("option", { name: /^Canteen \(/ }).click();
  await page.getByText("15 of 60 screens").waitFor();
  await page.getByRole("combobox", { name: "Filter by label" }).click();
  await page.getByRole("option", { name: "All labels" }).click();
});

it("adds up outages by screen, label and month, lists them, and saves them as CSV", async () => {
  const { page } = app;
  const service = await openScreens(60);
  await page.getByText("Outages", { exact: true }).click();
  const list = page.getByRole("table", { name: "Outages, newest first" });
  await list
    .getByText(/^Ongoing, /)
    .first()
    .waitFor();
  await expect.poll(() => list.getByRole("row").count()).toBe(51);
  await page.getByRole("button", { name: "Show more" }).last().click();
  await expect.poll(() => list.getByRole("row").count()).toBe(61);
  await page.getByText("By label").click();
  await page
    .getByRole("table", { name: "By label" })
    .getByRole("row", { name: /^Canteen/ })
    .waitFor();
  await page.getByText("By month").click();
  await page.getByRole("table", { name: "By month" }).waitFor();
  await page.getByLabel("Filter by label").selectOption({ label: "Canteen" });
  const names = () => list.getByRole("rowheader").allTextContents();
  const isCanteen = (name: string) => name.startsWith("Canteen");
  await expect
    .poll(async () => {
      const all = await names();
      return all.length > 0 && all.every(isCanteen);
    })
    .toBe(true);

  const file = await answerSaveDialogs("outages.csv");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  await page.getByText("Outages saved").waitFor();
  const [head, ...lines] = (await readFile(file, "utf8")).trim().split("\r\n");
  expect(head).toMatch(/^screen_name,state,cause,.*duration_seconds/);
  expect(lines).toHaveLength((await names()).length);
  expect(lines.every(isCanteen)).toBe(true);

  service.outages = [];
  await page.getByLabel("Time range").selectOption("week");
  await page.getByText("No outages in this time range").waitFor();
  service.isDown = true;
  await page.getByLabel("Time range").selectOption("year");
  await page
    .getByText(/^Couldn’t load the outages from “Head office”/)
    .waitFor();
  service.isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No outages in this time range").waitFor();
  await page.getByText("Screens", { exact: true }).last().click();
  await optionsIn().first().waitFor();
});

it("reports what all screens of a service played, by asset, playlist, screen, label and day, and exports it", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await goTo(page, "#/reports");
  const source = page.getByLabel("Source");
  await source.selectOption({ label: "All screens from “Head office”" });
  const rowsOf = (name: string) =>
    page.getByRole("table", { name }).getByRole("rowheader").allTextContents();
  const sorted = async (name: string) => (await rowsOf(name)).sort();
  await expect
    .poll(() => sorted("By asset"))
    .toEqual(["Deleted asset", "Lunch menu", "Spring collection"]);
  await page.getByText("By playlist", { exact: true }).click();
  await expect
    .poll(() => sorted("By playlist"))
    .toEqual(["Deleted playlist", "Morning", "No playlist"]);
  await page.getByText("By label", { exact: true }).click();
  await expect.poll(() => rowsOf("By label")).toHaveLength(4);
  await page.getByText("By screen", { exact: true }).click();
  await expect.poll(() => rowsOf("By screen")).toHaveLength(12);
  await page.getByLabel("Filter by label").selectOption({ label: "Canteen" });
  await expect.poll(() => rowsOf("By screen")).toHaveLength(3);

  const file = await answerSaveDialogs("plays.csv");
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.getByText("Report exported").waitFor();
  const [head, ...lines] = (await readFile(file, "utf8")).trim().split("\r\n");
  expect(head).toBe("day,screen_id,screen_name,playbacks,duration_seconds");
  expect(lines).toHaveLength(30);

  service.isDown = true;
  await page.getByLabel("Time range").selectOption("week");
  await page
    .getByText(/^Couldn’t load the report from “Head office”/)
    .waitFor();
  service.isDown = false;
  service.screens.length = 0;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No plays in this time range").waitFor();
  await source.selectOption({ label: "This player" });
  await page.getByLabel("Filter by label").waitFor({ state: "hidden" });
});

it("shows a change within seconds, without another screen losing its place", async () => {
  const service = await openScreens(20);
  const [screen] = service.screens;
  const { name } = screen!;
  service.screens[0] = {
    ...screen!,
    state: "offline",
    last_ping: new Date().toISOString(),
  };
  await optionsIn().filter({ hasText: name }).getByText("Offline").waitFor();
  service.isDown = true;
  await app.page.getByText(/^Couldn’t reach “Head office”/).waitFor();
  expect(await optionsIn().count()).toBeGreaterThan(5);
  service.isDown = false;
  await app.page
    .getByText(/^Couldn’t reach “Head office”/)
    .waitFor({ state: "detached" });
});

it("opens one screen beside the list, changes its name and labels, and removes it when asked", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await optionsIn().first().click();
  await details().getByRole("img").waitFor();
  await details().getByText("192.0.2.17").waitFor();
  await details().getByText("1m 35s ahead").waitFor();
  await details().getByLabel("Name").fill("Entrance");
  await page.keyboard.press("Enter");
  await optionsIn().filter({ hasText: "Entrance" }).waitFor();
  await details().getByRole("combobox", { name: "Labels" }).fill("Lobby");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => service.changes.at(-1)?.body)
    .toMatchObject({
      groups: [{ id: "label-Canteen" }, { id: "label-Lobby" }],
    });
  await details().getByRole("button", { name: "Remove screen" }).click();
  await page
    .getByRole("alertdialog", { name: "Remove “Entrance”?" })
    .getByRole("button", { name: "Remove" })
    .click();
  await optionsIn()
    .filter({ hasText: "Entrance" })
    .waitFor({ state: "detached" });
});

it("sends one command to several screens by keyboard, and shows a result for each", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await tabTo(page, /Screens/);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await details().getByText("3 screens selected").waitFor();
  await page.keyboard.press("Control+a");
  await details().getByText("12 screens selected").waitFor();
  await details().getByRole("button", { name: "Identify" }).click();
  await details().getByText("12 waiting").waitFor();
  for (const [index, command] of service.commands.entries())
    service.commands[index] = {
      ...command,
      state: index === 3 ? "failed" : "done",
      message: index === 3 ? "The screen is blank." : null,
    };
  await details().getByText("11 done and 1 failed").waitFor();
  await details().getByText("The screen is blank.").waitFor();
});

it("shows what plays on a screen and why, and puts another player in its place only after a confirmation that it is online", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await optionsIn().first().click();
  await details().getByText("Last 24 hours").waitFor();
  await details().getByRole("button", { name: "What plays and why" }).click();
  const plan = page.getByRole("dialog", { name: "What plays on “" });
  await plan.getByRole("rowheader", { name: "Morning" }).waitFor();
  await page.keyboard.press("Escape");
  await details().getByRole("button", { name: "Replace player" }).click();
  const dialog = page.getByRole("dialog", { name: "Replace the player for “" });
  await dialog.getByLabel("PIN on the new player").fill("123456");
  const submit = dialog.getByRole("button", { name: "Replace player" });
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Replace the current player even though/).check();
  await submit.click();
  await page.getByText(/^Replaced the player for “/).waitFor();
  expect(service.changes).toMatchObject([
    { body: { pin: "123456", replace_online: true } },
  ]);
});

it("gives several screens a label by keyboard", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Control+a");
  await details().getByRole("button", { name: "Labels and playlists" }).click();
  const dialog = page.getByRole("dialog", {
    name: "Labels and playlists for 12 screens",
  });
  await dialog.getByLabel("Add labels").fill("Lobby");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Changed 12 screens").waitFor();
  expect(service.changes.at(-1)?.body).toMatchObject({
    add_groups: ["label-Lobby"],
  });
});

it("[V3-130] [V3-132] shows a screen live until its details are closed, collects its logs, and saves them", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await optionsIn().first().click();
  await details().getByText("Live", { exact: true }).waitFor();
  const source = () => details().getByRole("img").getAttribute("src");
  const first = await source();
  expect(first).toMatch(/^data:image\/webp;/);
  await expect.poll(source).not.toBe(first);

  await details().getByRole("button", { name: "Collect logs" }).click();
  await expect.poll(() => service.commands.length).toBe(1);
  const [command] = service.commands;
  service.commands[0] = { ...command!, state: "done" };
  const file = await answerSaveDialogs("logs.tar.gz");
  await details()
    .getByRole("button", { name: /^Save the logs from “/ })
    .click();
  await page.getByText("Logs saved").waitFor();
  expect(await readFile(file, "utf8")).toBe(`bundle of ${command!.id}`);

  await details().getByRole("button", { name: "Show asset" }).click();
  const dialog = page.getByRole("dialog", { name: /^Show an asset on “/ });
  await dialog.getByRole("combobox").click();
  await page.getByRole("option", { name: "Opening hours" }).click();
  await dialog.getByRole("button", { name: "Show asset" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(service.commands[0]).toMatchObject({
    ...{ kind: "show", arguments: { asset_id: "asset-2" } },
  });

  await details().getByRole("button", { name: "Close" }).first().click();
  await details().waitFor({ state: "detached" });
  const { watches, polls } = service;
  await expect.poll(() => service.polls).toBeGreaterThan(polls + 1);
  // One may have been on its way.
  expect(service.watches).toBeLessThanOrEqual(watches + 1);
});

it("asks before a takeover of several screens, and names how many", async () => {
  const { page } = app;
  const service = await openScreens(12);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Control+a");
  await details().getByRole("button", { name: "Take over" }).click();
  const dialog = page.getByRole("dialog", { name: "Take over 12 screens" });
  await dialog.getByLabel("Text on screen").fill("Please leave the building.");
  await dialog.getByRole("button", { name: "Take over" }).click();
  const question = page.getByRole("alertdialog", {
    name: "Take over 12 screens?",
  });
  expect(service.commands).toEqual([]);
  await question.getByRole("button", { name: "Take over" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(service.commands).toHaveLength(12);
  expect(service.commands[0]).toMatchObject({
    kind: "takeover",
    arguments: { text: "Please leave the building." },
  });
});

it("pairs a screen by its PIN in two steps", async () => {
  const { page } = app;
  await openScreens(3);
  await page.getByRole("button", { name: "Add screen" }).click();
  await page.keyboard.type("123456");
  await page.keyboard.press("Enter");
  await optionsIn().filter({ hasText: "Screen 4" }).waitFor();
});

it("draws only the rows in sight of ten thousand screens", async () => {
  const { page } = app;
  await openScreens(10_000);
  await page.getByText("10,000 screens").waitFor();
  expect(await optionsIn().count()).toBeLessThan(60);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("End");
  await page.locator('[role="option"][data-active="true"]').waitFor();
  expect(
    await page
      .locator('[role="option"][data-active="true"]')
      .getAttribute("aria-posinset"),
  ).toBe("10000");
});

it("shows this PC’s own screen right through the service it hosts, takes a screenshot, and takes it over until it is ended", async () => {
  const { page, operate } = app;
  await app.add("Summer sale");
  const port = await holdPort();
  const { address } = await page.evaluate(
    (wanted) => window.manager.changeHosting({ isOn: true, port: wanted }),
    port,
  );
  afterThisTest(() =>
    page.evaluate(() => window.manager.changeHosting({ isOn: false })),
  );
  await goTo(page, "#/connections");
  await page.getByText("Pair this screen with a PIN").click();
  await page.getByLabel("Content service to pair with").fill(address ?? "");
  await page.getByRole("button", { name: "Show PIN" }).click();
  const pin = (await page.locator(".pair-pin").textContent()) ?? "";
  afterThisTest(() => disconnectAll(app));
  await goTo(page, "#/screens");
  await page.getByLabel("PIN on the screen").fill(pin);
  await page.keyboard.press("Enter");
  const screen = optionsIn().filter({ hasText: "Screen 1" });
  await screen.getByText("Verified", { exact: true }).waitFor();
  await screen
    .getByText(/^Summer sale/)
    .first()
    .waitFor();
  await screen.click();
  await details().getByRole("button", { name: "Refresh" }).click();
  await details().getByRole("img", { name: "Screenshot of" }).waitFor();
  await details().getByText("Take screenshot").waitFor();

  await details().getByRole("button", { name: "Take over" }).click();
  const dialog = page.getByRole("dialog", { name: "Take over “Screen 1”" });
  await dialog.getByLabel("Text on screen").fill("Please wait here.");
  await dialog.getByRole("button", { name: "Take over" }).click();
  await details().getByText("A takeover is running.").waitFor();
  const results = details().getByRole("region", { name: "Latest commands" });
  await results
    .getByRole("listitem")
    .filter({ hasText: "Take over" })
    .getByText(/^Done/)
    .waitFor();
  expect(await operate("readTakeover")).toMatchObject({
    text: "Please wait here.",
  });
  await details().getByRole("button", { name: "Stop takeover" }).click();
  await details().getByText("Scheduled now.").waitFor();
});
