// Playlists and the schedule in the real app: each task by mouse and by keyboard alone, steps counted.

import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { seriousFaults } from "../../support/manager/axe.ts";
import {
  centreOf,
  drag,
  goTo,
  addPlaylist,
  pointOn,
  tabTo,
  trackOf,
} from "../../support/manager/manager-page.ts";
import { playlistsThroughApi } from "../../support/manager/manager-playlists.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import type { Colour } from "../../support/media/media.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 210];

const workdayLunch =
  "$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {41400000, 50399999}";

/** One app for all tests: each leaves it as it was. */
let manager: ManagerApp;

const player = playlistsThroughApi(() => manager);
const { addImages, makePlaylist, playlistsOf, predicateOf, orderOf } = player;

beforeAll(async () => {
  manager = await openManager();
  // A time zone where it is not about noon now, so that the lunch playlist is not on the screen.
  const hour = new Date().getUTCHours();
  await player.setZone(
    hour >= 7 && hour < 15 ? "Pacific/Auckland" : "Europe/Berlin",
  );
});

afterEach(async () => {
  for (const { playlist_id } of await playlistsOf())
    await fetch(`${manager.api}/api/v2/playlists/${playlist_id}`, {
      method: "DELETE",
    });
  const answer = await fetch(`${manager.api}/api/v2/assets`);
  for (const { asset_id } of (await answer.json()) as { asset_id: string }[])
    await manager.remove(asset_id);
  // The next test uses the same names, so these playlists and assets must have disappeared first.
  for (const page of ["#/schedule", "#/library"]) {
    await goTo(manager.page, page);
    await manager.page.locator(".empty").waitFor();
  }
  await goTo(manager.page, "#/settings");
});

afterAll(async () => {
  await manager.close();
  await manager.screen.close();
});

describe("playlists and the schedule, by mouse", () => {
  it("creates a playlist from the library, orders it, and undoes each step", async () => {
    const { page } = manager;
    const ids = await addImages({ Red: red, Green: green, Blue: blue });
    await goTo(page, "#/playlists");
    await addPlaylist(page, "Window", ["Red", "Green", "Blue"]);
    await expect.poll(() => orderOf("Window", ids)).toBe("Red Green Blue");

    // Dragged to the end by its handle.
    const dragHandle = (one: string) =>
      page.getByRole("button", { name: new RegExp(`^Move “${one}”`) });
    await drag(
      page,
      await centreOf(dragHandle("Red")),
      await centreOf(dragHandle("Blue")),
    );
    await expect.poll(() => orderOf("Window", ids)).toBe("Green Blue Red");
    await page.getByText("Moved “Red”").waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(() => orderOf("Window", ids)).toBe("Red Green Blue");

    await page.getByRole("button", { name: "Remove “Green”" }).click();
    await expect.poll(() => orderOf("Window", ids)).toBe("Red Blue");
    await page.getByText("Removed “Green”").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await expect.poll(() => orderOf("Window", ids)).toBe("Red Green Blue");

    const before = await playlistsOf();
    await page
      .getByRole("button", { name: "More actions for “Window”" })
      .click();
    await page.getByRole("menuitem", { name: "Move to trash" }).click();
    await expect.poll(async () => (await playlistsOf()).length).toBe(0);
    await page.getByText("Moved playlist “Window” to trash").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await expect.poll(() => playlistsOf()).toEqual(before);
  });

  it("schedules lunch in three steps: drag over its hours, choose the weekdays, confirm", async () => {
    const { page } = manager;
    const { Red = "" } = await addImages({ Red: red });
    await makePlaylist({ name: "All day", items: [Red] });
    await makePlaylist({ name: "Lunch", priority: 5, items: [Red] });
    await goTo(page, "#/schedule");
    const track = trackOf(page, "Lunch");
    await track.waitFor();
    let steps = 0;
    steps += 1;
    await drag(
      page,
      await pointOn(track, 1, 11.5),
      await pointOn(track, 1, 14),
    );
    await expect
      .poll(() => predicateOf("Lunch"))
      .toBe("$WEEKDAY = 2 AND $TIME BETWEEN {41400000, 50399999}");
    steps += 1;
    await page.getByRole("button", { name: "Weekdays" }).click();
    steps += 1;
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await expect.poll(() => predicateOf("Lunch")).toBe(workdayLunch);
    expect(steps).toBeLessThanOrEqual(3);

    // Lunch plays, and All day is overridden by it.
    const stretches = (name: string, state: string) =>
      trackOf(page, name).locator(`.stretch[data-state=${state}]`);
    await expect.poll(() => stretches("Lunch", "plays").count()).toBe(5);
    await expect.poll(() => stretches("All day", "outranked").count()).toBe(5);

    // Resizing one of its blocks at its end resizes all five.
    const end = trackOf(page, "Lunch")
      .getByRole("button", { name: /Wednesday/ })
      .locator("[data-edge=end]");
    const from = await centreOf(end);
    const { x: two } = await pointOn(track, 0, 2);
    const { x: zero } = await pointOn(track, 0, 0);
    await drag(page, from, { x: from.x + two - zero, y: from.y });
    await expect
      .poll(() => predicateOf("Lunch"))
      .toBe(
        "$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {41400000, 57599999}",
      );
    await page.getByText("Changed the schedule for").last().waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(() => predicateOf("Lunch")).toBe(workdayLunch);
  });

  it("renders the preview with the stage's own code, at any moment, and never affects the screen", async () => {
    const { page } = manager;
    const ids = await addImages({ Red: red, Blue: blue });
    await makePlaylist({ name: "All day", items: [ids["Red"]] });
    const lunch = { predicate: workdayLunch, priority: 5 };
    await makePlaylist({ name: "Lunch", ...lunch, items: [ids["Blue"]] });
    await goTo(page, "#/schedule");
    const moment = page.getByLabel("Date and time", { exact: true });
    const frame = page.frameLocator("iframe[title='Screen preview']");
    const shown = frame.locator(".layer.front img.on");
    await expect.poll(nowOf).toContain("Red");
    const nowBefore = await nowOf();
    await moment.fill("2026-11-25T12:00");
    await moment.press("Enter");
    await expect
      .poll(() => shown.getAttribute("src"))
      .toBe(await fileOf(page, ids["Blue"]));
    const row = (name: string) =>
      page.getByRole("row").filter({ hasText: name }).first();
    await expect.poll(() => row("Lunch").innerText()).toMatch(/Plays/);
    await expect
      .poll(() => row("All day").innerText())
      .toMatch(/Overridden[^]*“Lunch” has a higher priority \(5\)/);

    await moment.fill("2026-11-28T12:00");
    await moment.press("Enter");
    await expect
      .poll(() => shown.getAttribute("src"))
      .toBe(await fileOf(page, ids["Red"]));
    await expect
      .poll(() => row("Lunch").innerText())
      .toMatch(/Not scheduled[^]*Plays weekdays/);
    expect(await nowOf()).toEqual(nowBefore);
  });

  it("marks the position of an error in a typed predicate, and explains valid ones in plain words", async () => {
    const { page } = manager;
    const { playlist_id } = await makePlaylist({ name: "Lunch" });
    await goTo(page, `#/playlists/${playlist_id}`);
    await page.getByRole("tab", { name: "Schedule" }).click();
    const text = page.getByRole("textbox", { name: "Schedule rule" });
    await text.fill("$WEEKDAY IN {6, 0} AND $TIME => 5");
    await page.getByText(/At character 31:/).waitFor();
    expect(await page.locator(".written-mark mark").innerText()).toBe(">");
    await text.fill("$weekday in {6,0} and $time>=28800000");
    await page.getByText("weekends from 08:00", { exact: true }).waitFor();
    const canonical = "$WEEKDAY IN {6, 0} AND $TIME >= 28800000";
    await page.getByRole("button", { name: canonical }).click();
    await text.press("Control+Enter");
    await expect.poll(() => predicateOf("Lunch")).toBe(canonical);
    await makePlaylist({ name: "Snacks" });
    await page.getByRole("button", { name: "Copy schedule to" }).click();
    await page.getByRole("menuitem", { name: "Snacks" }).click();
    await expect.poll(() => predicateOf("Snacks")).toBe(canonical);
    // Both views share one state: the days are selected, and clicking one writes it to the text.
    await page.getByRole("button", { name: "Fri", exact: true }).click();
    await expect
      .poll(() => text.inputValue())
      .toBe("$WEEKDAY IN {5, 6, 0} AND $TIME >= 28800000");
  });
});

describe("playlists and the schedule, by keyboard alone", () => {
  it("creates a playlist, fills it from the library, and moves an item with announced positions", async () => {
    const { page } = manager;
    const { keyboard } = page;
    const ids = await addImages({ Red: red, Green: green });
    await keyboard.press("Control+4");
    await tabTo(page, /^New playlist$/);
    await keyboard.press("Enter");
    await tabTo(page, /^Search library$/);
    for (const one of ["Red", "Green"])
      await page
        .getByRole("button", { name: `Add “${one}” to the end` })
        .waitFor();
    await keyboard.type("re");
    await keyboard.press("Enter");
    await expect.poll(() => orderOf("New playlist", ids)).toBe("Red");
    await keyboard.press("Control+a");
    await keyboard.type("green");
    await keyboard.press("Enter");
    await expect.poll(() => orderOf("New playlist", ids)).toBe("Red Green");

    await tabTo(page, /^Move “Green”/, "Shift+Tab");
    await keyboard.press("Space");
    const reported = page.locator("[id^=DndLiveRegion]");
    await expect
      .poll(() => reported.allTextContents())
      .toContainEqual(expect.stringMatching(/Green.*item 2 of 2/));
    await keyboard.press("ArrowUp");
    await expect
      .poll(() => reported.allTextContents())
      .toContainEqual(expect.stringMatching(/would become item 1 of 2/));
    await keyboard.press("Space");
    await expect.poll(() => orderOf("New playlist", ids)).toBe("Green Red");

    // Moved directly, without picking it up first.
    await tabTo(page, /^Move “Red”/);
    await keyboard.press("Alt+ArrowUp");
    await expect.poll(() => orderOf("New playlist", ids)).toBe("Red Green");
  });

  it("focuses the asset search as soon as it opens, and returns the focus when it is closed", async () => {
    const { page } = manager;
    const { Red = "" } = await addImages({ Red: red });
    const fields = { name: "Window", items: [Red, Red] };
    const { playlist_id: id } = await makePlaylist(fields);
    await goTo(page, `#/playlists/${id}`);
    const add = page.getByRole("button", { name: "Add content" });
    await add.press("Enter");
    const search = page.getByRole("searchbox", { name: /library/i });
    await expect.poll(() => search.and(page.locator(":focus")).count()).toBe(1);
    await tabTo(page, /^Done adding$/);
    await page.keyboard.press("Enter");
    await expect.poll(() => add.and(page.locator(":focus")).count()).toBe(1);
  });

  it("schedules lunch in three steps: its lane's plus button, its weekdays, its hours", async () => {
    const { page } = manager;
    const { keyboard } = page;
    const { Red = "" } = await addImages({ Red: red });
    await makePlaylist({ name: "Lunch", items: [Red] });
    await keyboard.press("Control+5");
    await trackOf(page, "Lunch").waitFor();
    let steps = 0;
    await tabTo(page, /^Add time to “Lunch”$/);
    steps += 1;
    await keyboard.press("Enter");
    await page.getByRole("group", { name: /^Times for/ }).waitFor();
    steps += 1;
    await tabTo(page, /^Weekdays$/);
    await keyboard.press("Space");
    steps += 1;
    await tabTo(page, /^Until$/);
    await page.getByLabel("Until").fill("14:30");
    await keyboard.press("Enter");
    await expect
      .poll(() => predicateOf("Lunch"))
      .toBe(
        "$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {41400000, 52199999}",
      );
    expect(steps).toBeLessThanOrEqual(3);

    // Moves its block by 15 min, its end by another 15 min, deletes it and undoes that.
    await tabTo(page, /^Lunch, Monday/);
    await keyboard.press("ArrowRight");
    await keyboard.press("Alt+ArrowRight");
    await expect
      .poll(() => predicateOf("Lunch"))
      .toBe(
        "$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {42300000, 53999999}",
      );
    await keyboard.press("Delete");
    await page.getByRole("alertdialog", { name: /^Play .*Lunch/ }).waitFor();
    await tabTo(page, /^Play at any time$/);
    await keyboard.press("Enter");
    await expect.poll(() => predicateOf("Lunch")).toBe("TRUE");
    await keyboard.press("Control+z");
    await expect
      .poll(() => predicateOf("Lunch"))
      .toContain("{42300000, 53999999}");
  });

  it("previews any moment with the arrow keys, and announces it", async () => {
    const { page } = manager;
    await makePlaylist({ name: "Empty" });
    await page.keyboard.press("Control+5");
    const scrubber = page.getByRole("slider", { name: "Preview time" });
    await scrubber.focus();
    await page.keyboard.press("Home");
    await expect
      .poll(() => scrubber.getAttribute("aria-valuetext"))
      .toMatch(/^Monday.* 00:00$/);
    await page.keyboard.press("PageUp");
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => scrubber.getAttribute("aria-valuetext"))
      .toMatch(/^Tuesday.* 00:15$/);
    await page.getByText("It has no items.").waitFor();
  });
});

describe("playlists and the schedule, tested by an accessibility checker", () => {
  it("have no serious violation, dark and light, empty and filled", async () => {
    const { page } = manager;
    const collected: string[] = [];
    const collectFaults = async (where: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const fault of await seriousFaults(manager))
          collected.push(`${where}, ${colorScheme}: ${fault}`);
      }
    };
    await goTo(page, "#/schedule");
    await page.locator(".empty").waitFor();
    await collectFaults("#/schedule, empty");
    const { Red = "" } = await addImages({ Red: red });
    const lunch = { predicate: workdayLunch, priority: 5, items: [Red] };
    await makePlaylist({ name: "All day", items: [Red] });
    await makePlaylist({ name: "Lunch", ...lunch });
    await makePlaylist({ name: "Off", is_enabled: false, items: [Red] });
    await page.locator(".lane-row .block").first().waitFor();
    await collectFaults("#/schedule");
    await page.locator(".block").first().press("Enter");
    await page.getByRole("group", { name: /^Times for/ }).waitFor();
    await collectFaults("#/schedule, a time opened");
    await goTo(page, "#/playlists");
    for (const tab of ["Content", "Schedule", "Settings", "Preview"]) {
      await page.getByRole("tab", { name: tab }).click();
      if (tab === "Content")
        await page.getByRole("button", { name: "Add content" }).click();
      await collectFaults(`#/playlists, ${tab}`);
    }
    expect(collected).toEqual([]);
  });
});

async function nowOf(): Promise<unknown> {
  const answer = await fetch(`${manager.api}/api/v2/now`);
  const { showing } = (await answer.json()) as {
    showing: { name: string; since: string } | null;
  };
  return showing && [showing.name, showing.since];
}

async function fileOf(page: Page, id: string | undefined): Promise<string> {
  return page.evaluate(async (expectedName) => {
    const outcome = await window.manager.operate({
      ...{ operation: "readAsset", parameters: { id: expectedName ?? "" } },
    });
    const { answer } = outcome as { answer: AssetV2 };
    return `asset://store/${answer.stored.file?.sha256}`;
  }, id);
}
