// Drafts of a playlist's predicate in the manager of the real app: complete and incomplete input, and what becomes of it.

import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../../server/platform/sqlite/sqlite.ts";
import { goTo } from "../support/manager/manager-page.ts";
import { playlistsThroughApi } from "../support/manager/manager-playlists.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";

const app = sharedManager();
const { makePlaylist, predicateOf } = playlistsThroughApi(() => app.manager);

async function openWhen(name: string, predicate: string): Promise<string> {
  const { playlist_id: id } = await makePlaylist({ name, predicate });
  await goTo(app.page, `#/playlists/${id}`);
  await app.page
    .getByLabel(new RegExp(`^More actions for .*${name}`))
    .waitFor();
  await app.page.getByRole("tab", { name: "Schedule" }).click();
  return `#/playlists/${id}`;
}

/** Makes the store reject changes of the predicate; returns a function that ends this. */
function refusing(): () => void {
  const store = openSqlite(path.join(app.manager.dir, "data", "vitrine.db"));
  store.exec(
    `CREATE TRIGGER refused BEFORE UPDATE OF predicate ON playlists
       BEGIN SELECT RAISE(ABORT, 'Nothing is taken.'); END`,
  );
  const take = (): void => void store.exec("DROP TRIGGER IF EXISTS refused");
  onTestFinished(() => {
    take();
    store.close();
  });
  return take;
}

it("keeps a typed predicate that the player rejected, across page changes, until it is accepted", async () => {
  const { page } = app;
  const here = await openWhen("Lunch", "TRUE");
  const text = page.getByRole("textbox", { name: "Schedule rule" });
  const take = refusing();
  await text.fill("$WEEKDAY = 5");
  await text.press("Control+Enter");
  await page.getByText(/Couldn’t change .*Lunch/).waitFor();
  await page.getByText("Not applied yet").waitFor();
  expect(await text.inputValue()).toBe("$WEEKDAY = 5");
  expect(await predicateOf("Lunch")).toBe("TRUE");
  await goTo(page, "#/now");
  await goTo(page, here);
  await page.getByRole("tab", { name: "Schedule" }).click();
  expect(await text.inputValue()).toBe("$WEEKDAY = 5");
  take();
  await text.press("Control+Enter");
  await expect.poll(() => predicateOf("Lunch")).toBe("$WEEKDAY = 5");
});

it("forgets a half-typed range of dates when that range is removed, and does not apply it to the next one in its place", async () => {
  const { page } = app;
  await openWhen("Sale", "TRUE");
  const ranges = page.getByRole("group", { name: "Dates" });
  const half = page.getByText(/^Incomplete or invalid/);
  for (let times = 0; times < 2; times += 1)
    await page.getByRole("button", { name: "Add dates" }).click();
  const last = ranges.nth(0).getByLabel("Last day");
  await last.focus();
  await page.keyboard.type("12");
  await ranges.nth(0).getByLabel("First day").focus();
  await half.waitFor();
  expect(await last.evaluate(isHalf)).toBe(true);
  await ranges.nth(0).getByRole("button").click();
  await expect.poll(() => ranges.count()).toBe(1);
  expect(await half.count()).toBe(0);
  expect(await last.evaluate(isHalf)).toBe(false);
});

function isHalf(field: HTMLElement | SVGElement): boolean {
  return field instanceof HTMLInputElement && field.validity.badInput;
}
