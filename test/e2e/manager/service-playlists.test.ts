// The playlists at the content service's own address: a real Chromium at a real service, as people with different roles.

import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { watchFaults } from "../../support/browser/watch-faults.ts";
import { registerPlayer } from "../../support/content/linked-player.ts";
import type { StartedContent } from "../../support/content/start-content.ts";
import { untilAllHaveRun } from "../../support/folder.ts";
import {
  addPlaylist,
  centreOf,
  drag,
} from "../../support/manager/manager-page.ts";
import {
  addImages,
  checkPage,
  openService,
  send,
  signedInPage,
} from "../../support/manager/service-pages.ts";
import { png } from "../../support/media/media.ts";

let browser: Browser;
let persons = 0;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

/** As somebody new. */
function signedInAs(
  service: StartedContent,
  role: "viewer" | "editor",
  labels: readonly string[] | null = null,
): Promise<Page> {
  const email = `${role}-${(persons += 1)}@example.org`;
  return signedInPage(browser, service, email, role, labels);
}

async function openPlaylists(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Playlists", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
}

const tab = (page: Page, name: string) => page.getByRole("tab", { name });

/** The only playlist, as version 3 has it. */
async function stored(service: StartedContent): Promise<any> {
  const [one] = await send(service, "GET", "/playlists/");
  return one && send(service, "GET", `/playlists/${one.id}/`);
}

/** The names of its assets, in order. */
async function orderOf(
  service: StartedContent,
  ids: Readonly<Record<string, string>>,
): Promise<string> {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const { assets } = await stored(service);
  return (assets as readonly { readonly id: string }[])
    .map(({ id }) => names.get(id) ?? "?")
    .join(" ");
}

async function makePlaylist(
  service: StartedContent,
  ids: readonly string[],
  more: object = {},
): Promise<string> {
  const { id } = await send(service, "POST", "/playlists/", {
    ...{ title: "Window", assets: ids.map((asset) => ({ id: asset })) },
    ...more,
  });
  return id as string;
}

async function pairedScreen(
  service: StartedContent,
  name: string,
  labels: readonly string[] = [],
): Promise<string> {
  const { pin } = await registerPlayer(service.address);
  const { id } = await send(service, "POST", "/screens/", { pin, name });
  await send(service, "PATCH", `/screens/${id}/`, {
    groups: labels.map((label) => ({ id: label })),
  });
  return id as string;
}

/** Sends `act` before the next change that the page sends to this playlist reaches the service. */
async function interfere(
  page: Page,
  id: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const held = `**/api/v3/playlists/${id}/`;
  let isDone = false;
  await page.unroute(held);
  await page.route(held, async (route) => {
    if (route.request().method() === "PATCH" && !isDone) {
      isDone = true;
      await act();
    }
    await route.continue();
  });
}

describe("playlists at the content service's address", () => {
  it("[V3-190][V3-193] an editor makes, fills, orders and times a playlist, undoes it, and another session sees that", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red", "Green", "Blue");
    const page = await signedInAs(service, "editor");
    const faults = watchFaults(page, service.address);
    const viewer = await signedInAs(service, "viewer");
    await openPlaylists(viewer);
    await viewer.getByText("You can view playlists").waitFor();
    await openPlaylists(page);
    await addPlaylist(page, "Window", ["Red", "Green", "Blue"]);
    await expect.poll(() => orderOf(service, ids)).toBe("Red Green Blue");
    await viewer.getByText("Window").first().waitFor();
    await viewer.getByText("3 items").first().waitFor();

    const handle = (one: string) =>
      page.getByRole("button", { name: new RegExp(`^Move “${one}”`) });
    await drag(
      page,
      await centreOf(handle("Red")),
      await centreOf(handle("Blue")),
    );
    await expect.poll(() => orderOf(service, ids)).toBe("Green Blue Red");
    await page.getByText("Moved “Red”").waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(() => orderOf(service, ids)).toBe("Red Green Blue");
    // The page shows it a moment after the service has it.
    await page.getByRole("button", { name: "Move “Red”, 1 of 3" }).waitFor();
    await handle("Red").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => orderOf(service, ids)).toBe("Green Red Blue");

    const duration = page.getByLabel("Time on screen for “Blue”");
    await duration.fill("1:30");
    await duration.press("Enter");
    await expect
      .poll(async () => (await stored(service)).assets)
      .toEqual([
        { id: ids["Green"], duration: 10 },
        { id: ids["Red"], duration: 10 },
        { id: ids["Blue"], duration: 90 },
      ]);
    await page.getByRole("button", { name: "Remove “Green”" }).click();
    await expect.poll(() => orderOf(service, ids)).toBe("Red Blue");
    await page.getByText("Removed “Green”").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await expect.poll(() => orderOf(service, ids)).toBe("Green Red Blue");
    // Step by step, down to an item that the service has named itself.
    await page.keyboard.press("Control+z");
    await expect
      .poll(async () => (await stored(service)).duration as number)
      .toBe(30);
    await page.keyboard.press("Control+z");
    await expect.poll(() => orderOf(service, ids)).toBe("Red Green Blue");
    await page.keyboard.press("Control+z");
    await expect.poll(() => orderOf(service, ids)).toBe("Red Green");
    // After a reload, on another page, too.
    await page.evaluate(() => (location.hash = "#/account"));
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(() => orderOf(service, ids)).toBe("Red");
    expect(faults).toEqual([]);
  });

  it("[V3-190] the name, whether it is enabled, times, priority and transition are stored; a copy has them too", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red");
    const id = await makePlaylist(service, [ids["Red"] ?? ""]);
    const page = await signedInAs(service, "editor");
    await openPlaylists(page);
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Lunch");
    await name.press("Enter");
    await page.getByRole("switch", { name: "Enabled" }).press("Space");
    await expect
      .poll(() => stored(service))
      .toMatchObject({ title: "Lunch", is_enabled: false });

    await tab(page, "Schedule").click();
    await page.getByText("in each screen’s local time").waitFor();
    await page.getByRole("button", { name: "Add time" }).click();
    await page.getByRole("button", { name: "Weekdays" }).click();
    const predicate =
      "$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {41400000, 50399999}";
    await expect
      .poll(async () => (await stored(service)).predicate)
      .toBe(predicate);
    // What only a player knows is not there.
    expect(await page.getByText("Active until").count()).toBe(0);

    await tab(page, "Settings").click();
    await page.getByText("High", { exact: true }).click();
    await page.getByText("Cut", { exact: true }).click();
    const row = async () =>
      (
        await (await service.request(`/api/v4/playlists?id=eq.${id}`)).json()
      )[0];
    await expect
      .poll(row)
      .toMatchObject({ priority: true, transitions: false });
    for (const absent of ["Order", "Groups", "Screen default"])
      expect(await page.getByText(absent, { exact: true }).count()).toBe(0);
    expect(await tab(page, "Preview").count()).toBe(0);

    await page
      .getByRole("button", { name: "More actions for “Lunch”" })
      .click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByText("Created playlist “Lunch (copy)”").waitFor();
    const rows = await (
      await service.request("/api/v4/playlists?order=id.asc")
    ).json();
    expect(rows).toMatchObject(
      ["Lunch", "Lunch (copy)"].map((title) => ({
        ...{ title, predicate, priority: true, transitions: false },
        is_enabled: false,
      })),
    );
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await expect
      .poll(async () => (await send(service, "GET", "/playlists/")).length)
      .toBe(1);
  });

  it("[V3-191] what two people change at once in one playlist is kept, and the same field is reported", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red", "Green", "Blue");
    const [red = "", green = "", blue = ""] = Object.values(ids);
    const id = await makePlaylist(service, [red, green]);
    const change = (body: unknown) =>
      send(service, "PATCH", `/playlists/${id}/`, body);
    const page = await signedInAs(service, "editor");
    await openPlaylists(page);

    // Another person adds an item, and this one moves one.
    await interfere(page, id, () =>
      change({ assets: [red, green, blue].map((asset) => ({ id: asset })) }),
    );
    await page.getByRole("button", { name: /^Move “Red”/ }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => orderOf(service, ids)).toBe("Green Red Blue");
    await page.getByRole("button", { name: /^Move “Blue”/ }).waitFor();

    // Both give the same item another duration: theirs stays, and this person is told.
    await interfere(page, id, () =>
      change({
        assets: [...[{ id: green, duration: 20 }, { id: red }, { id: blue }]],
      }),
    );
    const duration = page.getByLabel("Time on screen for “Green”");
    await duration.fill("30");
    await duration.press("Enter");
    await page.getByText("This was also changed elsewhere").waitFor();
    expect((await stored(service)).assets[0].duration).toBe(20);
    await page.getByRole("button", { name: "Use theirs" }).click();

    // Both rename it: the field shows both names.
    await interfere(page, id, () => change({ title: "Theirs" }));
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Mine");
    await name.press("Enter");
    await page.getByRole("button", { name: "Keep mine" }).waitFor();
    expect(await stored(service)).toMatchObject({ title: "Theirs" });
    await page.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(async () => (await stored(service)).title).toBe("Mine");

    // One switches it off while the other renames it: both hold.
    await interfere(page, id, () => change({ title: "Renamed" }));
    await page.getByRole("switch", { name: "Enabled" }).press("Space");
    await expect
      .poll(() => stored(service))
      .toMatchObject({ title: "Renamed", is_enabled: false });
  });

  it("[V3-191] steps that follow each other faster than the service answers are all stored, also of an asset that is in it twice", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red", "Green", "Blue");
    const [red = "", green = "", blue = ""] = Object.values(ids);
    const id = await makePlaylist(service, []);
    const put = (assets: readonly object[]) =>
      send(service, "PATCH", `/playlists/${id}/`, { assets });
    await put([
      { id: red, duration: 5 },
      { id: green },
      { id: red, duration: 20 },
      { id: blue },
    ]);
    const page = await signedInAs(service, "editor");
    await openPlaylists(page);
    const assets = async () =>
      (await stored(service)).assets as readonly object[];
    // Each request takes longer than the next steps.
    await page.route(`**/api/v3/playlists/${id}/`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    const last = (name: string) =>
      page.getByRole("button", {
        name: new RegExp(`^Move “${name}”, .* of 4`),
      });
    await last("Red").last().focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("button", { name: "Remove “Green”" }).click();
    await page.getByRole("button", { name: "Add content" }).click();
    for (const name of ["Blue", "Green"])
      await page
        .getByRole("button", { name: `Add “${name}” to the end` })
        .click();
    const after = [
      { id: red, duration: 20 },
      { id: red, duration: 5 },
      { id: blue, duration: 10 },
      { id: blue, duration: 10 },
      { id: green, duration: 10 },
    ];
    await expect.poll(assets).toEqual(after);
    await page
      .getByRole("textbox", { name: "Time on screen for “Red”" })
      .first()
      .fill("25");
    await page.keyboard.press("Enter");
    await expect.poll(assets).toEqual(after.with(0, { id: red, duration: 25 }));
    await page.getByRole("tab", { name: "Content" }).focus();
    for (const state of [after, after.slice(0, 4), after.slice(0, 3)]) {
      await page.keyboard.press("Control+z");
      await expect.poll(assets).toEqual(state);
    }
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("[V3-195] files and pages that are dropped on it are appended, behind what others have added meanwhile", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red", "Green");
    const [red = "", green = ""] = Object.values(ids);
    const id = await makePlaylist(service, [red]);
    const page = await signedInAs(service, "editor");
    await openPlaylists(page);
    await page.getByRole("button", { name: /^Move “Red”/ }).waitFor();
    await interfere(page, id, () =>
      send(service, "PATCH", `/playlists/${id}/`, {
        assets: [{ id: red }, { id: green }],
      }),
    );
    const bytes = [...png([20, 20, 200], 64, 36)];
    await page.evaluate((content) => {
      const data = new DataTransfer();
      data.items.add(
        new File([new Uint8Array(content)], "Blue.png", { type: "image/png" }),
      );
      for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(
          new DragEvent(kind, {
            dataTransfer: data,
            bubbles: true,
            cancelable: true,
          }),
        );
    }, bytes);
    await page.getByText("Added “Blue”").waitFor();
    const count = async () => (await stored(service)).assets.length as number;
    await expect.poll(count).toBe(3);
    expect(await orderOf(service, ids)).toBe("Red Green ?");

    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/uri-list", "http://127.0.0.1:9/none");
      for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(
          new DragEvent(kind, {
            dataTransfer: data,
            bubbles: true,
            cancelable: true,
          }),
        );
    });
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "Add anyway" })
      .click();
    await expect.poll(count).toBe(4);
    await page.getByRole("button", { name: /^Move “.*127\.0\.0\.1/ }).waitFor();
  });

  it("[V3-194] it is assigned to labels and screens, and shows on which screens it plays", async () => {
    const service = await openService();
    const { id: north } = await send(service, "POST", "/groups/", {
      ...{ name: "North", screens: [] },
    });
    await pairedScreen(service, "Station", [north]);
    const harbour = await pairedScreen(service, "Harbour");
    await makePlaylist(service, []);
    const page = await signedInAs(service, "editor");
    await openPlaylists(page);
    await page.getByText("Doesn’t play on any screen yet").waitFor();
    await tab(page, "Settings").click();
    const field = page.getByRole("combobox", { name: "Screens" });
    await field.click();
    await page.getByRole("option", { name: "North" }).click();
    await page.getByText("Plays on 1 screen:").waitFor();
    await page.getByRole("link", { name: "Station" }).waitFor();
    await page.getByRole("option", { name: "Harbour" }).click();
    await page.getByText("Plays on 2 screens:").waitFor();
    const groups = async () =>
      ((await stored(service)).groups as readonly { readonly id: string }[])
        .map(({ id }) => id)
        .toSorted();
    await expect.poll(groups).toEqual([north, harbour].toSorted());
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Station" }).click();
    await page.getByRole("heading", { level: 1, name: "Screens" }).waitFor();
    await page
      .getByRole("complementary")
      .getByRole("heading", { name: "Station" })
      .waitFor();
  });

  it("[V3-193] the library shows the playlists that have an asset, also those of another person, and what deleting it does to them", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red");
    const page = await signedInAs(service, "editor");
    await page.getByRole("link", { name: "Library", exact: true }).click();
    await page.locator(".asset-card", { hasText: "Red" }).click();
    const details = page.getByRole("complementary");
    await details.getByText("Not in any playlist").waitFor();
    const id = await makePlaylist(service, [ids["Red"] ?? ""]);
    await details.getByText("Playlist “Window” will be empty.").waitFor();
    await details.getByRole("link", { name: "Window" }).click();
    await page.getByRole("region", { name: "Window" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/playlists/${id}`);
  });

  it("[V3-192] what a person may not do is not there: a viewer, and an editor of one label", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red");
    const { id: north } = await send(service, "POST", "/groups/", {
      ...{ name: "North", screens: [] },
    });
    const station = await pairedScreen(service, "Station", [north]);
    await pairedScreen(service, "Harbour");
    const assets = [ids["Red"] ?? ""];
    await makePlaylist(service, assets, {
      ...{ title: "Everywhere", groups: [{ id: "all-screens" }] },
    });
    await makePlaylist(service, assets, {
      ...{ title: "Northern", groups: [{ id: north }, { id: station }] },
    });
    const viewer = await signedInAs(service, "viewer");
    await openPlaylists(viewer);
    const editor = viewer.getByRole("region", { name: "Everywhere" });
    await editor.getByText("Red").waitFor();
    const controls = async () => ({
      fields: await editor.getByRole("textbox").count(),
      switches: await editor.getByRole("switch").count(),
      buttons: await editor.getByRole("button").count(),
      boxes: await editor.getByRole("checkbox").count(),
    });
    const none = { fields: 0, switches: 0, buttons: 0, boxes: 0 };
    for (const part of ["Content", "Schedule", "Settings"]) {
      await tab(viewer, part).click();
      await viewer.getByRole("tabpanel", { name: part }).waitFor();
      if (part === "Settings") await editor.getByText("Plays on 2").waitFor();
      expect(await controls(), part).toEqual(none);
    }
    expect(
      await viewer.getByRole("button", { name: "New playlist" }).count(),
    ).toBe(0);

    const limited = await signedInAs(service, "editor", ["North"]);
    await openPlaylists(limited);
    const open = (name: string) =>
      limited
        .getByRole("navigation", { name: "All playlists" })
        .getByText(name)
        .click();
    await open("Everywhere");
    await limited.getByRole("region", { name: "Everywhere" }).waitFor();
    expect(await limited.getByRole("switch").count()).toBe(0);
    await open("Northern");
    await limited.getByRole("switch", { name: "Enabled" }).waitFor();
    await tab(limited, "Settings").click();
    await limited.getByRole("combobox", { name: "Screens" }).click();
    await limited.getByRole("option", { name: "Station" }).waitFor();
    expect(await limited.getByRole("option").allInnerTexts()).toEqual([
      ...["North", "Station"],
    ]);
  });

  it("[V3-189] deleting is undone with items, times, labels, priority and transition, and a person who has it open elsewhere is notified", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red", "Green");
    const before = {
      ...{ title: "Window", priority: 1, is_enabled: false },
      groups: [{ id: "all-screens" }],
      predicate: "$TIME BETWEEN {41400000, 50399999}",
      assets: [
        { id: ids["Green"], duration: 7 },
        { id: ids["Red"], duration: 12.5 },
      ],
    };
    const { id } = await send(service, "POST", "/playlists/", before);
    await service.request(`/api/v4/playlists?id=eq.${id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ transitions: false }),
    });
    const page = await signedInAs(service, "editor");
    const other = await signedInAs(service, "editor");
    for (const one of [page, other]) {
      await openPlaylists(one);
      await one.getByRole("textbox", { name: "Name" }).waitFor();
    }
    await page
      .getByRole("button", { name: "More actions for “Window”" })
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Deleted playlist “Window”").first().waitFor();
    await page.getByText("No playlists yet").waitFor();
    expect(await send(service, "GET", "/playlists/")).toEqual([]);
    await other.getByText("This playlist was deleted").waitFor();
    await other.getByText("It can’t be restored.").waitFor();

    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(() => stored(service)).toMatchObject(before);
    await expect
      .poll(async () =>
        (await service.request("/api/v4/playlists?select=transitions")).json(),
      )
      .toEqual([{ transitions: false }]);
    await page.getByRole("link", { name: /Window/ }).waitFor();
  });

  it("[V3-188] shows which assertion a change breaks, where and when, and applies it anyway", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red");
    await pairedScreen(service, "Station");
    const id = await makePlaylist(service, [], {
      groups: [{ id: "all-screens" }],
    });
    await send(service, "POST", "/assertions/", {
      ...{ name: "Never red", kind: "never" },
      assets: [{ id: ids["Red"] }],
    });
    const page = await signedInAs(service, "editor");
    const faults = watchFaults(page, service.address);
    const assets = async (): Promise<unknown[]> =>
      (await send(service, "GET", `/playlists/${id}/`)).assets;
    await openPlaylists(page);
    const add = page.getByRole("button", { name: "Add “Red” to the end" });
    const dialog = page.getByRole("dialog", {
      name: "Apply this change anyway?",
    });
    await add.click();
    await dialog
      .getByText(
        /^This breaks “Never red” on “Station”, first from .+ to .+\.$/,
      )
      .waitFor();
    await dialog
      .getByText("“Station” will show something else in the next 30 days.")
      .waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("This playlist is empty").waitFor();
    expect(await assets()).toEqual([]);
    expect(await page.getByText("Couldn’t change").count()).toBe(0);

    await add.click();
    await dialog.getByRole("button", { name: "Change anyway" }).click();
    await expect.poll(assets).toHaveLength(1);
    await dialog.waitFor({ state: "detached" });
    // Undoing it breaks nothing, and isn't asked about.
    await page.keyboard.press("Control+z");
    await expect.poll(assets).toEqual([]);
    expect(faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  });

  it("[V3-197] asks before screens show something else: times, labels, enabled, the last item and the deletion", async () => {
    const service = await openService();
    const ids = await addImages(service, "Red");
    for (const name of ["Station", "Window"]) await pairedScreen(service, name);
    const id = await makePlaylist(service, [ids["Red"] ?? ""], {
      groups: [{ id: "all-screens" }],
    });
    const shown = () => send(service, "GET", `/playlists/${id}/`);
    const page = await signedInAs(service, "editor");
    await openPlaylists(page);
    const dialog = (name: string) => page.getByRole("dialog", { name });
    const emptied = /^This leaves gaps in the schedules of 2 screens/;

    const enabled = page.getByRole("switch", { name: "Enabled" });
    await enabled.press("Space");
    const disabling = dialog("Disable “Window”?");
    await disabling.getByText(emptied).waitFor();
    await disabling.getByText(/“Station” and “Window”/).waitFor();
    await disabling.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => enabled.isChecked()).toBe(true);
    expect((await shown()).is_enabled).toBe(true);
    await enabled.press("Space");
    await disabling.getByRole("button", { name: "Disable" }).click();
    await expect.poll(async () => (await shown()).is_enabled).toBe(false);
    await enabled.press("Space");
    await dialog("Enable “Window”?")
      .getByRole("button", { name: "Enable" })
      .click();
    await expect.poll(async () => (await shown()).is_enabled).toBe(true);

    const changing = dialog("Change “Window”?");
    await page.getByRole("button", { name: "Remove “Red”" }).click();
    await changing.getByText(emptied).waitFor();
    await changing.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Remove “Red”" }).waitFor();

    await tab(page, "Schedule").click();
    await page.getByRole("button", { name: "Add time" }).click();
    await changing.getByText(emptied).waitFor();
    await changing.getByRole("button", { name: "Change" }).click();
    await expect.poll(async () => (await shown()).predicate).not.toBe("TRUE");

    await tab(page, "Settings").click();
    const screens = page.getByRole("combobox", { name: "Screens" });
    await screens.press("Backspace");
    await changing.getByText(emptied).waitFor();
    await changing.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Plays on 2").waitFor();
    expect((await shown()).groups).toHaveLength(1);

    await page
      .getByRole("button", { name: "More actions for “Window”" })
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const deleting = dialog("Delete playlist “Window”?");
    await deleting.getByText(emptied).waitFor();
    await deleting.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No playlists yet").waitFor();
    expect(await send(service, "GET", "/playlists/")).toEqual([]);
  });

  describe.each(["light", "dark"] as const)("in its %s theme", (theme) => {
    it("has no serious accessibility violation, nor anything cut off at 360 px", async () => {
      const service = await openService();
      const ids = await addImages(service, "Red", "Green");
      await pairedScreen(service, "Station");
      const page = await signedInAs(service, "editor");
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await openPlaylists(page);
      await page.getByText("No playlists yet").waitFor();
      await checkPage(browser, page);
      const id = await makePlaylist(service, Object.values(ids), {
        ...{ groups: [{ id: "all-screens" }], priority: 1 },
        predicate: "$WEEKDAY = 1",
      });
      await page.getByTitle("High priority").waitFor();
      await checkPage(browser, page);
      const viewer = await signedInAs(service, "viewer");
      await viewer.setViewportSize({ width: 360, height: 740 });
      await viewer.emulateMedia({ colorScheme: theme });
      for (const one of [page, viewer]) {
        await one.evaluate((at) => (location.hash = `#/playlists/${at}`), id);
        for (const part of ["Content", "Schedule", "Settings"]) {
          await tab(one, part).click();
          await one.getByRole("tabpanel", { name: part }).waitFor();
          if (part === "Settings") await one.getByText("Plays on 1").waitFor();
          await checkPage(browser, one);
        }
      }
      await page
        .getByRole("button", { name: "More actions for “Window”" })
        .click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: /^Delete playlist/ });
      await dialog.getByRole("button", { name: "Delete" }).waitFor();
      await checkPage(browser, page);
    });
  });
});
