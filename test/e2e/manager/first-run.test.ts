// First run: three questions that can be skipped, content on the screen at the end; and the manager in right-to-left layout.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { PNG } from "pngjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { command, goTo } from "../../support/manager/manager-page.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import { png } from "../../support/media/media.ts";

async function openOnce(
  options: Parameters<typeof openManager>[0],
): Promise<ManagerApp> {
  const manager = await openManager(options);
  onTestFinished(async () => {
    await manager.close();
    await manager.screen.close();
  });
  return manager;
}

describe("the first run", () => {
  it("by keyboard alone sets the role of the PC, shows a test pattern, and ends with content on the screen", async () => {
    const { page, app, dir, api } = await openOnce({ withFirstRun: true });
    const panel = page.getByRole("dialog", { name: "Set up this PC" });
    await panel.waitFor();
    const startsByItself = async (): Promise<unknown> => {
      const answer = await fetch(`${api}/api/v2/device_settings`);
      const settings = (await answer.json()) as Record<string, unknown>;
      return settings["start_with_machine"];
    };
    const choose = async (name: RegExp): Promise<void> => {
      await panel.getByRole("radio", { name }).focus();
      await page.keyboard.press("Space");
      await panel.getByRole("radio", { name, checked: true }).waitFor();
    };
    const [screen, both] = [/^Screen only/, /^Screen and manager/];
    await choose(screen);
    await panel.getByText("Takes effect the next time").waitFor();
    // Nothing is stored before the setup is finished; a choice made by mistake has no effect.
    expect(await startsByItself()).toBe(false);
    await choose(both);
    await fetch(`${api}/api/v2/device_settings`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ start_with_machine: true }),
    });
    await choose(screen);
    await choose(both);
    const next = panel.getByRole("button", { name: "Next" });
    // A password that can't be used keeps the step open.
    const password = panel.getByLabel("Password for browsers");
    await password.fill("short");
    await next.press("Enter");
    await panel.getByText("Enter 10 to 200 characters.").waitFor();
    await password.fill("words of the lobby");
    await next.press("Enter");

    await panel.getByRole("radio", { name: /^Display/ }).waitFor();
    const pattern = app.waitForEvent("window", {
      predicate: (one) => one.url().startsWith("app://test-pattern"),
    });
    await panel
      .getByRole("button", { name: "Show test pattern" })
      .press("Enter");
    await (await pattern).locator("canvas").waitFor();
    await page.evaluate(() =>
      window.manager.showTestPattern({ seconds: 0, withAudio: false }),
    );
    await next.press("Enter");

    const file = path.join(dir, "opening.png");
    await writeFile(file, png([30, 120, 60]));
    await page.locator("input[type=file]").first().setInputFiles(file);
    await panel.getByText("1 asset in the library").waitFor();
    await panel.getByRole("button", { name: "Done" }).press("Enter");
    await panel.waitFor({ state: "detached" });
    await page
      .locator("main")
      .getByRole("heading", { name: "opening" })
      .waitFor();

    // Repeating the setup keeps earlier settings.
    expect(await startsByItself()).toBe(true);
    await expect
      .poll(async () => (await fetch(`${api}/api/v2/password`)).json())
      .toMatchObject({ is_set: true });
    await page.reload();
    await page.locator(".shell").waitFor();
    expect(await panel.count()).toBe(0);
  });

  it("connects a content service and restores a backup in place, is skipped by one key, and reopened by its name", async () => {
    const { page, dir, ...manager } = await openOnce({ withFirstRun: true });
    const panel = page.getByRole("dialog", { name: "Set up this PC" });
    await panel.waitFor();
    await panel.getByRole("button", { name: "Content" }).click();
    await panel
      .getByRole("button", { name: /^Connect a content service/ })
      .click();
    await panel.getByLabel("Address").fill("http://127.0.0.1:9");
    await panel.getByLabel("Token").fill("a-token");
    // In a field, Escape belongs to the field.
    await page.keyboard.press("Escape");
    expect(await panel.getByLabel("Token").inputValue()).toBe("a-token");
    await panel.getByLabel("Token").press("Enter");
    await panel.getByRole("alert").waitFor();
    // The field has the focus again: it was disabled during the attempt.
    await panel.locator("input:focus").waitFor();
    await panel.getByRole("button", { name: "Cancel" }).press("Enter");

    const { asset_id: id } = await manager.addFile(png([9, 80, 9]), {
      ...{ name: "Kept", mimetype: "image" },
    });
    const created = await fetch(`${manager.api}/api/v2/backup`, {
      method: "POST",
    });
    const archive = (await created.json()) as string;
    await manager.remove(id);
    const shelf = path.join(dir, "data", "backups");
    await panel.getByRole("button", { name: /^Restore a backup/ }).click();
    await panel
      .locator("input[type=file]")
      .setInputFiles(path.join(shelf, archive));
    await panel
      .getByRole("button", { name: "Restore", exact: true })
      .press("Enter");
    await panel.getByText("1 asset in the library").waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await command(page, "set up this pc", /Set up this PC/);
    await panel.waitFor();
  });
});

describe("the first run, repeated", () => {
  it("stores nothing when it is skipped, and the choices when it is finished", async () => {
    const { page } = await openOnce({});
    const panel = page.getByRole("dialog", { name: "Set up this PC" });
    const stored = () =>
      page.evaluate(async () => {
        const { role } = await window.manager.getMachine({});
        const { operate } = window.manager;
        const settings = await operate({ operation: "readSettings" });
        const { start_with_machine: starts, screen_rotation: orientation } = (
          settings as { answer: Record<string, unknown> }
        ).answer;
        return { role, starts, orientation };
      });
    const choose = async (): Promise<void> => {
      await command(page, "set up this pc", /Set up this PC/);
      await panel.waitFor();
      await panel.getByRole("radio", { checked: true }).focus();
      await page.keyboard.press("ArrowDown");
      await panel
        .getByRole("radio", { name: /^Screen only/, checked: true })
        .waitFor();
      await panel.getByRole("button", { name: "Next" }).press("Enter");
      await panel.getByText("Portrait (90° right)").click();
    };
    const before = await stored();
    expect(before).toEqual({ role: "both", starts: false, orientation: 0 });
    await choose();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(await stored()).toEqual(before);
    await choose();
    await panel.getByRole("button", { name: "Next" }).press("Enter");
    expect(await stored()).toEqual(before);
    await panel.getByRole("button", { name: "Done" }).press("Enter");
    await expect
      .poll(stored)
      .toEqual({ role: "screen", starts: true, orientation: 90 });
  });
});

describe("the manager in a right-to-left language", () => {
  it("is laid out from right to left without overflow", async () => {
    const { page } = await openOnce({ language: "ar_EG.UTF-8" });
    expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    for (const hash of ["#/now", "#/library", "#/settings"]) {
      await goTo(page, hash);
      const [rail, main] = await page.evaluate(() =>
        [".rail", "main"].map(
          (name) => document.querySelector(name)?.getBoundingClientRect().x,
        ),
      );
      expect(rail).toBeGreaterThan(main ?? 0);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= innerWidth,
        ),
      ).toBe(true);
    }
    // The current page is marked at the right edge of the image, and only there.
    const shot = PNG.sync.read(await page.screenshot());
    const chosen = await page.evaluate(() => {
      const link = document.querySelector('.rail-link[aria-current="page"]');
      const { x, y, width } = link?.getBoundingClientRect() ?? new DOMRect();
      return { left: x + 4, right: x + width - 4, y: y + 8 };
    });
    const at = (x: number): readonly number[] => {
      const place = (Math.round(chosen.y) * shot.width + Math.round(x)) * 4;
      return [...shot.data.subarray(place, place + 3)];
    };
    expect(chosen.left).toBeGreaterThan(shot.width / 2);
    expect(at(chosen.right)).toEqual(at(chosen.left));
    // The panel slides in from the end side, and its lines start at one edge.
    await page.keyboard.press("Control+Shift+E");
    const panel = page.getByRole("dialog");
    await panel.getByRole("radio").first().waitFor();
    await expect
      .poll(() => panel.evaluate((one) => one.getBoundingClientRect().x))
      .toBe(0);
    const ends = await panel
      .locator(".takeover-words bdi")
      .evaluateAll((lines) =>
        lines.map((line) => Math.round(line.getBoundingClientRect().right)),
      );
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends).size).toBe(1);
    expect(at(chosen.left)).not.toEqual(at(shot.width - chosen.left));
  });
});
