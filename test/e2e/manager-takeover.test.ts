// The takeover from the manager: steps counted by mouse, by keyboard and by its system-wide key.

import { describe, expect, it } from "vitest";
import {
  command,
  counted,
  goTo,
  tabTo,
} from "../support/manager/manager-page.ts";
import { press } from "../support/screen/keyboard.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager();

describe("the takeover", () => {
  const panel = () => app.page.getByRole("dialog");
  const covered = (): Promise<void> =>
    app.main.getByText(/^Takeover since /).waitFor();
  /** The button that ends it must be held, like the one that sends. */
  const endByPointer = async (): Promise<void> => {
    const { page } = app;
    await panel()
      .getByRole("button", { name: "Press and hold to stop" })
      .hover();
    await page.mouse.down();
    await panel().locator(".takeover-what").waitFor({ state: "detached" });
    await page.mouse.up();
  };
  const send = (method: string, body: object): Promise<Response> =>
    fetch(`${app.manager.api}/api/v2/takeover`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { "Content-Type": "application/json" },
    });
  const keepMessages = (messages: readonly object[]): Promise<Response> =>
    fetch(`${app.manager.api}/api/v2/device_settings`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ takeover_messages: messages }),
    });
  const keptMessages = async (): Promise<unknown> => {
    const answer = await fetch(`${app.manager.api}/api/v2/device_settings`);
    const settings = (await answer.json()) as Record<string, unknown>;
    return settings["takeover_messages"];
  };
  const running = (): Promise<unknown> =>
    app.page.evaluate(() =>
      window.manager.operate({ operation: "readTakeover" }),
    );

  it("takes three steps by mouse: open, choose, hold; and one to stop it", async () => {
    await app.add("Programme");
    const { page } = app;
    const job = counted();
    await job.step(() =>
      page.getByRole("button", { name: "Takeover" }).click(),
    );
    await job.step(() =>
      page.getByRole("radio", { name: /Leave the building/ }).click(),
    );
    await job.step(async () => {
      const held = page.getByRole("button", {
        name: /^Press and hold to start/,
      });
      await held.hover();
      await page.mouse.down();
      await page
        .getByRole("status")
        .getByText(/leave the building/)
        .waitFor();
      await page.mouse.up();
    });
    expect(job.steps).toBe(3);
    await covered();
    await endByPointer();
    await page.keyboard.press("Escape");
    await app.main.getByRole("heading", { name: "Programme" }).waitFor();
  });

  it("takes three steps by keyboard: its shortcut, a choice, and Enter held", async () => {
    const { page } = app;
    const job = counted();
    await job.step(() => page.keyboard.press("Control+Shift+E"));
    await page.locator("input[type=radio]:focus").waitFor();
    await job.step(() => page.keyboard.press("Space"));
    await job.step(async () => {
      await page.keyboard.down("Enter");
      await page
        .getByRole("status")
        .getByText(/leave the building/)
        .waitFor();
      await page.keyboard.up("Enter");
    });
    expect(job.steps).toBe(3);
    await covered();
    await page.keyboard.press("Escape");
  });

  it("stays when Enter or the space bar is held on after it was started", async () => {
    const { page } = app;
    for (const key of ["Enter", "Space"]) {
      await page.keyboard.press("Control+Shift+E");
      await page.locator("input[type=radio]:focus").waitFor();
      await page.keyboard.press("Space");
      await page
        .getByRole("button", { name: /^Press and hold to start/ })
        .focus();
      await page.keyboard.down(key);
      await panel().locator(".takeover-what:focus").waitFor();
      // The system repeats a key that is held.
      await page.keyboard.down(key);
      await page.keyboard.up(key);
      await covered();
      expect(await running(), key).toMatchObject({ isDone: true });
      await page.keyboard.press("Tab");
      // Pressed, not held: the takeover stays.
      await page.keyboard.press("Enter");
      expect(await running(), key).toMatchObject({ isDone: true });
      await page.keyboard.down(key);
      await page.locator("input[type=radio]:focus").waitFor();
      await page.keyboard.up(key);
      await page.keyboard.press("Escape");
      await panel().waitFor({ state: "detached" });
    }
  });

  const keySet = async (): Promise<unknown> => {
    const answer = await fetch(`${app.manager.api}/api/v2/device_settings`);
    const settings = (await answer.json()) as Record<string, unknown>;
    return settings["takeover_hotkey"];
  };

  /** Works in any window: the system passes the key to the player. */
  const hotKey = (): Promise<void> => press(app.manager.screen, "Ctrl", "F9");

  it("takes one key, once configured by mouse, and the same key stops it", async () => {
    await app.add("Programme");
    await app.add("Way out", [200, 20, 20]);
    const { page } = app;
    await goTo(page, "#/settings/takeover");
    const shown = page.getByRole("combobox", { name: "Takeover asset" });
    await shown.click();
    await page.getByRole("option", { name: "Way out" }).click();
    await page.getByText("Takeover asset: Way out").waitFor();
    await page.getByRole("textbox", { name: "Takeover shortcut" }).click();
    await page.keyboard.press("Control+F9");
    await page.getByText("Takeover shortcut: Ctrl+F9").waitFor();
    await goTo(page, "#/now");
    const job = counted();
    await job.step(hotKey);
    await covered();
    await app.main.getByRole("heading", { name: "Way out" }).waitFor();
    expect(job.steps).toBe(1);
    await job.step(hotKey);
    await app.main.getByText("As planned, verified").waitFor();
    expect(job.steps).toBe(2);
  });

  it("takes one key, once configured by keyboard alone", async () => {
    await app.add("Assembly point", [20, 120, 20]);
    const { page } = app;
    const { keyboard } = page;
    await command(page, "takeover shortcut", /Takeover shortcut/);
    await tabTo(page, /^Takeover shortcut$/);
    await keyboard.press("Control+F9");
    await expect.poll(keySet).toBe("Ctrl+F9");
    await tabTo(page, /^Takeover asset$/);
    await keyboard.type("assembly");
    await page.getByRole("option", { name: "Assembly point" }).waitFor();
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await page.getByText("Takeover asset: Assembly point").waitFor();
    await keyboard.press("Control+1");
    const job = counted();
    await job.step(hotKey);
    await covered();
    await app.main.getByRole("heading", { name: "Assembly point" }).waitFor();
    expect(job.steps).toBe(1);
  });

  it("is not blanked by the shortcut that blanks the schedule: the button says why", async () => {
    const { page } = app;
    const running = () =>
      page.evaluate(() =>
        window.manager.operate({ operation: "readTakeover" }),
      );
    await page.evaluate(() =>
      window.manager.operate({
        ...{ operation: "takeOver", body: { text: "Leave the building" } },
      }),
    );
    await covered();
    const hide = app.main.getByRole("button", { name: "Blank screen" });
    await expect.poll(() => hide.isDisabled()).toBe(true);
    // The button changes as soon as the takeover is requested, shortly before it is on the screen.
    await expect
      .poll(running)
      .toMatchObject({ isDone: true, answer: { is_showing: true } });
    const before = await running();
    await page.keyboard.press("h");
    await hide.click({ force: true });
    await page.getByText("A takeover is running. Stop it first.").waitFor();
    expect(await running()).toEqual(before);
  });

  it("does nothing when released too soon, and says on the screen when it is a drill", async () => {
    const { page } = app;
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("radio", { name: /Closed/ }).click();
    const held = page.getByRole("button", { name: /^Press and hold to start/ });
    await held.hover();
    // Sent together, so that a stall of this machine does not turn the click into a hold.
    await Promise.all([page.mouse.down(), page.mouse.up()]);
    expect(await running()).toMatchObject({ isDone: false, code: "not-found" });
    await page.getByRole("switch", { name: "Drill" }).check();
    await held.hover();
    await page.mouse.down();
    await page.getByRole("status").getByText(/DRILL/).waitFor();
    await page.mouse.up();
    expect(await running()).toMatchObject({
      answer: { is_drill: true, text: /^DRILL\n/ },
    });
    await page.keyboard.press("Escape");
    await goTo(page, "#/activity");
    await page
      .getByRole("listitem")
      .filter({ hasText: /Drill.*Takeover started/ })
      .first()
      .waitFor();
  });

  it("shows how long a preset message lasts, however unusual its duration", async () => {
    const { page } = app;
    await keepMessages([
      { id: "long", name: "Ten minutes", text: "Ten", seconds: 600 },
      { id: "short", name: "Moment", text: "Moment", seconds: 20 },
    ]);
    await page.keyboard.press("Control+Shift+E");
    const span = page.getByRole("combobox", { name: "Duration" });
    await page.getByRole("radio", { name: /Ten minutes/ }).check();
    await expect.poll(() => span.inputValue()).toBe("10m");
    await page.getByRole("radio", { name: /Moment/ }).check();
    await expect.poll(() => span.inputValue()).toBe("20s");
    await page.getByRole("switch", { name: "Drill" }).check();
    await expect.poll(() => span.inputValue()).toBe("20s");
    await page.keyboard.press("Escape");
  });

  it("keeps edits of the preset messages when another takeover starts and stops or Escape is pressed", async () => {
    const { page } = app;
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("button", { name: "Edit presets" }).click();
    const name = page.getByRole("textbox", { name: "Name" }).first();
    await name.fill("Half written");
    await send("POST", { text: "Elsewhere" });
    const title = panel().locator(".takeover-what");
    await title.getByText("Elsewhere").waitFor();
    expect(await name.inputValue()).toBe("Half written");
    await send("DELETE", {});
    await title.waitFor({ state: "detached" });
    await name.press("Escape");
    expect(await name.inputValue()).toBe("Half written");
    await panel().getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
  });

  it("keeps typed text when another takeover starts meanwhile, and never stops that one by the next key typed", async () => {
    const { page } = app;
    await page.keyboard.press("Control+Shift+E");
    await panel()
      .getByRole("radio", { name: /Custom message/ })
      .check();
    const text = panel().getByRole("textbox", { name: "Text on screen" });
    await text.pressSequentially("Gas leak");
    await send("POST", { text: "Fire in hall 1" });
    const title = panel().locator(".takeover-what");
    await title.getByText("Fire in hall 1").waitFor();
    await page.keyboard.type(" in hall 3");
    expect(await text.inputValue()).toBe("Gas leak in hall 3");
    await panel().getByText("A new one replaces it.").waitFor();
    expect(await running()).toMatchObject({
      answer: { text: "Fire in hall 1" },
    });
    // Clicks outside the panel.
    await page.mouse.click(200, 700);
    expect(await text.inputValue()).toBe("Gas leak in hall 3");
    await send("DELETE", {});
    await title.waitFor({ state: "detached" });
    expect(await text.inputValue()).toBe("Gas leak in hall 3");
    // After the panel was closed by mistake, the text is there again.
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+E");
    await panel()
      .getByRole("radio", { name: /Custom message/ })
      .check();
    expect(await text.inputValue()).toBe("Gas leak in hall 3");
    await text.fill("");
    await page.keyboard.press("Escape");
  });

  it("keeps the chosen message while another takeover starts and stops", async () => {
    const { page } = app;
    await page.keyboard.press("Control+Shift+E");
    const closed = panel().getByRole("radio").last();
    const first = panel().getByRole("radio").first();
    await first.check();
    const title = panel().locator(".takeover-what");
    await send("POST", { text: "Elsewhere" });
    await title.waitFor();
    expect(await first.isChecked()).toBe(true);
    expect(await focused()).toBe("INPUT radio");
    await send("DELETE", {});
    await title.waitFor({ state: "detached" });
    expect(await first.isChecked()).toBe(true);
    expect(await closed.isChecked()).toBe(false);
    await page.keyboard.press("Escape");
  });

  it("is never stopped by the button or the command that was there to start one", async () => {
    const { page } = app;
    await page.locator(".takeover-button").focus();
    await send("POST", { text: "Elsewhere" });
    await page.locator('.takeover-button[data-on="true"]').waitFor();
    await page.keyboard.press("Space");
    await panel().locator(".takeover-what:focus").waitFor();
    await page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    await command(page, "stop takeover", /Stop takeover/);
    await panel().locator(".takeover-what:focus").waitFor();
    expect(await running()).toMatchObject({ answer: { text: "Elsewhere" } });
    await page.keyboard.press("Escape");
  });

  it("lasts as long as chosen: ten minutes, or any number of them", async () => {
    const { page } = app;
    await page.keyboard.press("Control+Shift+E");
    await panel().getByRole("radio").first().check();
    const span = panel().getByRole("combobox", { name: "Duration" });
    await span.click();
    await page.getByRole("option", { name: "10m" }).click();
    await expect.poll(() => span.inputValue()).toBe("10m");
    await span.click();
    await page.getByRole("option", { name: "Custom…" }).click();
    const minutes = panel().getByRole("textbox", { name: "Minutes" });
    await expect.poll(() => minutes.inputValue()).toBe("10");
    await minutes.fill("");
    await minutes.fill("25");
    const held = panel().getByRole("button", {
      name: /^Press and hold to start/,
    });
    await held.hover();
    await page.mouse.down();
    await panel().locator(".takeover-what").waitFor();
    await page.mouse.up();
    const { answer } = (await running()) as {
      readonly answer: { readonly started: string; readonly until: string };
    };
    expect(Date.parse(answer.until) - Date.parse(answer.started)).toBe(
      25 * 60_000,
    );
    await page.keyboard.press("Escape");
  });

  it("keeps any duration of a preset message", async () => {
    const { page } = app;
    const mine = { id: "mine", name: "Evacuate", text: "Leave", seconds: 600 };
    await keepMessages([mine]);
    await page.keyboard.press("Control+Shift+E");
    await panel()
      .getByRole("radio", { name: /Evacuate/ })
      .waitFor();
    await panel().getByRole("button", { name: "Edit presets" }).click();
    const span = panel().getByRole("combobox", { name: "Duration" });
    await expect.poll(() => span.inputValue()).toBe("10m");
    await span.click();
    await page.getByRole("option", { name: "Custom…" }).click();
    await panel().getByRole("textbox", { name: "Minutes" }).fill("12.5");
    await panel().getByRole("button", { name: "Save" }).click();
    await expect.poll(keptMessages).toEqual([{ ...mine, seconds: 750 }]);
    await panel()
      .getByRole("radio", { name: /Evacuate/ })
      .check();
    await expect.poll(() => span.inputValue()).toBe("12m 30s");
    await keepMessages([]);
    await page.keyboard.press("Escape");
  });

  it("keeps the focus after every button of the preset messages", async () => {
    const { page } = app;
    await page.keyboard.press("Control+Shift+E");
    const press = async (name: RegExp): Promise<void> => {
      await panel().getByRole("button", { name }).first().focus();
      await page.keyboard.press("Enter");
    };
    await press(/Edit presets/);
    await panel().locator(".takeover-about:focus").waitFor();
    await press(/^Remove /);
    await panel().locator(".message button:focus").first().waitFor();
    await press(/^Add preset/);
    await panel().locator(".message:last-child input:focus").waitFor();
    for (let left = 3; left > 0; left -= 1) await press(/^Remove /);
    await panel().locator(".message-add:focus").waitFor();
    await press(/^Cancel/);
    await panel()
      .locator("button:focus", { hasText: "Edit presets" })
      .waitFor();
    await press(/Edit presets/);
    await press(/^Save/);
    await panel()
      .locator("button:focus", { hasText: "Edit presets" })
      .waitFor();
    await keepMessages([]);
    await page.keyboard.press("Escape");
  });

  const focused = (): Promise<string> =>
    app.page.evaluate(() => {
      const { activeElement: at } = document;
      return `${at?.tagName ?? ""} ${at instanceof HTMLInputElement ? at.type : ""}`;
    });
});
