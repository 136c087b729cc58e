// How the player fares, on the page of what is on the screen now.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { goTo } from "../support/desk-hand.ts";
import { openDesk } from "../support/desk.ts";
import { temporaryFolder } from "../support/folder.ts";

it.each([
  ["en_GB.UTF-8", "Graphics", "Software rendering"],
  ["de_DE.UTF-8", "Grafik", "Software-Rendering"],
])(
  "[V2-463] says in the language of %s that the processor draws since the graphics were lost again and again",
  async (language, name, value) => {
    const dir = await temporaryFolder();
    await mkdir(path.join(dir, "data"), { mode: 0o700 });
    const lost = { since: Date.now(), reason: "It ended 3 times." };
    await writeFile(
      path.join(dir, "data", "graphics.json"),
      JSON.stringify(lost),
    );
    const desk = await openDesk({ language, dir });
    onTestFinished(async () => {
      await desk.close();
      await desk.screen.close();
    });
    const { page } = desk;
    await goTo(page, "#/now");
    const line = page.locator(".health .fact", { hasText: name });
    await expect.poll(() => line.textContent()).toContain(value);
    expect(await line.getAttribute("data-bad")).toBe("true");
  },
);

it("[V2-463] says nothing of the graphics as long as they draw", async () => {
  const desk = await openDesk();
  onTestFinished(async () => {
    await desk.close();
    await desk.screen.close();
  });
  const { page } = desk;
  await goTo(page, "#/now");
  await page.locator(".health .fact").first().waitFor();
  expect(await page.locator(".health").textContent()).not.toContain("Graphics");
});
