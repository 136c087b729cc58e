// The activity page: who made a change, with the values before and after, found by actor and by text.

import { beforeAll, expect, it } from "vitest";
import { afterThisTest } from "../../support/after-this-test.ts";
import { speakTo } from "../../support/app/start-app.ts";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { temporaryFolder, untilAllHaveRun } from "../../support/folder.ts";
import { goTo } from "../../support/manager/manager-page.ts";
import { png } from "../../support/media/media.ts";
import { servePlayer } from "../../support/player/serve-player.ts";

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

it("[V2-792] [V2-793] [V2-794] shows who changed what, before and after, and finds it by actor and text", async () => {
  const { address } = await servePlayer(await temporaryFolder());
  const api = `${address}/api/v2`;
  const call = (method: string, path: string, body: unknown, token?: string) =>
    fetch(`${api}${path}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  const made = await call("POST", "/tokens", { name: "shop script" });
  const { token } = (await made.json()) as { readonly token: string };
  const { asset_id } = await speakTo(address).addFile(png([10, 90, 10]), {
    ...{ name: "Poster", mimetype: "image", duration: 5 },
  });
  const change = { name: "Summer sale", duration: 12 };
  await call("PATCH", `/assets/${asset_id}`, change, token);
  const page = await browser.open(address, 1280, 800);
  afterThisTest(() => page.close());
  await page.locator(".shell").waitFor();
  await goTo(page, "#/activity");

  const changed = page.getByRole("listitem").filter({ hasText: "Summer sale" });
  const who = changed.getByText("Access token · shop script · 127.0.0.1");
  await who.click();
  const values = changed.getByLabel("Before and after");
  expect(await values.locator("div").allInnerTexts()).toEqual([
    expect.stringMatching(/^name\s+Poster → Summer sale$/),
    expect.stringMatching(/^time on screen\s+5 → 12$/),
  ]);
  const added = page.getByRole("listitem").filter({ hasText: "Asset added" });
  await added.getByText("This PC, without sign-in · 127.0.0.1").waitFor();

  await page.getByLabel("Who").selectOption("Access token");
  await added.waitFor({ state: "detached" });
  await changed.waitFor();
  await page.getByLabel("Who").selectOption("Anyone");
  await page.getByRole("searchbox").fill("SHOP SCRIPT");
  await expect.poll(() => page.locator(".activity-line").count()).toBe(2);
  await page.getByLabel("Who").selectOption("Phone");
  await page.getByText("No matching activity").waitFor();
});

it("[V2-793] lists the names and values of changes that share a line", async () => {
  const { address } = await servePlayer(await temporaryFolder());
  const speak = speakTo(address);
  const ids: string[] = [];
  for (const name of ["One", "Two", "Three", "Four", "Five", "Six"]) {
    const { asset_id } = await speak.addFile(png([10, 90, ids.length], 8, 8), {
      ...{ name, mimetype: "image", duration: 5 },
    });
    ids.push(asset_id);
  }
  // What is written together counts as added.
  const added = async (): Promise<number> => {
    const rows = await fetch(`${address}/api/v2/activity?kind=asset`);
    return ((await rows.json()) as readonly unknown[]).length;
  };
  await expect.poll(added).toBe(6);
  await fetch(`${address}/api/v2/assets/order`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids: ids.toReversed().join() }),
  });
  const page = await browser.open(address, 1280, 800);
  afterThisTest(() => page.close());
  await page.locator(".shell").waitFor();
  await goTo(page, "#/activity");
  const changed = page.getByRole("listitem").filter({ hasText: "play order" });
  await changed.getByText("This PC, without sign-in · 127.0.0.1").click();
  const values = changed.getByLabel("Before and after");
  const texts = await values.locator("div").allInnerTexts();
  expect(texts).toHaveLength(6);
  expect(texts.join()).toMatch(/Six · play order\s+\d+ → \d+/);
});
