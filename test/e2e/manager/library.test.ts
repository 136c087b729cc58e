// The library in the real manager: search, selection, edits, order and trash, by mouse and keyboard, each with undo.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { goTo } from "../../support/manager/manager-page.ts";
import { clip, png } from "../../support/media/media.ts";
import { pdf } from "../../support/media/pdfs.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();
const list = () => app.page.getByRole("listbox", { name: "Library" });

/** Everything a client can read of assets and playlists. */
async function fullState(): Promise<unknown> {
  return app.page.evaluate(async () => {
    const operate = window.manager.operate;
    const [assets, playlists] = await Promise.all([
      operate({ operation: "listAssets" }),
      operate({ operation: "listPlaylists" }),
    ]);
    return { assets, playlists };
  });
}

async function assetOf(id: string) {
  return (await app.assets()).find((asset) => asset.asset_id === id);
}

describe("the library", () => {
  it("finds assets immediately by any part of a name, and reports when nothing matches", async () => {
    await app.add("Lunch menu");
    await app.add("Dinner menu");
    await app.openLibrary();
    const { page } = app;
    await page.getByRole("searchbox").fill("lunch");
    await list()
      .getByRole("option", { name: /Dinner/ })
      .waitFor({ state: "detached" });
    expect(await list().getByRole("option").count()).toBe(1);
    await page.getByRole("searchbox").fill("breakfast");
    await page.getByRole("button", { name: "Show all assets" }).click();
    await expect.poll(() => list().getByRole("option").count()).toBe(2);
  });

  it("lists nothing that a letter no longer finds, in sight or out of it, and all the rest once the typing rests", async () => {
    for (let number = 1; number <= 60; number++)
      for (const meal of ["Lunch", "Dinner"])
        await app.manager.add({
          ...{ name: `${meal} ${number}`, uri: "https://menu.example/" },
          ...{ skip_asset_check: true, is_enabled: false },
        });
    const { page } = app;
    await goTo(page, "#/library");
    const listed = () => list().getByRole("option").allInnerTexts();
    await expect
      .poll(async () => (await listed()).some((text) => /Dinner/.test(text)))
      .toBe(true);
    const atRest = (await listed()).length;
    const atOnce = await page.evaluate(typeAtOnce, "lunch");
    expect(atOnce.length).toBeGreaterThan(0);
    expect(atOnce.filter((text) => !text.includes("Lunch"))).toEqual([]);
    await expect.poll(async () => (await listed()).length).toBe(atRest);
    const texts = await listed();
    expect(texts.filter((text) => !text.includes("Lunch"))).toEqual([]);
    await page.getByRole("searchbox").fill("");
  });

  it("shows thumbnails of an image, a video and a PDF, and an icon for a locked one", async () => {
    const stay = { duration: 600 };
    await app.add("Photo", [200, 40, 40]);
    await app.manager.addFile(
      await clip({ colour: [9, 90, 9], seconds: 1, width: 64, height: 36 }),
      { ...stay, name: "Film", mimetype: "video" },
    );
    const sheet = { colour: [9, 9, 90], width: 300, height: 600 } as const;
    const paper = await pdf([sheet]);
    const kind = { ...stay, mimetype: "application/pdf" };
    await app.manager.addFile(paper, { ...kind, name: "Paper" });
    await app.manager.addFile(await pdf([sheet], "secret"), {
      ...{ ...kind, name: "Locked" },
    });
    await app.openLibrary();
    const card = (name: string) =>
      list().getByRole("option", { name: new RegExp(name) });
    const sizeOf = (name: string) =>
      expect.poll(() =>
        card(name)
          .locator("img")
          .evaluateAll((all) =>
            (all as HTMLImageElement[]).map((image) => [
              image.naturalWidth,
              image.naturalHeight,
            ]),
          ),
      );
    await sizeOf("Photo").toEqual([[expect.any(Number), expect.any(Number)]]);
    await sizeOf("Film").toEqual([[64, 36]]);
    await sizeOf("Paper").toEqual([[160, 320]]);
    await card("Locked").locator("svg").first().waitFor();
  });

  it("changes a field by keyboard alone, saves it immediately, and undoes it by Ctrl+Z", async () => {
    await app.add("Lunch menu");
    await app.openLibrary();
    const { page } = app;
    await list().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const name = page.getByRole("textbox", { name: "Name" });
    await expect.poll(() => name.inputValue()).toBe("Lunch menu");
    await name.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Soup");
    await page.keyboard.press("Enter");
    await list().getByRole("option", { name: /Soup/ }).waitFor();
    await list().focus();
    await page.keyboard.press("Control+z");
    await list()
      .getByRole("option", { name: /Lunch menu/ })
      .waitFor();
  });

  it("shows the player's error at the field, and keeps the previous value", async () => {
    await app.add("Lunch menu");
    await app.openLibrary();
    const { page } = app;
    await list().getByRole("option").first().click();
    const seconds = page.getByRole("spinbutton", {
      name: "Time on screen (seconds)",
    });
    await seconds.fill("-5");
    await seconds.press("Enter");
    await page.getByText(/^Must be a whole number from 0 to/).waitFor();
    await seconds.press("Escape");
    await expect.poll(() => seconds.inputValue()).toBe("600");
  });

  it("replaces the file of an asset in two steps: everything else stays, the screen follows", async () => {
    const id = await app.add("Menu", [200, 40, 40]);
    await app.add("Other");
    await app.openLibrary();
    const { page, manager } = app;
    const before = await assetOf(id);
    const file = path.join(manager.dir, "tomorrow.png");
    await writeFile(file, png([20, 60, 220]));
    await list().getByRole("option", { name: /Menu/ }).click();
    await page.getByRole("button", { name: "Replace file" }).waitFor();
    await page.locator("input[type=file]").last().setInputFiles(file);
    await page.getByText(/^Replaced the file for .*Menu/).waitFor();
    const after = await assetOf(id);
    const { uri, stored } = after ?? {};
    expect(after).toEqual({ ...before, uri, stored });
    expect(stored?.file?.sha256).not.toBe(before?.stored.file?.sha256);
  });

  it("changes many assets at once, and undoes that in one step", async () => {
    for (const name of ["A", "B", "C"]) await app.add(name);
    await app.openLibrary();
    const { page } = app;
    await list().focus();
    await page.keyboard.press("Control+a");
    await page.getByRole("heading", { name: "3 assets selected" }).waitFor();
    await page.getByRole("combobox", { name: "Folder" }).fill("Menus/Lunch");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Lunch/ }).waitFor();
    const folders = async () =>
      (await app.assets()).map(({ folder }) => folder);
    await expect.poll(folders).toEqual(Array(3).fill("Menus/Lunch"));
    await list().focus();
    await page.keyboard.press("Control+z");
    await page
      .getByRole("button", { name: /^Lunch/ })
      .waitFor({ state: "detached" });
    await expect.poll(folders).toEqual(["", "", ""]);
  });

  it("deletes everything and undoes it: the state is identical to the last field (fault 73)", async () => {
    const ids = [];
    for (const name of ["A", "B", "C"]) ids.push(await app.add(name));
    await app.page.evaluate(async (items) => {
      await window.manager.operate({
        operation: "createPlaylist",
        body: { name: "Lunch", predicate: "TRUE", items },
      });
    }, ids);
    await app.openLibrary();
    const { page } = app;
    const before = await fullState();
    await list().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByText("No assets yet").waitFor();
    expect(await app.order()).toEqual([]);
    await page.keyboard.press("Control+z");
    await list().getByRole("option", { name: /^C/ }).waitFor();
    await expect.poll(fullState).toEqual(before);
    await page.evaluate(async () => {
      const trash = window.manager.operate;
      const { answer } = (await trash({ operation: "listPlaylists" })) as {
        answer: { playlist_id: string }[];
      };
      for (const { playlist_id: id } of answer)
        await trash({ operation: "deletePlaylist", parameters: { id } });
    });
  });

  it("empties the trash only after a confirmation in which the safe choice has the focus", async () => {
    // A name that was not in the trash before.
    await app.add("Kept");
    await app.openLibrary();
    const { page } = app;
    await list().getByRole("option").first().click();
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("button", { name: /^Trash/ }).click();
    await page.getByRole("button", { name: "Empty trash" }).click();
    await page.locator(".trash-question button:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Restore “Kept”/ }).click();
    await page.getByText("The trash is empty").waitFor();
    expect(await app.order()).toEqual(["Kept"]);
  });

  it("moves the selection in play order by Alt and an arrow", async () => {
    for (const name of ["A", "B", "C"]) await app.add(name);
    const byName = (await app.assets()).toSorted((a, b) =>
      (a.name ?? "") < (b.name ?? "") ? -1 : 1,
    );
    const ids = byName.map(({ asset_id: id }) => id).join();
    await app.operate("orderAssets", { body: { ids } });
    await app.openLibrary();
    await list().focus();
    await app.page.keyboard.press("Home");
    await app.page.keyboard.press("Alt+ArrowRight");
    await expect.poll(app.order).toEqual(["B", "A", "C"]);
  });
});

/** Runs in the page: the visible texts of the list as soon as a word is in the field, before the next frame. */
async function typeAtOnce(words: string): Promise<readonly string[]> {
  const field = document.querySelector<HTMLInputElement>(
    ".library-search input",
  );
  Object.getOwnPropertyDescriptor(
    HTMLInputElement.prototype,
    "value",
  )?.set?.call(field, words);
  field?.dispatchEvent(new Event("input", { bubbles: true }));
  await Promise.resolve();
  return [...document.querySelectorAll<HTMLElement>("[role=option]")]
    .filter((option) => option.checkVisibility())
    .map((option) => option.innerText);
}
