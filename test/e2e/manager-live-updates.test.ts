// Live updates: changes made elsewhere appear on the open page; and the manager window keeps its zoom.

import { describe, expect, it, onTestFinished } from "vitest";
import type { PlaylistV2 } from "../../server/contract/v2/v2-playlists.ts";
import type { SyncAccountV2 } from "../../server/contract/v2/v2-sync.ts";
import { command, goTo } from "../support/manager/manager-page.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager();

const { elsewhere } = app;

describe("an open page", () => {
  it("[V2-441] lists tokens and backups created and deleted elsewhere", async () => {
    const { page, main } = app;
    await goTo(page, "#/settings/access");
    const token = main.getByText("Script of the lobby");
    await main
      .getByRole("heading", { name: "Access tokens", exact: true })
      .waitFor();
    const { id } = await elsewhere<{ readonly id: string }>("POST", "/tokens", {
      name: "Script of the lobby",
    });
    await token.first().waitFor();
    await elsewhere("DELETE", `/tokens/${id}`);
    await token.first().waitFor({ state: "detached" });
    await goTo(page, "#/settings/backup");
    await main.getByRole("heading", { name: "Backups", exact: true }).waitFor();
    const name = await elsewhere<string>("POST", "/backup");
    await main.getByText(name).first().waitFor();
    await elsewhere("DELETE", `/backups/${name}`);
    await main.getByText(name).first().waitFor({ state: "detached" });
  });

  it("[V2-722] updates the name of a connection renamed elsewhere, and removes it when it is removed there", async () => {
    const { page, main } = app;
    const { account_id: id } = await elsewhere<SyncAccountV2>(
      ...(["POST", "/sync/accounts"] as const),
      // No server listens there, and the disabled connection sends no request.
      {
        ...{ name: "Head office", base_url: "http://127.0.0.1:9" },
        ...{ token: "a-token", is_enabled: false },
      },
    );
    await goTo(page, "#/connections");
    const heading = (name: string) =>
      main.getByRole("heading", { name, exact: true });
    await heading("Head office").waitFor();
    await elsewhere("PATCH", `/sync/accounts/${id}`, { name: "Branch" });
    await heading("Branch").waitFor();
    expect(await heading("Head office").count()).toBe(0);
    await page.getByRole("button", { name: /^More .*Branch/ }).waitFor();
    await elsewhere("DELETE", `/sync/accounts/${id}`);
    await heading("Branch").waitFor({ state: "detached" });
  });
});

describe("content without an end date", () => {
  it.each([
    ["the interface's largest year", "9999-12-31T23:59:59Z"],
    ["the desk's own end", "9999-01-01T00:00:00Z"],
  ])("[V2-723] has no end date on the now page: %s", async (_, end) => {
    const id = await app.add("Menu");
    const { page, main } = app;
    await elsewhere("PATCH", `/assets/${id}`, { end_date: end });
    await goTo(page, "#/now");
    await main.getByText("no end date", { exact: true }).waitFor();
    expect(await main.getByText(/^until /).count()).toBe(0);
    // A near end date is shown, so the text above does not stand for every end date.
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
    await elsewhere("PATCH", `/assets/${id}`, { end_date: soon });
    await main.getByText(/^until /).waitFor();
  });
});

describe("a notice of a failure", () => {
  it("disappears when the same action succeeds, and by its button", async () => {
    const { page, main } = app;
    const next = () => command(page, "next", /Show next asset/);
    const notice = page.locator(".outcomes").getByRole("alert");
    await next();
    await notice.waitFor();
    // Pressed again, its notice replaces the previous one.
    await next();
    await expect.poll(() => notice.count()).toBe(1);
    await notice.getByRole("button", { name: "Close" }).click();
    await notice.waitFor({ state: "detached" });
    await next();
    await notice.waitFor();
    await app.add("One");
    await app.add("Two", [90, 10, 10]);
    await main.getByRole("heading", { name: "One" }).waitFor();
    await next();
    await notice.waitFor({ state: "detached" });
  });
});

describe("a takeover that covers all content", () => {
  it("is named first on the schedule page, the playlists page and in the lineup, and nothing there is marked as playing", async () => {
    const id = await app.add("Menu");
    const { page, main } = app;
    await elsewhere("POST", "/playlists", {
      ...{ name: "Lunch", predicate: "TRUE", priority: 1, items: [id] },
    });
    await goTo(page, "#/schedule");
    const lunch = main.getByRole("row").filter({ hasText: "Lunch" });
    await lunch.getByText("Plays", { exact: true }).waitFor();
    const note = main.getByText(/^A takeover has been running since/);
    expect(await note.count()).toBe(0);
    await elsewhere("POST", "/takeover", { text: "Leave" });
    await note.waitFor();
    await lunch.getByText("Covered by a takeover").waitFor();
    expect(await main.getByText("Scheduled at this time").count()).toBe(0);
    await goTo(page, "#/playlists");
    await note.waitFor();
    const link = main.getByRole("link").filter({ hasText: "Lunch" });
    await link.getByText("Covered by a takeover").waitFor();
    expect(await link.getByText("Playing").count()).toBe(0);
    await goTo(page, "#/now");
    await main.getByText("after the takeover").waitFor();
    await elsewhere("DELETE", "/takeover");
    await main.getByText("no end date").waitFor();
  });
});

describe("the library", () => {
  it("has an icon, with the reason, for assets outside their hours and assets whose playlists are not due", async () => {
    const [timed, listed, none] = [
      await app.add("Timed"),
      await app.add("Listed", [90, 10, 10]),
      await app.add("Alone", [10, 10, 90]),
    ];
    const card = (name: string) =>
      app.page.getByRole("option").filter({ hasText: name });
    const change = (id: string, body: object) =>
      elsewhere("PATCH", `/assets/${id}`, body);
    // A weekday that is not today, yesterday or tomorrow in any time zone.
    const day = ((new Date().getUTCDay() + 3) % 7) + 1;
    await app.openLibrary();
    await change(timed, { play_days: [day] });
    await card("Timed").getByText("Outside its hours").waitFor();
    expect(await card("Timed").getAttribute("title")).toMatch(
      /^Plays only \w+/,
    );
    await change(none, { playlist_only: true });
    await card("Alone").getByText("Not scheduled now").waitFor();
    expect(await card("Alone").getAttribute("title")).toContain("isn’t in any");
    await change(listed, { playlist_only: true });
    const { playlist_id: id } = await elsewhere<PlaylistV2>(
      ...(["POST", "/playlists"] as const),
      { name: "Never", predicate: "FALSE", items: [listed] },
    );
    await card("Listed").getByText("Not scheduled now").waitFor();
    await elsewhere("PATCH", `/playlists/${id}`, { predicate: "TRUE" });
    await card("Listed")
      .getByText("Not scheduled now")
      .waitFor({ state: "detached" });
  });
});

describe("the window", () => {
  it("is zoomed in and out by keys, within limits, and keeps its zoom when it is reopened", async () => {
    const { manager } = app;
    const factor = () => manager.app.evaluate(zoomOf, null);
    // Sent as the system does: keys typed through the page's inspector never pass the window.
    const press = (keyCode: string, times: number): Promise<void> =>
      manager.app.evaluate(pressControl, { keyCode, times });
    onTestFinished(() => press("0", 1));
    await press("+", 1);
    await expect.poll(factor).toBeCloseTo(1.1);
    await press("-", 30);
    await expect.poll(factor).toBeCloseTo(0.5);
    await press("0", 1);
    await expect.poll(factor).toBe(1);
    await press("=", 30);
    await expect.poll(factor).toBeCloseTo(2);
    await press("-", 2);
    await expect.poll(factor).toBeCloseTo(1.5);
    // The zoom that the page has in a new window.
    await manager.app.evaluate(zoomOf, 1);
    await manager.page.reload();
    await expect.poll(factor).toBeCloseTo(1.5);
  });
});

function zoomOf({
  BrowserWindow,
}: {
  readonly BrowserWindow: typeof Electron.BrowserWindow;
}): number | undefined {
  return BrowserWindow.getAllWindows()
    .find(({ webContents }) => webContents.getURL().startsWith("app://manager"))
    ?.webContents.getZoomFactor();
}

function pressControl(
  { BrowserWindow }: { readonly BrowserWindow: typeof Electron.BrowserWindow },
  { keyCode, times }: { readonly keyCode: string; readonly times: number },
): void {
  const manager = BrowserWindow.getAllWindows().find(({ webContents }) =>
    webContents.getURL().startsWith("app://manager"),
  );
  for (let time = 0; time < times; time += 1)
    manager?.webContents.sendInputEvent({
      ...({ type: "keyDown", keyCode, modifiers: ["control"] } as const),
    });
}
