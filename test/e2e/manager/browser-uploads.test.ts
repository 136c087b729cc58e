// Uploads from a browser: a real Chromium, a real player that ends and starts again, a network that is cut, and a page that is reloaded.

import { randomFillSync } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright";
import { PNG } from "pngjs";
import { beforeAll, describe, expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { temporaryFolder, untilAllHaveRun } from "../../support/folder.ts";
import { isLong } from "../../support/long-form.ts";
import { openHeldPath, type HeldPath } from "../../support/http/held-path.ts";
import { dropFiles } from "../../support/manager/manager-page.ts";
import { png } from "../../support/media/media.ts";
import { servePlayer } from "../../support/player/serve-player.ts";

const mebibyte = 1024 * 1024;
const size = { width: 2400, height: 3500 };
/** Noise: 24 MiB that no compression makes smaller. */
const photo = noise();

const photoCount = isLong ? 500 : 60;
/** The others are in a folder of their own. */
const outerCount = 0.8 * photoCount;
/** Five hundred files on a machine that does much else. */
const slowMs = 240_000;

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

function noise(): Buffer {
  const image = new PNG({ ...size, colorType: 2 });
  randomFillSync(image.data);
  return PNG.sync.write(image, { colorType: 2, deflateLevel: 0 });
}

/** By its path: its bytes need not pass through the test. */
async function fileOf(bytes: Buffer, name = "Lobby.png"): Promise<string> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, bytes);
  return file;
}

const choose = async (page: Page) =>
  page
    .locator("input[type=file]")
    .first()
    .setInputFiles(await fileOf(photo));

const assetsOf = async (address: string) =>
  (await (await fetch(`${address}/api/v2/assets`)).json()) as AssetV2[];

const asideOf = (dataDir: string) =>
  readdir(path.join(dataDir, "files", "aside"));

/** What is held is not sent any more. */
async function reload(page: Page, network: HeldPath): Promise<void> {
  network.cut();
  const reloaded = page.reload();
  network.release();
  await reloaded;
}

describe("an upload from a browser", () => {
  it("[V2-804] continues where it stopped when the player restarts, and when the page is reloaded", async () => {
    const dataDir = await temporaryFolder();
    const first = await servePlayer(dataDir);
    const network = await openHeldPath(first.address);
    const page = await browser.open(`${network.address}/#/library`);
    await page.locator("#page-title").waitFor();
    const before = network.sentBytes();
    network.holdAfter(20 * mebibyte);
    await choose(page);
    await expect.poll(network.isHeld).toBe(true);
    first.process.kill("SIGKILL");
    network.lead(null);
    network.cut();
    await page.getByText("continues automatically").waitFor();
    const second = await servePlayer(dataDir);
    network.lead(second.address);
    network.release();
    network.holdAfter(2 * mebibyte);
    await expect.poll(network.isHeld).toBe(true);
    await reload(page, network);
    await page.locator("main").getByText("Lobby").first().waitFor();
    await page.getByText("Added “Lobby”").waitFor();
    // A second upload from its beginning would be 44 MiB at least.
    expect(network.sentBytes() - before).toBeLessThan(41 * mebibyte);
    expect(await assetsOf(second.address)).toMatchObject([
      { name: "Lobby", stored: { file: { size: photo.length } } },
    ]);
    expect(await asideOf(dataDir)).toEqual([]);
    expect(await page.locator(".jobs-tray").count()).toBe(0);
  });

  it("[V2-814] into a playlist is in it once, though the response is lost and the page is reloaded", async () => {
    const { address } = await servePlayer(await temporaryFolder());
    const made = await fetch(`${address}/api/v2/playlists`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Lunch" }),
    });
    const { playlist_id: id } = (await made.json()) as PlaylistV2;
    const itemsOf = async () =>
      (
        (await (
          await fetch(`${address}/api/v2/playlists/${id}`)
        ).json()) as PlaylistV2
      ).items;
    const page = await browser.open(`${address}/#/playlists/${id}`);
    // Before the playlist is open, what is dropped goes into the library.
    await page.getByRole("tab", { name: "Schedule" }).waitFor();
    let appended = 0;
    const items = "**/api/v2/playlists/*/items";
    // The first is not carried out; of the next ones, only the responses are lost.
    await page.route(items, async (route) => {
      appended += 1;
      if (appended > 1) await route.fetch();
      await route.abort();
    });
    await dropFiles(page, [await fileOf(png([1, 2, 3], 8, 8))]);
    await expect.poll(() => appended).toBeGreaterThan(2);
    // A request that is on its way is still answered by the handler.
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await page.getByText("Added “Lobby”").waitFor();
    await expect.poll(() => storedFiles(page, "batches")).toBe(0);
    const [asset] = await assetsOf(address);
    expect(await itemsOf()).toMatchObject([{ asset_id: asset?.asset_id }]);
  });

  it("[V2-813] at which the player fails is rejected with the reason, and continues when it is tried again; one that is of no use leaves nothing there", async () => {
    const dataDir = await temporaryFolder();
    const { address } = await servePlayer(dataDir);
    const page = await browser.open(`${address}/#/library`);
    await page.locator("#page-title").waitFor();
    const pieces = "**/api/v2/file_asset";
    let sent = 0;
    const failWith = (status: number, detail: string) =>
      page.route(pieces, async (route) => {
        sent += 1;
        if (sent > 1) await route.fulfill({ status, json: { detail } });
        else await route.continue();
      });
    await failWith(500, "Internal error.");
    await choose(page);
    await page.getByText("Internal error.", { exact: true }).waitFor();
    expect(sent).toBe(5);
    expect(await asideOf(dataDir)).not.toEqual([]);
    await page.unroute(pieces);
    await page.getByRole("button", { name: /^Try again/ }).click();
    await page.getByText("Added “Lobby”").waitFor();
    sent = 0;
    await failWith(413, "The file is too large.");
    await choose(page);
    await page.getByText("The file is too large.").waitFor();
    await expect.poll(() => asideOf(dataDir)).toEqual([]);
  });

  it("[V2-804] is paused and cancelled at once while a request hangs", async () => {
    const { address } = await servePlayer(await temporaryFolder());
    const page = await browser.open(`${address}/#/library`);
    await page.locator("#page-title").waitFor();
    let begun = 0;
    let isHanging = true;
    await page.route("**/api/v2/file_asset/*", async (route) => {
      const isBegin = route.request().method() === "PUT";
      if (isBegin) begun += 1;
      // No response, ever.
      if (!isBegin || !isHanging) await route.continue();
    });
    await choose(page);
    await expect.poll(() => begun).toBe(1);
    await page.getByRole("button", { name: "Pause uploads" }).click();
    await page.getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Resume uploads" }).click();
    await expect.poll(() => begun).toBe(2);
    await page.getByRole("button", { name: "Pause uploads" }).click();
    isHanging = false;
    await page.getByRole("button", { name: "Resume uploads" }).click();
    await page.getByText("Added “Lobby”").waitFor();
    isHanging = true;
    await choose(page);
    await expect.poll(() => begun).toBe(4);
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await expect.poll(() => page.locator(".jobs-tray").count()).toBe(0);
    expect(await assetsOf(address)).toHaveLength(1);
  });

  it("[V2-805] asks for a file that the browser has lost, recognizes it, and leaves nothing behind when it is cancelled", async () => {
    const dataDir = await temporaryFolder();
    const player = await servePlayer(dataDir);
    const network = await openHeldPath(player.address);
    const page = await browser.open(`${network.address}/#/library`);
    await page.locator("#page-title").waitFor();
    network.holdAfter(6 * mebibyte);
    await choose(page);
    await expect.poll(network.isHeld).toBe(true);
    await page.getByRole("button", { name: "Pause uploads" }).click();
    await page.getByText("Paused").waitFor();
    await expect.poll(() => storedFiles(page)).toBe(1);
    await loseFiles(page);
    await reload(page, network);
    await page.getByText("Choose 1 file again").waitFor();
    const again = page.locator(".jobs-tray input[type=file]");
    const other = Buffer.from(photo);
    other.fill(0, 8 * mebibyte, 9 * mebibyte);
    for (const buffer of [other, photo]) {
      const before = network.sentBytes();
      network.holdAfter(2 * mebibyte);
      await again.setInputFiles(await fileOf(buffer, "photo.png"));
      if (buffer === other)
        await page.getByText("1 file you chose isn’t among them").waitFor();
      else await expect.poll(network.isHeld).toBe(true);
      if (buffer === other)
        expect(network.sentBytes() - before).toBeLessThan(mebibyte);
    }
    await page.getByRole("button", { name: "Cancel upload" }).click();
    network.release();
    await expect.poll(() => asideOf(dataDir)).toEqual([]);
    expect(await assetsOf(player.address)).toEqual([]);
    await expect.poll(() => storedFiles(page)).toBe(0);
  });

  it(
    `[V2-806] of a folder with ${photoCount} photos is one drop: in order, without duplicates, with one summary and one undo`,
    { timeout: 2 * slowMs },
    async () => {
      const { address } = await servePlayer(await temporaryFolder());
      const folder = path.join(await temporaryFolder(), "Menus");
      await mkdir(path.join(folder, "Lunch"), { recursive: true });
      for (let number = 1; number <= photoCount; number += 1)
        await writeFile(
          path.join(
            folder,
            number > outerCount ? "Lunch" : "",
            `${number}.png`,
          ),
          png([number % 250, number % 249, 7], 4, 4),
        );
      await writeFile(path.join(folder, "copy.png"), png([1, 1, 7], 4, 4));
      await writeFile(path.join(folder, ".DS_Store"), "system");
      for (const name of ["a.txt", "b.txt", "c.txt"])
        await writeFile(path.join(folder, name), `no media ${name}`);
      const page = await browser.open(`${address}/#/settings/manager`);
      await page.locator("#page-title").waitFor();
      await dropFiles(page, [folder]);
      const summary = page.getByText(
        `Added ${photoCount} files; 1 duplicate skipped`,
      );
      await expect
        .poll(async () => (await assetsOf(address)).length, { timeout: slowMs })
        .toBe(photoCount);
      await expect.poll(() => summary.count()).toBe(1);
      const tray = page.locator(".jobs-tray");
      await tray.getByText("Couldn’t add 3 files.").waitFor();
      expect(await tray.getByRole("listitem").count()).toBe(1);
      await tray.getByText("isn’t an image, video").waitFor();
      const assets = await assetsOf(address);
      const names = assets
        .toSorted(
          (one, other) => Number(one.play_order) - Number(other.play_order),
        )
        .map(({ name, folder: at }) => `${at}/${name}`);
      expect(names).toEqual(
        Array.from({ length: photoCount }, (_, place) => place + 1).map(
          (number) =>
            number > outerCount ? `Menus/Lunch/${number}` : `Menus/${number}`,
        ),
      );
      await page.getByRole("button", { name: /^Undo/ }).first().click();
      await expect.poll(async () => (await assetsOf(address)).length).toBe(0);
    },
  );
});

/** How many files the page has stored for a reload. */
function storedFiles(page: Page, store = "files"): Promise<number> {
  return page.evaluate(
    (name) =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open("vitrine-uploads");
        request.onerror = () => reject(new Error("not opened"));
        request.onsuccess = () => {
          const files = request.result.transaction(name).objectStore(name);
          const count = files.count();
          count.onsuccess = () => {
            request.result.close();
            resolve(count.result);
          };
        };
      }),
    store,
  );
}

/** As a browser does that needs the space. */
function loseFiles(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open("vitrine-uploads");
        request.onerror = () => reject(new Error("not opened"));
        request.onsuccess = () => {
          const change = request.result.transaction("files", "readwrite");
          change.objectStore("files").clear();
          change.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
  );
}
