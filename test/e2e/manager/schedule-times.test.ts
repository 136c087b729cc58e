// Times in the manager: their time zone, the preview time, and times entered and not yet applied.

import { describe, expect, it } from "vitest";
import { goTo } from "../../support/manager/manager-page.ts";
import type { ManagerApp } from "../../support/manager/manager-app.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const one = sharedManager();

async function send(
  { api }: ManagerApp,
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const answer = await fetch(`${api}/api/v2${path}`, {
    ...{ method, body: JSON.stringify(body) },
    headers: { "Content-Type": "application/json" },
  });
  return answer.json();
}

async function addPlaylist(
  manager: ManagerApp,
  predicate: string,
): Promise<string> {
  const body = { name: "Lunch", predicate };
  const created = (await send(manager, "POST", "/playlists", body)) as {
    playlist_id: string;
  };
  return created.playlist_id;
}

async function removePlaylist({ api }: ManagerApp, id: string): Promise<void> {
  await fetch(`${api}/api/v2/playlists/${id}`, { method: "DELETE" });
}

describe("a moment of the schedule", () => {
  it("is previewed as soon as typing pauses, with the focus still in its field", async () => {
    const { manager, page } = one;
    await one.add("A");
    await manager.change(await one.add("B"), { start_date: "2031-05-01" });
    const id = await addPlaylist(manager, "$DATE < 0");
    await goTo(page, "#/schedule");
    const moment = one.main.getByLabel("Date and time", { exact: true });
    await moment.focus();
    await moment.fill("2030-05-01T10:00");
    const panel = page.locator(".moment");
    await panel.getByText("1 item in rotation").waitFor();
    await moment.fill("2031-05-02T10:00");
    await panel.getByText("2 items in rotation").waitFor();
    expect(
      await moment.evaluate((field) => field === document.activeElement),
    ).toBe(true);
    expect(await moment.inputValue()).toBe("2031-05-02T10:00");
    await page.getByRole("button", { name: "Now", exact: true }).click();
    await removePlaylist(manager, id);
  });
});

describe("a predicate that was typed and not applied", () => {
  it("is kept when the operator returns from another page, and dropped when it is reset", async () => {
    const { manager, page } = one;
    const id = await addPlaylist(manager, "TRUE");
    const open = async (): Promise<void> => {
      await goTo(page, `#/playlists/${id}`);
      // Not the previous playlist, which is shown until this one has loaded.
      await page.locator(`.playlist-link[href$="${id}"]`).waitFor();
      await page.getByRole("tab", { name: "Schedule" }).click();
    };
    await open();
    const field = page.getByRole("textbox", { name: "Schedule rule" });
    await field.fill("$WEEKDAY = 1 AND");
    await goTo(page, "#/now");
    await open();
    await expect.poll(() => field.inputValue()).toBe("$WEEKDAY = 1 AND");
    await field.press("Escape");
    await goTo(page, "#/now");
    await open();
    await expect.poll(() => field.inputValue()).toBe("TRUE");
    await removePlaylist(manager, id);
  });
});

describe("what is due", () => {
  it("uses the screen's time zone on every page, and names it where this computer's differs", async () => {
    const { manager, page } = one;
    await one.add("A");
    // A time zone where an hour from now is still today.
    const hour = new Date().getUTCHours();
    const timezone =
      hour >= 8 && hour < 11 ? "Asia/Tokyo" : "Pacific/Kiritimati";
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await manager.change(await one.add("B"), { end_date: inAnHour });
    await send(manager, "PATCH", "/device_settings", { timezone });
    const time = new Intl.DateTimeFormat("en-GB", {
      ...({ hour: "2-digit", minute: "2-digit" } as const),
      ...({ timeZone: timezone, timeZoneName: "short" } as const),
    }).format(Date.parse(inAnHour));
    await goTo(page, "#/now");
    await page.getByText(`until ${time}`).waitFor();
    await send(manager, "PATCH", "/device_settings", { timezone: "" });
    await page.getByText(`until ${time}`).waitFor({ state: "detached" });
  });
});
