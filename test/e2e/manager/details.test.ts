// The fields of an asset in the real manager: input faster than it is saved, and incomplete input.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { png } from "../../support/media/media.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();
const list = () => app.page.getByRole("listbox", { name: "Library" });

async function openAll(): Promise<void> {
  await app.openLibrary();
  await list().focus();
  await app.page.keyboard.press("Control+a");
  await app.page.getByRole("group", { name: "Days" }).waitFor();
  // The values arrive shortly after the form; this one is the same in all assets.
  await holds("Time on screen (seconds)", /^600$/);
}

async function change(id: string, body: Partial<AssetV2>): Promise<void> {
  await app.page.evaluate(
    ([of, fields]) =>
      window.manager.operate({
        ...{ operation: "changeAsset", parameters: { id: of }, body: fields },
      }),
    [id, body] as const,
  );
}

/** The values of these fields, by asset name. */
async function valuesOf<Name extends keyof AssetV2>(
  ...fields: readonly Name[]
): Promise<Readonly<Record<string, readonly AssetV2[Name][]>>> {
  const { answer } = (await app.page.evaluate(() =>
    window.manager.operate({ operation: "listAssets" }),
  )) as { answer: readonly AssetV2[] };
  return Object.fromEntries(
    answer.map((asset) => [asset.name, fields.map((field) => asset[field])]),
  );
}

/** Clicks all in one task, faster than anything is saved. */
async function clickDays(...days: readonly string[]): Promise<void> {
  await app.page.evaluate((names) => {
    for (const name of names)
      document
        .querySelector(`.field-days [aria-label^="${name}"]`)
        ?.closest("label")
        ?.click();
  }, days);
}

/** Waits until the field shows the earlier change. */
async function holds(label: string, value: RegExp): Promise<void> {
  const field = app.page.getByLabel(label, { exact: true });
  await expect.poll(() => field.inputValue()).toMatch(value);
}

const saved = () => app.page.getByText("Saved", { exact: true }).waitFor();

describe("the weekdays of the selected assets", () => {
  it("are all applied when clicked faster than they are saved", async () => {
    for (const name of ["A", "B", "C"]) await app.add(name);
    await openAll();
    await clickDays("Saturday", "Sunday");
    const workdays = [[1, 2, 3, 4, 5]];
    await expect
      .poll(() => valuesOf("play_days"))
      .toEqual({ A: workdays, B: workdays, C: workdays });
  });

  it("change one by one where they are mixed, and are restored on undo", async () => {
    await change(await app.add("A"), { play_days: [1, 6] });
    await change(await app.add("B"), { play_days: [2, 6, 7] });
    await openAll();
    const { page } = app;
    await page.getByText("Mixed. Click a day to change it").waitFor();
    await clickDays("Sunday");
    await expect
      .poll(() => valuesOf("play_days"))
      .toEqual({ A: [[1, 6, 7]], B: [[2, 6, 7]] });
    await saved();
    await list().focus();
    await page.keyboard.press("Control+z");
    await expect
      .poll(() => valuesOf("play_days"))
      .toEqual({ A: [[1, 6]], B: [[2, 6, 7]] });
  });
});

describe("the times of day of the selected assets", () => {
  it("change one at a time: the other time of each asset stays", async () => {
    const lunch = { play_time_from: "11:00:00", play_time_to: "14:00:00" };
    const dinner = { play_time_from: "18:00:00", play_time_to: "22:00:00" };
    await change(await app.add("Lunch"), lunch);
    await change(await app.add("Dinner"), dinner);
    await app.add("Always");
    await openAll();
    const from = app.page.getByLabel("Daily from");
    await from.fill("10:30");
    await from.press("Enter");
    await saved();
    expect(await valuesOf("play_time_from", "play_time_to")).toEqual({
      Lunch: ["10:30:00", "14:00:00"],
      Dinner: ["10:30:00", "22:00:00"],
      Always: ["10:30:00", "23:59:59"],
    });
  });

  it("show an error about either time beneath the one that was changed", async () => {
    const id = await app.add("Early");
    const early = { play_time_from: "08:00:00", play_time_to: "10:00:00" };
    await change(id, early);
    await openAll();
    await holds("Daily from", /^08:00/);
    const from = app.page.getByLabel("Daily from");
    await from.fill("10:00");
    await from.press("Enter");
    await app.page.getByText(/two times must differ/).waitFor();
    expect(await from.getAttribute("aria-invalid")).toBe("true");
    await from.press("Escape");
    expect(await from.inputValue()).toMatch(/^08:00/);
    expect(await valuesOf("play_time_from", "play_time_to")).toEqual({
      Early: ["08:00:00", "10:00:00"],
    });
  });
});

describe("a half-typed entry", () => {
  const half = /^Incomplete or invalid/;

  it("leaves the date unchanged, is reported, and is cleared by Escape", async () => {
    const id = await app.add("Menu");
    const end = "2031-05-04T10:30:00Z";
    await change(id, { end_date: end });
    const before = await valuesOf("start_date", "end_date");
    await openAll();
    const { page } = app;
    await holds("Until", /^2031/);
    for (const label of ["From", "Until"]) {
      const field = page.getByLabel(label, { exact: true });
      const shown = await field.inputValue();
      await field.focus();
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Enter");
      await page.getByText(half).waitFor();
      await page.keyboard.press("Escape");
      await page.getByText(half).waitFor({ state: "detached" });
      expect(await field.inputValue()).toBe(shown);
    }
    expect(await valuesOf("start_date", "end_date")).toEqual(before);
    const from = page.getByLabel("From", { exact: true });
    await from.fill("");
    await from.press("Enter");
    await page.getByText(/^Enter a date and time/).waitFor();
    await from.press("Escape");
    const until = page.getByLabel("Until", { exact: true });
    await until.fill("");
    await until.press("Enter");
    await saved();
    const { Menu } = await valuesOf("end_date");
    expect(Menu).toEqual([expect.stringMatching(/^9999-/)]);
  });

  it("leaves both times of day unchanged", async () => {
    const lunch = { play_time_from: "11:00:00", play_time_to: "14:00:00" };
    await change(await app.add("Lunch"), lunch);
    await openAll();
    const { page } = app;
    await holds("Daily from", /^11:00/);
    await page.getByLabel("Daily from").focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.getByText(half).waitFor();
    expect(await valuesOf("play_time_from", "play_time_to")).toEqual({
      Lunch: ["11:00:00", "14:00:00"],
    });
  });
});

describe("text typed during a save", () => {
  it("stays, and is saved in its turn", async () => {
    await app.add("Menu");
    await openAll();
    const name = app.page.getByRole("textbox", { name: "Name" });
    // Types faster than any response arrives.
    await name.evaluate((field: HTMLInputElement) => {
      const write = (text: string): void => {
        const { set } =
          Object.getOwnPropertyDescriptor(
            HTMLInputElement.prototype,
            "value",
          ) ?? {};
        set?.call(field, text);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      };
      field.focus();
      write("Soup");
      const enter = { key: "Enter", bubbles: true };
      field.dispatchEvent(new KeyboardEvent("keydown", enter));
      write("Soup of the day");
    });
    await saved();
    await app.main.getByRole("heading", { name: "Soup" }).waitFor();
    expect(await name.inputValue()).toBe("Soup of the day");
    await name.press("Tab");
    await expect.poll(app.order).toEqual(["Soup of the day"]);
  });

  it("is saved once by Enter followed by leaving the field", async () => {
    await app.add("Menu");
    await openAll();
    const { page } = app;
    await page.getByRole("textbox", { name: "Name" }).fill("Soup");
    await page.evaluate(() => {
      const field = document.activeElement as HTMLInputElement;
      const enter = { key: "Enter", bubbles: true };
      field.dispatchEvent(new KeyboardEvent("keydown", enter));
      field.blur();
    });
    await saved();
    expect(await app.order()).toEqual(["Soup"]);
    await list().focus();
    await page.keyboard.press("Control+z");
    await expect.poll(app.order).toEqual(["Menu"]);
  });
});

describe("a chosen file", () => {
  it("is cleared from the file dialog's field, so that the same one can be chosen again", async () => {
    const { page, manager } = app;
    await app.add("Menu");
    await openAll();
    await page.getByRole("button", { name: "Replace file" }).waitFor();
    const file = path.join(manager.dir, "same.png");
    await writeFile(file, png([20, 60, 220]));
    const field = page.locator("input[type=file]").last();
    await field.setInputFiles(file);
    await page.getByText(/^Replaced the file for .*Menu/).waitFor();
    expect(await field.inputValue()).toBe("");
  });
});
