// Overflow in the manager of the real app: long words and names, in German and in a small window, are neither cut off nor overlap.

import { expect, it } from "vitest";
import { addCloudSwitchedOff } from "../support/manager/disabled-connection.ts";
import { goTo } from "../support/manager/manager-page.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager({
  language: "de_DE.UTF-8",
  width: 1024,
  height: 700,
});
const long =
  "Zentrale Hauptverwaltung der Landesgartenschau Nordrhein-Westfalen";

it("keeps the now page as wide as the window, however long the names of a content service and of the asset are", async () => {
  const { page } = app;
  await addCloudSwitchedOff(page, long);
  await app.add(`${long}, ${long}, ${long}`);
  await goTo(page, "#/now");
  await page.locator(".now-name").getByText(long).waitFor();
  await page.locator(".health").getByText(long).waitFor();
  const tooWide = await page.evaluate(() =>
    [".page-body", ".now-stage", ".now-side", ".health"].filter((place) => {
      const one = document.querySelector(place);
      return one === null || one.scrollWidth > one.clientWidth;
    }),
  );
  expect(tooWide).toEqual([]);
});

it("shows the whole name of what is on the screen when zoomed to 200 %", async () => {
  const { page, manager } = app;
  const enlarge = async (factor: number): Promise<void> => {
    await manager.app.evaluate(({ webContents }, by) => {
      for (const one of webContents.getAllWebContents())
        if (one.getURL().startsWith("app://manager")) one.setZoomFactor(by);
    }, factor);
    await page.waitForFunction((width) => innerWidth === width, 1360 / factor);
  };
  await manager.resize(1360, 860);
  await app.add("Summer sale");
  await goTo(page, "#/now");
  await page.locator(".now-name").getByText("Summer sale").waitFor();
  await enlarge(2);
  const isCut = await page
    .locator(".now-name .name")
    .evaluate((name) => name.scrollWidth > name.clientWidth);
  await enlarge(1);
  await manager.resize(1024, 700);
  expect(isCut).toBe(false);
});

it("shows every choice of a setting with its full text", async () => {
  const { page } = app;
  const cut: string[] = [];
  for (const section of ["screen", "display", "audio", "playback", "kiosk"]) {
    await goTo(page, `#/settings/${section}`);
    await page.locator("[data-setting]").first().waitFor();
    cut.push(
      ...(await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".setting-control")]
          .flatMap((control) => [
            ...control.querySelectorAll<HTMLElement>(
              "[role=radiogroup], label",
            ),
          ])
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map((one) => one.innerText),
      )),
    );
  }
  expect(cut).toEqual([]);
});
