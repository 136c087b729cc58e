// Connections in the real app: connect, review and apply; a service hosted on this PC; claiming a screen; steps counted.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seriousFaults } from "../../support/manager/axe.ts";
import { counted, goTo, tabTo } from "../../support/manager/manager-page.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import { holdPort } from "../../support/machine/reserved-port.ts";
import { registerPlayer } from "../../support/content/linked-player.ts";
import { png } from "../../support/media/media.ts";
import { exported, keysOf } from "../../support/sync/offline-bundles.ts";
import { startFullSync } from "../../support/sync/start-full-sync.ts";
import {
  contentKey,
  startContent,
  type StartedContent,
} from "../../support/content/start-content.ts";

/** One app for both tests; each starts without a connection. */
let manager: ManagerApp;

beforeAll(async () => {
  manager = await openManager();
});

afterAll(async () => {
  await manager.close();
  await manager.screen.close();
});

beforeEach(async () => {
  const at = `${manager.api}/api/v2/sync/accounts`;
  const connections = (await (await fetch(at)).json()) as {
    account_id: string;
  }[];
  for (const { account_id: id } of connections)
    await fetch(`${at}/${id}`, { method: "DELETE" });
  await goTo(manager.page, "#/connections");
  await manager.page.getByLabel("Address").waitFor();
});

/** Hosts a service on a free port, as an operator would choose one. */
async function hostOn({ page }: ManagerApp): Promise<void> {
  const port = await holdPort();
  await page.evaluate(
    (wanted) => window.manager.changeHosting({ port: wanted }),
    port,
  );
}

/** A service with one image in a playlist for every screen. */
async function startService(dir: string): Promise<StartedContent> {
  const service = await startContent(path.join(dir, "service"));
  const answer = await service.upload(png([20, 160, 60]), {
    title: "Spring",
  });
  const [asset] = (await answer.json()) as { id: string }[];
  await expect
    .poll(
      async () => (await service.rows("/v4/assets?status=eq.finished")).length,
    )
    .toBe(1);
  const created = await service.request("/api/v3/playlists/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ title: "Shop", predicate: "TRUE", is_enabled: true },
      assets: [{ id: asset?.id, duration: 10 }],
      groups: [{ id: "all-screens" }],
    }),
  });
  expect(created.status).toBe(201);
  return service;
}

async function namesIn({ api }: ManagerApp): Promise<readonly string[]> {
  const answer = await fetch(`${api}/api/v2/assets`);
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
}

describe("the content service on this PC", () => {
  it("runs after one switch, claims a waiting screen by mouse and this one by keyboard alone in 2 steps each, and creates keys that are shown once", async () => {
    const { page } = manager;
    await hostOn(manager);
    const panel = page.getByRole("region", {
      name: "Content service on this PC",
    });
    await panel.locator(".mantine-Switch-track").click();
    await panel.getByText(/^Running since/).waitFor();
    const address =
      (await panel.locator(".hosting-address").textContent()) ?? "";

    const waiting = await registerPlayer(address);
    const pin = panel.getByLabel("PIN on the screen");
    await pin.fill("000000");
    await pin.press("Enter");
    await panel.getByText(/^Couldn’t add the screen\./).waitFor();
    // The name is prefilled.
    const byMouse = counted();
    await byMouse.step(() => pin.fill(waiting.pin));
    await byMouse.step(() =>
      panel.getByRole("button", { name: "Add screen" }).click(),
    );
    expect(byMouse.steps).toBe(2);
    await panel.getByRole("link", { name: "Show 1 screen" }).click();
    const screen = page.getByRole("option", { name: /^Screen 1/ });
    // Failed downloads of its player are counted here, too [V2-652].
    await waiting.beat({ item_counts: { wanted: 2, here: 1, failed: 1 } });
    await screen.getByText("1 of 2 items failed.").waitFor();
    await waiting.beat({ item_counts: { wanted: 2, here: 2, failed: 0 } });
    await screen.getByText("Not verified").waitFor();
    await goTo(page, "#/connections");

    // This player becomes a screen of the service, without a token.
    await page.getByText("Pair this screen with a PIN").click();
    await page.getByLabel("Content service to pair with").fill(address);
    await page.getByRole("button", { name: "Show PIN" }).click();
    const shown = await page.locator(".pair-pin").textContent();
    await page.locator("#page-title").focus();
    await tabTo(page, /^PIN on the screen/);
    const byKeyboard = counted();
    await byKeyboard.step(() => page.keyboard.type(shown ?? ""));
    await byKeyboard.step(() => page.keyboard.press("Enter"));
    expect(byKeyboard.steps).toBe(2);
    await panel.getByRole("link", { name: "Show 2 screens" }).waitFor();
    await page.getByText("This screen is now paired").waitFor();
    await page.getByRole("button", { name: /^Sync now/ }).waitFor();
    // A read-only connection offers no editing.
    const edits = page.getByText("Edit in the content service");
    expect(await edits.count()).toBe(0);

    await panel.getByLabel("Key name").fill("lobby");
    await panel.getByRole("button", { name: "Create key" }).click();
    const key = (await panel.locator("[data-secret]").textContent()) ?? "";
    const listed = await fetch(`${address}/v4/assets`, {
      headers: { Authorization: `Token ${key}` },
    });
    expect(listed.status).toBe(200);
    await panel.getByRole("button", { name: "I’ve copied it" }).click();
    await panel.getByRole("button", { name: /^Revoke the key for/ }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: "Revoke" })
      .click();
    await page.getByText(/^Revoked the key for/).waitFor();

    const collected: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      collected.push(...(await seriousFaults(manager)));
    }
    expect(collected).toEqual([]);

    await panel.locator(".mantine-Switch-track").click();
    await panel.getByText("Off", { exact: true }).waitFor();
    await expect(fetch(address)).rejects.toThrow();
  });
});

describe("a connected content service, by keyboard alone", () => {
  it("shows an invalid token at its field, previews changes before applying them, edits its content, and explains a lost connection", async () => {
    const { page } = manager;
    const { keyboard } = page;
    const service = await startService(manager.dir);
    await page.getByLabel("Address").focus();
    await keyboard.type(service.address);
    await keyboard.press("Tab");
    await keyboard.type("a-wrong-token");
    await keyboard.press("Enter");
    await page.getByText(/no longer accepts the token/).waitFor();
    expect(await connectionsIn(page)).toBe(0);

    await page.getByLabel("Token").focus();
    await keyboard.press("Control+a");
    await keyboard.type(contentKey);
    await keyboard.press("Enter");
    await page.getByText(/^Connected to .*version/).waitFor();
    // The form is gone; keyboard focus continues at the page title.
    await page.locator("#page-title:focus").waitFor();
    const plan = page.getByRole("region", { name: "Changes", exact: true });
    await plan.getByText("Spring").waitFor();
    expect(await namesIn(manager)).toEqual([]);

    await plan.getByRole("button", { name: /^Apply changes/ }).focus();
    await keyboard.press("Enter");
    await expect.poll(() => namesIn(manager)).toEqual(["Spring"]);
    await page.getByText("In sync", { exact: true }).waitFor();
    await seeNothingSerious(manager);

    const usbStick = await packed(manager, service);

    // Edited in the content service, for all of its screens.
    await page.getByText("Edit in the content service").focus();
    await keyboard.press("Enter");
    await page.getByRole("button", { name: /^Rename .*Shop/ }).focus();
    await keyboard.press("Enter");
    await page.locator("input:focus").waitFor();
    await keyboard.press("Control+a");
    await keyboard.type("Store");
    await keyboard.press("Enter");
    const titles = async (): Promise<readonly unknown[]> => {
      const answer = await service.request("/api/v3/playlists/");
      const lists = (await answer.json()) as { title: string }[];
      return lists.map(({ title }) => title);
    };
    await expect.poll(titles).toEqual(["Store"]);
    await page.getByRole("button", { name: /^Rename .*Store/ }).waitFor();
    // Switched there and back: only the later notice offers undo.
    const wayBack = (reported: RegExp) =>
      page
        .locator(".mantine-Notification-root")
        .filter({ hasText: reported })
        .getByRole("button", { name: /^Undo/ });
    await page.getByRole("switch", { name: /^Enable .*Store/ }).focus();
    await keyboard.press("Space");
    await wayBack(/Store.* disabled/).waitFor();
    await keyboard.press("Space");
    await wayBack(/Store.* enabled/).waitFor();
    expect(await wayBack(/Store.* disabled/).count()).toBe(0);
    await page.getByLabel("New playlist name").focus();
    await keyboard.type("Evening");
    await keyboard.press("Enter");
    await expect
      .poll(async () => [...(await titles())].sort())
      .toEqual(["Evening", "Store"]);
    await seeNothingSerious(manager);

    // An unreachable service changes nothing; the message names the next step.
    await service.stop();
    await page.getByRole("button", { name: /^Sync now/ }).focus();
    await keyboard.press("Enter");
    await page
      .getByText(
        /^Can’t reach the content service\..*Your screen keeps playing what it has/,
      )
      .waitFor();
    expect(await namesIn(manager)).toEqual(["Spring"]);
    // Its known content can still be edited: the change is pending.
    await page.getByLabel("New playlist name").focus();
    await keyboard.type("Night");
    await keyboard.press("Enter");
    await page
      .getByText("Couldn’t load the list from the content service.")
      .waitFor();
    await page
      .getByText(/Edit in the content service · 1 pending change/)
      .waitFor();
    await page.getByRole("button", { name: /^Rename .*Store/ }).waitFor();
    await takeIn(manager, usbStick);
    // A connection without a service says so, and offers no sync.
    const card = page
      .getByRole("article")
      .filter({ hasText: "Offline bundle" });
    await card.getByText(/1 asset, 1 playlist · Applied /).waitFor();
    expect(
      await card.getByText(/Sync now|Edit in the content service/).count(),
    ).toBe(0);
    await seeNothingSerious(manager);
  });
});

interface UsbStick {
  readonly file: string;
  /** The key of the player that exported it. */
  readonly key: string;
}

/** Exports this player's own offline bundle; returns one of another player. */
async function packed(
  { page, app, dir }: ManagerApp,
  service: StartedContent,
): Promise<UsbStick> {
  const own = path.join(dir, "own-plan.tar.gz");
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () =>
      Promise.resolve({ canceled: false, filePath });
  }, own);
  await page.getByRole("button", { name: /^Export bundle/ }).press("Enter");
  await page.getByText(/^Exported the bundle from /).waitFor();
  expect((await readFile(own)).subarray(0, 2)).toEqual(
    Buffer.from([0x1f, 0x8b]),
  );

  const other = await startFullSync();
  await other.connect({ baseUrl: service.address }, contentKey);
  await other.until(({ isInSync }) => isInSync === true);
  const file = path.join(dir, "stick.tar.gz");
  await writeFile(file, await exported(other));
  return { file, key: (await keysOf(other)).own };
}

/** Imports the bundle without a network, after comparing its key. */
async function takeIn(
  { page }: ManagerApp,
  { file, key }: UsbStick,
): Promise<void> {
  const panel = page.getByRole("region", { name: "Offline bundles" });
  await panel.locator("input[type=file]").setInputFiles(file);
  const question = panel.getByRole("alertdialog");
  await question.getByText(key.match(/.{4}/g)?.join(" ") ?? "-").waitFor();
  await question
    .getByRole("button", { name: "Trust and import" })
    .press("Enter");
  await page
    .getByText(/^Imported the bundle from .*: 1 asset, 1 playlist/)
    .waitFor();
  await panel.getByText(/^Trusted since /).waitFor();
}

async function seeNothingSerious(manager: ManagerApp): Promise<void> {
  expect(await seriousFaults(manager)).toEqual([]);
}

function connectionsIn(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const outcome = await window.manager.operate({
      operation: "listSyncAccounts",
    });
    return outcome.isDone ? (outcome.answer as unknown[]).length : -1;
  });
}
