// Local changes of a content service's assets in the manager: shown with the asset, discarded there or in the connection.

import path from "node:path";
import { expect, it } from "vitest";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { seriousFaults, themeIsChosen } from "../../support/manager/axe.ts";
import { centreOf, focusOf, goTo } from "../../support/manager/manager-page.ts";
import {
  cloudImage,
  serveFaultyCloud,
  type CloudAsset,
  type FaultyCloud,
} from "../../support/faulty-service/faulty-service.ts";
import { png } from "../../support/media/media.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";

const app = sharedManager();
const [red, green, blue] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
];

const titled = (one: CloudAsset, title: string): CloudAsset => ({
  ...one,
  row: { title },
});

const here = (...names: readonly string[]): Promise<void> =>
  expect.poll(async () => (await app.order()).toSorted()).toEqual(names);

interface Office {
  readonly cloud: FaultyCloud;
  /** Replaces the service's content by one playlist of these assets, and waits for the player's next poll. */
  has(assets: readonly CloudAsset[], row?: object): Promise<void>;
  /** The local id of the asset with this id in the service. */
  idOf(remoteId: string): string;
}

async function connect(...assets: readonly CloudAsset[]): Promise<Office> {
  const cloud = await serveFaultyCloud();
  cloud.playlists = [{ id: "P1", assets }];
  const { account_id: id } = await app.elsewhere<{ account_id: string }>(
    ...(["POST", "/sync/accounts"] as const),
    {
      ...{ base_url: cloud.address, token: "a-token", mode: "now" },
      ...{ name: "Office", poll_seconds: 3600 },
    },
  );
  await here(...assets.map((one) => one.id).toSorted());
  return {
    cloud,
    has: async (next, row = {}) => {
      cloud.playlists = [{ id: "P1", assets: next, row: { ...row } }];
      await app.elsewhere("POST", "/sync/run", {});
    },
    idOf: (remoteId) => `${id}-${remoteId}`,
  };
}

const note = () =>
  app.main.getByRole("group", { name: "Changed on this player" });
const use = /^Use the service’s version of/;
const notice = () => app.page.locator(".mantine-Notification-root").last();
const undo = () => notice().getByRole("button", { name: /^Undo/ });
const valueOf = (label: string) => () =>
  app.main.getByLabel(label, { exact: true }).inputValue();

async function type(label: string, text: string): Promise<void> {
  const field = app.main.getByLabel(label, { exact: true });
  await field.fill(text);
  await field.press("Tab");
}

it("[V2-560] shows local changes in the details, discards them in favour of the service's present values, and offers undo", async () => {
  const { page } = app;
  const office = await connect(red, green);
  const id = office.idOf("red");
  await goTo(page, `#/library/${id}`);
  await expect.poll(valueOf("Name")).toBe("red");
  expect(await note().count()).toBe(0);
  await type("Name", "Ours");
  await note().getByText("Changed on this player: name.").waitFor();
  await note()
    .getByText(/Office.* no longer updates this field\./)
    .waitFor();
  await type("Time on screen (seconds)", "77");
  await note()
    .getByText("Changed on this player: name and time on screen.")
    .waitFor();
  await note()
    .getByText(/no longer updates these fields\./)
    .waitFor();

  // The service's version changes without this player.
  await office.has([titled(red, "Rose"), titled(green, "Moss")]);
  await here("Moss", "Ours");
  await note().getByRole("button", { name: use }).click();
  await notice().getByText("“Rose” syncs with “Office” again").waitFor();
  await expect.poll(valueOf("Name")).toBe("Rose");
  await expect.poll(valueOf("Time on screen (seconds)")).toBe("10");
  await note().waitFor({ state: "detached" });
  await expect.poll(() => focusOf(page)).toBe("Name");

  await undo().click();
  await here("Moss", "Ours");
  await expect.poll(valueOf("Time on screen (seconds)")).toBe("77");
  await note().waitFor();
  await note().getByRole("button", { name: use }).press("Enter");
  await here("Moss", "Rose");
  await office.has([titled(red, "Poppy"), titled(green, "Moss")]);
  await here("Moss", "Poppy");
  await expect.poll(valueOf("Name")).toBe("Poppy");
});

/** Types a duration in the details of a locally renamed asset, without saving it. */
async function typeSeconds(): Promise<void> {
  const office = await connect(red);
  await goTo(app.page, `#/library/${office.idOf("red")}`);
  await type("Name", "Ours");
  await note().waitFor();
  await app.main.getByLabel("Time on screen (seconds)").fill("77");
}

it("[V2-560] also discards the latest edit", async () => {
  await typeSeconds();
  await note().getByRole("button", { name: use }).click();
  await note().waitFor({ state: "detached" });
  await expect.poll(valueOf("Name")).toBe("red");
  await expect.poll(valueOf("Time on screen (seconds)")).toBe("10");
});

it("[V2-710] counts a press on a button that moved away beneath it, because the press saved the field it left", async () => {
  const { page } = app;
  await typeSeconds();
  const button = note().getByRole("button", { name: use });
  // A longer sentence needs another line, whatever its wording.
  await note()
    .getByText("Changed on this player: name.")
    .evaluate((sentence) => {
      sentence.style.display = "inline-block";
      sentence.style.width = `${Math.ceil(sentence.getBoundingClientRect().width)}px`;
    });
  await button.scrollIntoViewIfNeeded();
  // At the upper edge of the button, which a longer sentence above it moves away first.
  const at = await centreOf(button);
  const top = (await button.boundingBox())?.y ?? 0;
  await page.mouse.move(at.x, top + 2);
  await page.mouse.down();
  await note()
    .getByText("Changed on this player: name and time on screen.")
    .waitFor();
  await expect
    .poll(async () => (await button.boundingBox())?.y)
    .toBeGreaterThan(top + 2);
  await page.mouse.up();
  await note().waitFor({ state: "detached" });
  await expect.poll(valueOf("Name")).toBe("red");
  await expect.poll(valueOf("Time on screen (seconds)")).toBe("10");
});

it("[V2-560] shows them for a playlist, and moves the focus to its name", async () => {
  const { page } = app;
  const office = await connect(red, green);
  const id = office.idOf("P1");
  await goTo(page, `#/playlists/${id}`);
  const name = app.main.getByLabel("Name", { exact: true });
  await name.fill("Shop");
  await name.press("Enter");
  await note().getByText("Changed on this player: name.").waitFor();
  await app.elsewhere("PATCH", `/playlists/${id}`, {
    items: [{ asset_id: office.idOf("green"), duration: 5 }],
  });
  await note().getByText("Changed on this player: name and items.").waitFor();
  await office.has([red, green, blue], { title: "Windows" });
  await expect.poll(app.order).toHaveLength(3);
  await note().getByRole("button", { name: use }).click();
  await expect.poll(() => name.inputValue()).toBe("Windows");
  await note().waitFor({ state: "detached" });
  await expect.poll(() => focusOf(page)).toBe("Name");
  const items = async (): Promise<readonly string[]> => {
    const at = `/playlists/${id}`;
    const { items: all } = await app.elsewhere<{
      items: readonly { readonly asset_id: string }[];
    }>("GET", at);
    return all.map((one) => one.asset_id);
  };
  expect(await items()).toEqual(["red", "green", "blue"].map(office.idOf));
  await undo().click();
  await expect.poll(items).toEqual([office.idOf("green")]);
  await expect.poll(() => name.inputValue()).toBe("Shop");
});

it("[V2-564] asks before discarding a file that was replaced locally, and downloads the service's at the next sync", async () => {
  const { page } = app;
  const office = await connect(red);
  const id = office.idOf("red");
  const body = new FormData();
  body.append("file_upload", new Blob([new Uint8Array(png([7, 7, 7]))]));
  const uploaded = await fetch(`${app.manager.api}/api/v2/file_asset`, {
    ...{ method: "POST", body },
  });
  const { uri } = (await uploaded.json()) as { readonly uri: string };
  await app.elsewhere("POST", `/assets/${id}/source`, { uri });
  const next = cloudImage("red", [1, 99, 1]);
  await office.has([next]);
  await goTo(page, `#/library/${id}`);
  await note().getByText("Changed on this player: file.").waitFor();
  const button = note().getByRole("button", { name: use });
  await button.press("Enter");
  const question = page.getByRole("alertdialog");
  await expect.poll(() => focusOf(page)).toBe("Cancel");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await expect.poll(() => focusOf(page)).toMatch(use);
  await button.press("Enter");
  const other = openSqlite(path.join(app.manager.dir, "data", "vitrine.db"));
  try {
    // A lock delays the write, as on a slow disk.
    other.exec("BEGIN IMMEDIATE");
    await question
      .getByRole("button", { name: "Use the service’s version" })
      .click();
    await expect
      .poll(() => focusOf(page))
      .toBe(await question.getAttribute("aria-label"));
    other.exec("COMMIT");
  } finally {
    other.close();
  }
  await note().waitFor({ state: "detached" });
  await expect.poll(() => focusOf(page)).toBe("Name");
  expect(await undo().count()).toBe(0);
  const content = async (): Promise<string> => {
    const at = `/assets/${id}/content`;
    const file = await app.elsewhere<{ readonly content: string }>("GET", at);
    return file.content;
  };
  await expect.poll(content).toBe(next.bytes?.toString("base64"));
});

it("[V2-656] lists local changes and deletions at the connection, and discards one or all of them", async () => {
  const { page } = app;
  const office = await connect(red, green, blue);
  await app.elsewhere("PATCH", `/assets/${office.idOf("red")}`, {
    ...{ name: "Ours", muted: true },
  });
  await app.elsewhere("DELETE", `/assets/${office.idOf("green")}`);
  await app.elsewhere("POST", "/trash", { asset_ids: [office.idOf("blue")] });
  await app.elsewhere("PATCH", `/playlists/${office.idOf("P1")}`, {
    is_enabled: false,
  });
  await goTo(page, "#/connections");
  const summary = app.main.getByText(/^Changed on this player · 4 items$/);
  await summary.click();
  const list = app.main.locator(".local-changes-list li");
  const row = (name: string) => list.filter({ hasText: name });
  await row("Ours")
    .getByText(/: name and mute\.$/)
    .waitFor();
  await row("green")
    .getByText(/^Deleted here\./)
    .waitFor();
  await row("P1").getByText("Changed: enabled.").waitFor();
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await themeIsChosen(app.manager);
    faults.push(...(await seriousFaults(app.manager)));
  }
  expect(faults).toEqual([]);

  const useOf = (name: string) =>
    list.getByRole("button", { name: new RegExp(`${use.source} .*${name}`) });
  await useOf("blue").press("Enter");
  await here("Ours", "blue");
  await expect.poll(() => focusOf(page)).toMatch(/version of .*green/);
  await undo().click();
  await here("Ours");
  await useOf("blue").waitFor();

  const all = { name: "Use the service’s version for all" };
  await app.main.getByRole("button", all).click();
  const question = page.getByRole("alertdialog");
  await question.getByText(/for all 4 items\?$/).waitFor();
  await question.getByRole("button", all).click();
  await here("blue", "green", "red");
  await notice().getByText("Everything syncs with “Office” again").waitFor();
  await summary.waitFor({ state: "detached" });
  await expect.poll(() => focusOf(page)).toMatch(/^Sync now/);
});
