// A connection that brings nothing, in the real app: it says why, and each of the three remedies makes something come.

import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seriousFaults, themeIsChosen } from "../../support/manager/axe.ts";
import { goTo } from "../../support/manager/manager-page.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import { png } from "../../support/media/media.ts";
import {
  contentKey,
  startContent,
  type Row,
  type StartedContent,
} from "../../support/content/start-content.ts";

let manager: ManagerApp;

beforeAll(async () => {
  manager = await openManager();
});

afterAll(async () => {
  await manager.close();
  await manager.screen.close();
});

/** Three images, and a playlist of one of them for the label Lobby only. */
async function startService(): Promise<StartedContent> {
  const service = await startContent(path.join(manager.dir, "service"));
  const ids: string[] = [];
  for (const [place, title] of ["Spring", "Summer", "Autumn"].entries()) {
    const answer = await service.upload(png([place * 80, 160, 60]), {
      title,
    });
    const [row] = (await answer.json()) as Row[];
    ids.push(row?.id ?? "");
  }
  await expect
    .poll(() => service.rows("/v4.1/assets?status=neq.finished"))
    .toEqual([]);
  const [lobby] = await service.add("/v4.1/labels", { name: "Lobby" });
  const [list] = await service.add("/v4.1/playlists", {
    ...{ title: "Shop", predicate: "TRUE" },
  });
  await service.add("/v4.1/playlist-items", {
    ...{ playlist_id: list?.id, asset_id: ids[0], duration: 10 },
  });
  await service.add("/v4.1/labels/playlists", {
    ...{ playlist_id: list?.id, label_id: lobby?.id },
  });
  return service;
}

async function namesHere(): Promise<readonly string[]> {
  const answer = await fetch(`${manager.api}/api/v2/assets`);
  const rows = (await answer.json()) as { name: string }[];
  return rows.map(({ name }) => name).sort();
}

it("[V2-745] a connection that brings nothing names the reason, and offers labels, all assets and a playlist of them", async () => {
  const { page } = manager;
  const service = await startService();
  const connected = await fetch(`${manager.api}/api/v2/sync/accounts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ base_url: service.address, token: contentKey, name: "Head office" },
    }),
  });
  expect(connected.status).toBe(201);
  await goTo(page, "#/connections");
  const note = page.getByRole("region", {
    name: /^Why nothing plays from .*Head office/,
  });
  await note
    .getByText(
      "The content service has 3 assets and 1 playlist, but it isn’t for this screen.",
    )
    .waitFor();
  await page.getByText("Nothing to play yet").waitFor();
  expect(await page.getByText("In sync", { exact: true }).count()).toBe(0);

  // The labels.
  await note.getByRole("button", { name: "Choose labels" }).press("Enter");
  await page.keyboard.press("Space");
  await note.getByRole("button", { name: "Save labels" }).press("Enter");
  await expect.poll(namesHere).toEqual(["Spring"]);
  await note.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Undo/ }).press("Enter");
  await expect.poll(namesHere).toEqual([]);

  // All assets, into the library only.
  await note
    .getByRole("button", { name: "Add all assets to the library" })
    .press("Enter");
  await expect.poll(namesHere).toEqual(["Autumn", "Spring", "Summer"]);
  await note.waitFor({ state: "detached" });
  await page
    .getByRole("button", { name: /^More actions for .*Head office/ })
    .press("Enter");
  await page.getByRole("menuitem", { name: "Connection settings" }).click();
  const setting = page.getByRole("checkbox", { name: "All assets" });
  expect(await setting.isChecked()).toBe(true);
  const rotation = page.getByRole("checkbox", {
    name: "Play them in the default rotation",
  });
  expect(await rotation.isChecked()).toBe(false);
  await setting.click();
  await rotation.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  // The form gives the focus back as it closes.
  await setting.waitFor({ state: "detached" });
  await expect.poll(namesHere).toEqual([]);

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await themeIsChosen(manager);
    expect(await seriousFaults(manager)).toEqual([]);
  }

  // A playlist of them.
  await note
    .getByRole("button", { name: "Create a playlist of all assets" })
    .press("Enter");
  const question = page.getByRole("alertdialog");
  await question
    .getByText(/every screen connected to this content service/)
    .waitFor();
  await question.getByRole("button", { name: "Create playlist" }).click();
  await expect.poll(namesHere).toEqual(["Autumn", "Spring", "Summer"]);
  await page.getByText("In sync", { exact: true }).waitFor();
  await note.waitFor({ state: "detached" });
  const lists = await service.rows<{ title: string }>("/v4.1/playlists");
  expect(lists.map(({ title }) => title).sort()).toEqual([
    "All assets",
    "Shop",
  ]);
});
