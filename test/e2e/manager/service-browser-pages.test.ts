// Activity, schedule and reports at the content service's own address: a real Chromium at a real service, as people with different
// roles.

import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { watchFaults } from "../../support/browser/watch-faults.ts";
import {
  playbackOf,
  registerPlayer,
  type LinkedPlayer,
} from "../../support/content/linked-player.ts";
import { reportOf } from "../../support/content/screen-reports.ts";
import type { StartedContent } from "../../support/content/start-content.ts";
import { untilAllHaveRun } from "../../support/folder.ts";
import { themeIsChosen } from "../../support/manager/axe.ts";
import {
  addImages,
  checkPage,
  openService,
  send,
  signedInPage,
} from "../../support/manager/service-pages.ts";

let browser: Browser;
let service: StartedContent;
/** By name. */
let assets: Readonly<Record<string, string>>;
const screens: Record<string, string> = {};
const players: Record<string, LinkedPlayer> = {};
const playlists: Record<string, string> = {};
let north = "";
let persons = 0;

const breakfast = "$TIME BETWEEN {25200000, 37799999}";

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
    service = await openService(atEnd);
    const make = async (to: string, body: object): Promise<string> =>
      (await send(service, "POST", to, body)).id as string;
    assets = await addImages(service, "Menu", "Offer");
    north = await make("/groups/", { name: "North" });
    for (const name of ["Kitchen", "Lobby"]) {
      const player = await registerPlayer(service.address);
      players[name] = player;
      screens[name] = await make("/screens/", { pin: player.pin, name });
      await send(service, "PATCH", `/screens/${screens[name]}/`, {
        ...{ timezone: "UTC", groups: name === "Lobby" ? [{ id: north }] : [] },
      });
      const at = new Date(Date.now() - 60_000).toISOString();
      const stored = await player.send(
        Object.values(assets).map((id) => playbackOf(id, { started_at: at })),
      );
      expect(stored.status).toBe(200);
    }
    const groupsOf: Readonly<Record<string, readonly string[]>> = {
      ...{ Breakfast: [north], Always: ["all-screens"], Nowhere: [] },
      Special: [screens["Kitchen"] ?? ""],
    };
    for (const [title, groups] of Object.entries(groupsOf))
      playlists[title] = await make("/playlists/", {
        ...{ title, assets: [{ id: assets["Menu"], duration: 10 }] },
        predicate: title === "Breakfast" ? breakfast : "TRUE",
        priority: title === "Breakfast" ? 1 : 0,
        groups: groups.map((id) => ({ id })),
      });
  }),
);

/** As somebody new, whose name is their role and a number. */
async function signedInAs(
  role: "viewer" | "editor" | "admin",
  labels: readonly string[] | null = null,
): Promise<Page> {
  const email = `${role}-${(persons += 1)}@example.org`;
  return signedInPage(browser, service, email, role, labels);
}

async function open(page: Page, hash: string, heading: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

/** From now on, what the page would download is kept in it instead. The returned function takes the next one. */
async function catchDownloads(
  page: Page,
): Promise<() => Promise<{ readonly name: string; readonly text: string }>> {
  interface Kept {
    download?: { readonly name: string; readonly text: Promise<string> };
  }
  await page.evaluate(() => {
    let made: Blob | null = null;
    URL.createObjectURL = (object) => {
      made = object as Blob;
      return "blob:made";
    };
    HTMLAnchorElement.prototype.click = function () {
      const isMade = this.href === "blob:made" && made !== null;
      const text = isMade
        ? (made as Blob).text()
        : fetch(this.href).then((response) => response.text());
      (globalThis as Kept).download = { name: this.download, text };
    };
  });
  return async () => {
    await page.waitForFunction(() => "download" in globalThis);
    return page.evaluate(async () => {
      const { name = "", text = "" } = (globalThis as Kept).download ?? {};
      delete (globalThis as Kept).download;
      return { name, text: await text };
    });
  };
}

describe("activity at the content service's address", () => {
  const line = (page: Page, text: string) =>
    page.locator(".activity-line").filter({ hasText: text });
  const select = (page: Page, label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption(option);

  it("[V3-184] shows an administrator who changed what, before and after, as it happens, and finds it", async () => {
    const page = await signedInAs("admin");
    const faults = watchFaults(page, service.address);
    await open(page, "#/activity", "Activity");
    const created = line(page, "Playlist created Breakfast");
    await created.getByText("API key · set at start · 127.0.0.1").waitFor();

    const id = await send(service, "POST", "/groups/", { name: "Window" });
    await line(page, "Label created Window").waitFor();
    await send(service, "PATCH", `/groups/${id.id}/`, { name: "Shopfront" });
    const changed = line(page, "Label changed Shopfront");
    await changed.locator("summary").click();
    expect(await changed.locator("dl div").allInnerTexts()).toEqual([
      expect.stringMatching(/^name\s+Window → Shopfront$/),
    ]);

    await select(page, "Filter by type", "Labels");
    await created.waitFor({ state: "detached" });
    await page.getByRole("searchbox").fill("shopFRONT");
    await line(page, "Label created North").waitFor({ state: "detached" });
    await changed.waitFor();
    const downloaded = await catchDownloads(page);
    const save = async (format: string) => {
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name: format }).click();
      return downloaded();
    };
    const csv = await save("CSV");
    expect(csv.name).toBe("vitrine-activity.csv");
    expect(csv.text.trim().split("\r\n")).toEqual([
      expect.stringMatching(/^at,actor_kind,/),
      expect.stringContaining('name: ""Window"" → ""Shopfront""'),
    ]);
    const json = await save("JSON");
    expect(JSON.parse(json.text)).toMatchObject([{ name: "Shopfront" }]);

    await page.getByRole("searchbox").fill("");
    await select(page, "Filter by type", "All types");
    await select(page, "Who", `admin-${persons}`);
    await changed.waitFor({ state: "detached" });
    await line(page, "Signed in").waitFor();
    await select(page, "Filter by type", "Assets");
    await page.getByText("No matching activity").waitFor();
    await page.getByRole("button", { name: "Show all activity" }).click();
    await created.getByRole("link", { name: "Breakfast" }).click();
    await page.getByRole("heading", { name: "Playlists" }).waitFor();
    expect(page.url()).toContain(`#/playlists/${playlists["Breakfast"]}`);

    // And back to what happened to it alone.
    await page
      .getByRole("button", { name: "More actions for “Breakfast”" })
      .click();
    await page.getByRole("menuitem", { name: "Activity" }).click();
    const only = page.getByRole("button", { name: "Only “Breakfast”" });
    await only.waitFor();
    expect(await page.locator(".activity-line").count()).toBe(1);
    await only.click();
    await changed.waitFor();
    expect(faults).toEqual([]);
  });

  it("[V3-184][V3-201] continues to search where a page has nothing that matches", async () => {
    const page = await signedInAs("admin");
    await page.route("**/api/v3/activity/?*text=Breakfast*", (route) =>
      new URL(route.request().url()).searchParams.has("cursor")
        ? route.continue()
        : route.fulfill({ json: { entries: [], next: "7" + "Z".repeat(25) } }),
    );
    await open(page, "#/activity", "Activity");
    await page.getByRole("searchbox").fill("Breakfast");
    await line(page, "Playlist created Breakfast").waitFor();
    await line(page, "Label").first().waitFor({ state: "detached" });
  });

  it("[V3-184] keeps what is listed and says so when it can't be loaded", async () => {
    const page = await signedInAs("admin");
    await page.route("**/api/v3/activity/?*", (route) =>
      route.fulfill({ status: 503, json: { detail: "Not now." } }),
    );
    await open(page, "#/activity", "Activity");
    await page.getByText("Couldn’t load activity.").waitFor();
    await page.unroute("**/api/v3/activity/?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await line(page, "Playlist created").first().waitFor();
  });
});

describe("reports at the content service's address", () => {
  const row = (page: Page, name: string) =>
    page.getByRole("row").filter({ hasText: name });

  it("[V3-185] shows what all screens played, by asset, playlist, screen, label and day, of all labels or one", async () => {
    const page = await signedInAs("viewer");
    const faults = watchFaults(page, service.address);
    await open(page, "#/reports", "Reports");
    const numbers = async (name: string) =>
      (await row(page, name).getByRole("cell").allInnerTexts()).slice(0, 2);
    await row(page, "Menu").waitFor();
    expect(await numbers("Menu")).toEqual(["2", "20s"]);
    await page.getByText("By screen", { exact: true }).click();
    await row(page, "Lobby").waitFor();
    expect(await numbers("Kitchen")).toEqual(["2", "20s"]);
    const screen = page.getByRole("link", { name: "Lobby" });
    expect(await screen.getAttribute("href")).toContain(
      encodeURIComponent(screens["Lobby"] ?? "?"),
    );

    await page
      .getByLabel("Filter by label", { exact: true })
      .selectOption("North");
    await row(page, "Kitchen").waitFor({ state: "detached" });
    await expect.poll(() => numbers("Lobby")).toEqual(["2", "20s"]);
    await page.getByText("By label", { exact: true }).click();
    await row(page, "North").waitFor();
    await page.getByText("By playlist", { exact: true }).click();
    await row(page, "No playlist").waitFor();

    // One screen: of the label's own, and of all of them.
    await page.getByText("By screen", { exact: true }).click();
    const filter = page.getByRole("combobox", { name: "Filter by screen" });
    await filter.click();
    await page.getByRole("option", { name: "Lobby" }).waitFor();
    expect(await page.locator("[role=option]").allInnerTexts()).toEqual([
      "Lobby",
    ]);
    await page.keyboard.press("Escape");
    await page
      .getByLabel("Filter by label", { exact: true })
      .selectOption("All labels");
    await row(page, "Kitchen").waitFor();
    await filter.click();
    await page.getByRole("option", { name: "Lobby" }).click();
    await row(page, "Kitchen").waitFor({ state: "detached" });
    await expect.poll(() => numbers("Lobby")).toEqual(["2", "20s"]);

    const downloaded = await catchDownloads(page);
    await page.getByText("By asset", { exact: true }).click();
    await page.getByRole("button", { name: "Export CSV" }).click();
    const { name, text } = await downloaded();
    expect(name).toMatch(/^vitrine-plays-.*\.csv$/);
    const [head = "", ...lines] = text.trim().split("\r\n");
    expect(head.split(",")).toEqual([
      ...["day", "asset_id", "asset_title", "playbacks", "duration_seconds"],
    ]);
    expect(
      lines.map((one) => one.split(",").slice(2).join()).toSorted(),
    ).toEqual(["Menu,1,10", "Offer,1,10"]);
    await page.getByRole("link", { name: "Menu" }).click();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe("the schedule at the content service's address", () => {
  const lanes = (page: Page) =>
    page.locator(".lane-list .lane-words").allInnerTexts();
  const reasons = async (page: Page) => {
    const rows = await page.locator(".why tbody tr").all();
    return Promise.all(
      rows.map(async (one) =>
        (await one.locator("th, td").allInnerTexts())
          .map((text) => text.trim())
          .join(" | "),
      ),
    );
  };

  async function look(page: Page, id: string, at: string): Promise<void> {
    await open(page, `#/schedule/${id}`, "Schedule");
    const field = page.getByLabel("Date and time");
    await field.fill(at);
    await field.press("Enter");
  }

  it("[V3-186] shows the week of a screen and of a label, and why each playlist plays, as the service itself computes it", async () => {
    const page = await signedInAs("viewer");
    const faults = watchFaults(page, service.address);
    const lobby = screens["Lobby"] ?? "";
    const at = "2026-12-01T08:00";
    await look(page, lobby, at);
    await expect
      .poll(() => lanes(page))
      .toEqual([...["Breakfast\n1 screen", "Always\n2 screens · always"]]);
    await expect
      .poll(() => reasons(page))
      .toEqual([
        "Breakfast | Plays | Scheduled at this time.",
        "Always | Overridden | “Breakfast” has high priority.",
        "Nowhere | For other screens | It isn’t assigned to a screen or label yet.",
        "Special | For other screens | Plays only on screens in Kitchen.",
      ]);
    const answer = await send(
      ...([service, "GET"] as const),
      `/screens/${lobby}/schedule/?at=${at}:00Z`,
    );
    const codes = (answer.candidates as any[])
      .filter(({ kind }) => kind === "playlist")
      .map(({ name, reason }) => `${name} ${reason.code}`);
    expect(
      await page
        .locator(".why tr[data-kind=playlist]")
        .evaluateAll((rows) =>
          rows.map(
            (one) =>
              `${one.querySelector("bdi")?.textContent} ${(one as HTMLElement).dataset["verdict"]}`,
          ),
        ),
    ).toEqual(expect.arrayContaining(codes));
    await page.getByText("Menu Breakfast").waitFor();

    // The other screen, by the list of choices, has another week.
    await page.getByRole("combobox", { name: "Screen or label" }).click();
    await page.getByRole("option", { name: "Kitchen" }).click();
    await expect
      .poll(() => lanes(page))
      .toEqual(["Always\n2 screens · always", "Special\n1 screen · always"]);
    expect(page.url()).toContain(screens["Kitchen"] ?? "?");
    await open(page, `#/schedule/${north}`, "Schedule");
    await page.getByText("In each screen’s local time.").waitFor();
    await expect
      .poll(() => lanes(page))
      .toEqual(["Breakfast\n1 screen", "Always\n2 screens · always"]);
    await page.getByRole("link", { name: "Breakfast" }).click();
    await page.getByRole("heading", { name: "Playlists" }).waitFor();
    expect(page.url()).toContain(playlists["Breakfast"] ?? "?");
    const details = encodeURIComponent(`service/${screens["Kitchen"]}`);
    await open(page, `#/screens/${details}`, "Screens");
    await page.getByRole("link", { name: "Open in schedule" }).click();
    await expect
      .poll(() => lanes(page))
      .toContain("Special\n1 screen · always");
    expect(faults).toEqual([]);
  });

  it("[V3-198] says that a takeover covers the screen, until when and by whom, and for a label on which screens", async () => {
    const page = await signedInAs("viewer");
    await open(page, `#/schedule/${screens["Lobby"]}`, "Schedule");
    const { id } = await send(
      ...([service, "POST", `/screens/${screens["Lobby"]}/commands/`] as const),
      { kind: "takeover", arguments: { text: "Fire drill" } },
    );
    const showing = {
      ...{ asset_id: null, name: "Fire drill", reason: "takeover" },
      ...{ since: "2026-05-01T10:00:00Z", playlist: null },
    };
    const report = reportOf(showing);
    await players["Lobby"]?.beat({ done: [{ id, is_done: true }], report });
    const note = page.getByRole("status").filter({ hasText: "takeover" });
    await expect
      .poll(() => note.innerText())
      .toBe(
        "A takeover has covered this screen since Fri, 1 May, 10:00: “Fire drill”. It lasts until it’s stopped. Started by set at start.",
      );
    await players["Lobby"]?.beat({
      report: reportOf({ ...showing, until: "2099-05-01T12:30:00Z" }),
    });
    await page.getByText("It ends at Fri, 1 May, 12:30.").waitFor();
    await open(page, `#/schedule/${north}`, "Schedule");
    await page.getByText("A takeover covers “Lobby”.").waitFor();
    await players["Lobby"]?.beat({ report: reportOf() });
    await note.waitFor({ state: "detached" });
  });

  it("[V3-187] what a person may not change has no controls; a change says on how many screens it applies", async () => {
    const add = (page: Page, name: string) =>
      page.getByRole("button", { name: `Add time to “${name}”` });
    const viewer = await signedInAs("viewer");
    await open(viewer, `#/schedule/${screens["Lobby"]}`, "Schedule");
    const times = viewer.locator(".block");
    await times.first().waitFor();
    expect(await times.first().getAttribute("role")).toBe("img");
    expect(await viewer.locator(".lane-add").count()).toBe(0);
    expect(await viewer.getByText("Drag across a row").count()).toBe(0);

    const limited = await signedInAs("editor", ["North"]);
    await open(limited, `#/schedule/${screens["Lobby"]}`, "Schedule");
    await add(limited, "Breakfast").waitFor();
    expect(await add(limited, "Always").count()).toBe(0);

    const editor = await signedInAs("editor");
    await open(editor, `#/schedule/${screens["Lobby"]}`, "Schedule");
    await add(editor, "Always").click();
    await editor
      .getByRole("dialog", { name: "Change “Always”?" })
      .getByRole("button", { name: "Change" })
      .click();
    await editor
      .getByText("Applies to all 2 screens that play this playlist.")
      .waitFor();
    const predicate = async () =>
      (await send(service, "GET", `/playlists/${playlists["Always"]}/`))
        .predicate as string;
    await expect.poll(predicate).toBe("$TIME BETWEEN {41400000, 50399999}");
    // Another person sees it without a reload.
    await viewer.getByText("2 screens", { exact: true }).first().waitFor();
    // Undoing immediately after closing the editor isn't taken for undoing what was typed in it.
    const field = editor.locator(".block-editor").getByLabel("From");
    await field.focus();
    await field.evaluate((input) => {
      const press = (key: string, more: KeyboardEventInit = {}) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, ...more }),
        );
      input.focus();
      press("Escape");
      press("z", { code: "KeyZ", ctrlKey: true });
    });
    await editor.getByText("Applies to all").waitFor({ state: "detached" });
    await expect.poll(predicate).toBe("TRUE");
  });

  it("[V3-186] says so where nothing plays", async () => {
    const page = await signedInAs("viewer");
    const { id } = await send(service, "POST", "/groups/", { name: "South" });
    await send(service, "PATCH", `/playlists/${playlists["Always"]}/`, {
      is_enabled: false,
    });
    await open(page, `#/schedule/${screens["Lobby"]}`, "Schedule");
    await expect
      .poll(() => lanes(page))
      .toContainEqual(expect.stringContaining("disabled"));
    await send(service, "PATCH", `/playlists/${playlists["Always"]}/`, {
      ...{ is_enabled: true, groups: [{ id: north }] },
    });
    await open(page, `#/schedule/${id}`, "Schedule");
    await page.getByText("Nothing plays on “South” yet").waitFor();
    await send(service, "PATCH", `/playlists/${playlists["Always"]}/`, {
      groups: [{ id: "all-screens" }],
    });
    await expect.poll(() => lanes(page)).toHaveLength(1);
  });
});

it("activity, reports and schedule have no serious accessibility violation in light or dark, nor anything cut off at 360 px", async () => {
  const page = await signedInAs("admin");
  await page.setViewportSize({ width: 360, height: 740 });
  const check = async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await themeIsChosen({ page });
      await checkPage(browser, page);
    }
  };
  await open(page, "#/activity", "Activity");
  await page.locator(".activity-line summary").first().click();
  await check();
  await open(page, "#/reports", "Reports");
  await page.locator(".report-table").waitFor();
  await check();
  await open(page, `#/schedule/${screens["Lobby"]}`, "Schedule");
  await page.locator(".why tbody").first().waitFor();
  await check();
});
