// Editing playlists in the real manager: drafts, concurrent changes, late undo, and the focus, which is never lost.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import {
  dropFiles,
  focusOf,
  goTo,
  trackOf,
  withoutPause,
} from "../../support/manager/manager-page.ts";
import { png } from "../../support/media/media.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();

const { operate } = app;

const playlists = () => operate<readonly PlaylistV2[]>("listPlaylists");

async function predicateOf(name: string): Promise<string | undefined> {
  return (await playlists()).find((one) => one.name === name)?.predicate;
}

describe("the dates of a playlist", () => {
  it("stay unchanged while one is half typed, and say so", async () => {
    const { page } = app;
    const predicate = "$DATE BETWEEN {1782864000000, 1783987200000}";
    await app.openPlaylist("Fair", { predicate });
    await page.getByRole("tab", { name: "Schedule" }).click();
    const last = page.getByLabel("Last day");
    await last.focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await page.getByText(/^Incomplete or invalid/).waitFor();
    expect(await predicateOf("Fair")).toBe(predicate);
    await last.fill("2026-07-15");
    await last.press("Enter");
    await expect.poll(() => predicateOf("Fair")).toContain("1784073600000");
    await page
      .getByText(/^Incomplete or invalid/)
      .waitFor({ state: "detached" });
  });

  it("begin on the current day in the screen's time zone", async () => {
    const { page } = app;
    // A time zone whose date differs from UTC in this hour and the next.
    const timezone =
      new Date().getUTCHours() < 10
        ? "Pacific/Pago_Pago"
        : "Pacific/Kiritimati";
    const { timezone: before } = await operate<{ timezone: string }>(
      "readSettings",
    );
    await operate("changeSettings", { body: { timezone } });
    await app.openPlaylist("Market", {});
    await page.getByRole("tab", { name: "Schedule" }).click();
    await page.getByText(timezone).first().waitFor();
    await page.getByRole("button", { name: "Add dates" }).click();
    // In the format of a date field.
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: timezone });
    await expect
      .poll(() => page.getByLabel("First day").inputValue())
      .toBe(today.format());
    await operate("changeSettings", { body: { timezone: before } });
  });
});

describe("an item added to a playlist", () => {
  it("keeps its row, with pointer and focus, when the player assigns its id", async () => {
    const { page } = app;
    await app.add("Bread");
    await app.openPlaylist("Window", {});
    const add = page.getByRole("button", { name: "Add “Bread” to the end" });
    // As soon as it is rendered, before the player has responded.
    const dragHandle = await add.evaluateHandle(
      (button: HTMLElement) =>
        new Promise<HTMLElement>((resolve) => {
          const observer = new MutationObserver(() => {
            const drawn = document.querySelector<HTMLElement>(
              '[aria-label^="Move “Bread”"]',
            );
            if (!drawn) return;
            observer.disconnect();
            drawn.focus();
            resolve(drawn);
          });
          observer.observe(document.body, { subtree: true, childList: true });
          button.click();
        }),
    );
    await expect
      .poll(async () => (await playlists())[0]?.items)
      .toHaveLength(1);
    // A later request is answered later, and rendered later still.
    await page.evaluate(async () => {
      await window.manager.operate({ operation: "listPlaylists" });
      await new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      });
    });
    expect(
      await dragHandle.evaluate((drawn) => document.activeElement === drawn),
    ).toBe(true);
  });
});

describe("files being uploaded to a playlist", () => {
  it("are added after changes made meanwhile", async () => {
    const { page, manager } = app;
    const ids = [await app.add("Old"), await app.add("Kept")];
    const created = await app.openPlaylist("Window", { items: ids });
    await page.getByRole("list", { name: "Items", exact: true }).waitFor();
    // So many that they have not all arrived before the change, which is sent with the first.
    const files = Array.from({ length: 30 }, (_, index) =>
      path.join(manager.dir, `${index}.png`),
    );
    for (const [index, file] of files.entries())
      await writeFile(file, png([index, 2 * index, 9]));
    const fields = {
      parameters: { id: created.playlist_id },
      body: { items: [{ asset_id: ids[1], duration: 7 }] },
    };
    const changed = page.evaluate(
      (more) =>
        new Promise((resolve) => {
          const stop = window.manager.on("uploading", () => {
            stop();
            location.hash = "#/schedule";
            const operation = "changePlaylist";
            resolve(window.manager.operate({ operation, ...more }));
          });
        }),
      fields,
    );
    await dropFiles(page, files);
    await changed;
    const items = async () => (await playlists())[0]?.items ?? [];
    await expect.poll(items).toHaveLength(31);
    expect((await items())[0]).toMatchObject({ asset_id: ids[1], duration: 7 });
  });
});

describe("a search for assets to add to a playlist", () => {
  it("adds by Enter what the text matches, however outdated the displayed results are", async () => {
    const { page } = app;
    await app.add("Bread");
    const butter = await app.add("Butter");
    await app.openPlaylist("Window", {});
    const search = page.getByRole("searchbox", { name: "Search library" });
    for (const name of ["Bread", "Butter"])
      await page
        .getByRole("button", { name: `Add “${name}” to the end` })
        .waitFor();
    await search.fill("b");
    // Faster than any list is rendered.
    await search.evaluate((field: HTMLInputElement) => {
      const { set } =
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ??
        {};
      field.focus();
      set?.call(field, "butter");
      field.dispatchEvent(new Event("input", { bubbles: true }));
      const enter = { key: "Enter", bubbles: true };
      field.dispatchEvent(new KeyboardEvent("keydown", enter));
    });
    const items = async () => (await playlists())[0]?.items ?? [];
    await expect.poll(items).toHaveLength(1);
    expect((await items())[0]).toMatchObject({ asset_id: butter });
  });
});

describe("the times of a playlist in the schedule", () => {
  const predicate = "$WEEKDAY = 2 AND $TIME BETWEEN {36000000, 43199999}";

  /** Each test uses a name of its own: rows of the previous test may still be visible. */
  async function openSchedule(name: string): Promise<void> {
    const body = { name, predicate };
    await operate("createPlaylist", { body });
    await goTo(app.page, "#/schedule");
    await trackOf(app.page, name)
      .getByRole("button", { name: /Tuesday/ })
      .focus();
  }

  it("are one action while a held key moves them, with one notice and one undo step", async () => {
    await openSchedule("Lunch");
    const { page } = app;
    await withoutPause(page, async () => {
      for (let times = 0; times < 8; times += 1)
        await page.keyboard.press("ArrowRight");
      await expect
        .poll(() => predicateOf("Lunch"))
        .toBe("$WEEKDAY = 2 AND $TIME BETWEEN {43200000, 50399999}");
      const notice = page.getByText(/Changed the schedule for .*Lunch/);
      await notice.waitFor();
      expect(await notice.count()).toBe(1);
      await page.keyboard.press("Control+z");
      await expect.poll(() => predicateOf("Lunch")).toBe(predicate);
    });
  });

  it("leave the focus in the lane when they are deleted", async () => {
    await openSchedule("Brunch");
    const { page } = app;
    const question = page.getByRole("alertdialog", { name: /Brunch/ });
    await page.keyboard.press("Delete");
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await expect.poll(focused).toMatch(/Brunch.*Tuesday/);
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Play at any time" }).press("Enter");
    await expect.poll(() => predicateOf("Brunch")).not.toBe(predicate);
    await expect.poll(focused).toMatch(/^Add time.*Brunch/);
  });
});

const focused = () => focusOf(app.page);

describe("the focus after its element is gone", () => {
  it("stays in the library, and moves to its title with the last asset", async () => {
    const { page } = app;
    await app.add("A");
    await app.add("B");
    await app.openLibrary();
    const list = page.getByRole("listbox", { name: "Library" });
    await list.getByRole("option").first().click();
    await page.getByRole("button", { name: "Move to trash" }).press("Enter");
    await expect.poll(() => list.getByRole("option").count()).toBe(1);
    await expect.poll(focused).toBe("Library");
    await page.keyboard.press("Home");
    await page.keyboard.press("Delete");
    await page.getByText("No assets yet").waitFor();
    await expect.poll(focused).toBe("Library");
  });

  it("moves from entry to entry in the trash, and to its title with the last one", async () => {
    const { page } = app;
    // Names that were not in the trash before.
    const ids = [await app.add("C"), await app.add("D")];
    await app.add("Kept");
    await operate("moveToTrash", { body: { asset_ids: ids } });
    await goTo(page, "#/library/trash");
    await page.getByRole("button", { name: /^Restore “C”/ }).press("Enter");
    await expect.poll(focused).toMatch(/^Restore “D”/);
    await page.keyboard.press("Enter");
    await page.getByText("The trash is empty").waitFor();
    await expect.poll(focused).toBe("Library");
  });

  it("stays in the items of a playlist, and moves to their tab with the last one", async () => {
    const { page } = app;
    const items = [await app.add("A"), await app.add("B")];
    await app.openPlaylist("Window", { items });
    await page.getByRole("button", { name: "Remove “A”" }).press("Enter");
    await expect.poll(focused).toBe("Remove “B”");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Content");
  });
});

it("reports that a playlist whose only item has expired cannot play, and the reason at the item", async () => {
  const { page } = app;
  const id = await app.add("Sale");
  await app.openPlaylist("Offers", { items: [id] });
  const head = page.locator(".playlist-head");
  await head.getByText(/1 item · .*plays .* an hour/).waitFor();
  const ended = { end_date: "2020-01-02T00:00:00Z" };
  await app.elsewhere("PATCH", `/assets/${id}`, {
    ...{ start_date: "2020-01-01T00:00:00Z", ...ended },
  });
  await head.getByText("its only item can’t play right now").waitFor();
  await page.locator(".item-state").getByText("Expired").waitFor();
});
