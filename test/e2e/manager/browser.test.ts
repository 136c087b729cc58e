// The manager in a browser: a real Chromium opens it at the address of a real player, on loopback and over the network.

import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import type { NowV2 } from "../../../server/contract/v2/v2-screen.ts";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { watchFaults } from "../../support/browser/watch-faults.ts";
import { temporaryFolder, untilAllHaveRun } from "../../support/folder.ts";
import { fingerprintAt } from "../../support/http/certificate.ts";
import { goTo } from "../../support/manager/manager-page.ts";
import { png } from "../../support/media/media.ts";
import { makeToken } from "../../support/player/create-token.ts";
import { servePlayer } from "../../support/player/serve-player.ts";

const picture = {
  ...{ name: "Lobby.png", mimeType: "image/png" },
  buffer: png([10, 90, 10]),
};

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

describe("the manager in a browser", () => {
  it("[V2-770][V2-776][V2-778] opens at the player's address, adds an image that plays, and shows it on a second page at once", async () => {
    const { address } = await servePlayer(await temporaryFolder());
    const first = await browser.open(address);
    const faults = watchFaults(first, address);
    const second = await browser.open(`${address}/#/library`);
    await second.locator("#page-title").waitFor();
    const pages = await first.locator(".rail-link").allInnerTexts();
    expect(pages.map((name) => name.trim())).toEqual([
      ...["Now", "Library", "Playlists", "Schedule", "Connections"],
      ...["Activity", "Reports", "Settings", "Help"],
    ]);
    await goTo(first, "#/library");
    await first.locator("input[type=file]").first().setInputFiles(picture);
    for (const page of [first, second])
      await page.locator("main").getByText("Lobby").first().waitFor();
    // Drawn from the player's file.
    await first.locator("main .asset-thumbnail img").first().waitFor();
    const get = async <Answer>(path: string) =>
      (await (await fetch(`${address}/api/v2${path}`)).json()) as Answer;
    expect(await get<AssetV2[]>("/assets")).toMatchObject([
      { name: "Lobby", is_active: "true" },
    ]);
    await expect
      .poll(async () => (await get<NowV2>("/now")).showing?.name)
      .toBe("Lobby");
    for (const page of await first
      .locator(".rail-link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href"))))
      await goTo(first, page ?? "");
    // Its page is not there.
    await goTo(first, "#/screens");
    expect(await first.locator("#page-title").innerText()).toBe("Now");
    for (const section of ["access", "backup", "kiosk", "manager"])
      await goTo(first, `#/settings/${section}`);
    expect(await first.getByText("Something went wrong").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("[V2-772][V2-774] asks for a token over the network, stays signed in, and asks again when the token is revoked", async () => {
    const dataDir = await temporaryFolder();
    const token = makeToken(dataDir, "phone");
    const player = await servePlayer(dataDir, "--api-host", "0.0.0.0");
    const { port } = new URL(player.address);
    const address = `http://${networkAddress()}:${port}`;
    const page = await browser.open(address, 360, 740);
    const faults = watchFaults(page, address);
    const field = page.getByLabel("Access token").first();
    await field.fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Wrong password or token").waitFor();
    await field.fill(token);
    await field.press("Enter");
    await page.locator(".shell").waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.reload();
    await goTo(page, "#/library");
    // Over plain HTTP the page is no secure context.
    await page.locator("input[type=file]").first().setInputFiles(picture);
    await page.locator("main").getByText("Lobby").first().waitFor();
    await page.locator("main .asset-thumbnail img").first().waitFor();
    const other = makeTokenOver(address, token);
    const { id } = (await listTokens(address, token)).find(
      ({ name }) => name === "phone",
    ) ?? { id: "" };
    await fetch(`${address}/api/v2/tokens/${id}`, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${await other}` },
    });
    await page.evaluate(() => (location.hash = "#/activity"));
    await field.waitFor();
    // The session ended by itself: signing in leads back to where it was.
    await field.fill(await other);
    await field.press("Enter");
    await page.locator(".shell").waitFor();
    expect(new URL(page.url()).hash).toBe("#/activity");
    expect(faults).toEqual([]);
  });

  it("[V2-787][V2-789][V2-791] signs in by HTTPS with a generated certificate, and sends people to the screen for its fingerprint", async () => {
    const dataDir = await temporaryFolder();
    const token = makeToken(dataDir);
    const player = await servePlayer(
      ...[dataDir, "--api-host", "0.0.0.0", "--https-port", "0"],
    );
    const { port } = new URL(player.address);
    const address = `https://${networkAddress()}:${port}`;
    const certificate = path.join(dataDir, "tls", "certificate.pem");
    await browser.trust(await readFile(certificate, "utf8"));
    const page = await browser.open(`${address}/#/settings/access`, 360, 740);
    const faults = watchFaults(page, address);
    const field = page.getByLabel("Access token").first();
    await field.fill(token);
    await field.press("Enter");
    await page.locator(".shell").waitFor();
    await page.getByText("compare the fingerprint in your browser").waitFor();
    // A page that came by an unknown certificate proves nothing about it.
    const fingerprint = await fingerprintAt(address);
    expect(await page.getByText(fingerprint).count()).toBe(0);
    expect(await page.evaluate(() => window.isSecureContext)).toBe(true);
    const cookies = await page.context().cookies(address);
    // The browser has those of other ports as well.
    expect(
      cookies.find(({ name }) => name === `__Host-vitrine_session_${port}`),
    ).toMatchObject({ secure: true, httpOnly: true });
    const width = await page.evaluate(
      () => document.documentElement.scrollWidth,
    );
    expect(width).toBeLessThanOrEqual(360);
    expect(await webApp(page)).toEqual({
      ...{ name: "Vitrine", start_url: "/", display: "standalone" },
      icons: [192, 192, 512, 512],
      touchIcon: 180,
    });
    await goTo(page, "#/library");
    await page.locator("input[type=file]").first().setInputFiles(picture);
    await page.locator("main .asset-thumbnail img").first().waitFor();
    expect(faults).toEqual([]);
  });

  it("[V2-772][V2-781] shows the first token once more where the page that created it has to sign in with it; then sets a password and signs in with that", async () => {
    const { address } = await servePlayer(await temporaryFolder());
    await fetch(`${address}/api/v2/device_settings`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ api_token_required: true }),
    });
    const page = await browser.open(`${address}/#/settings/access`);
    await page.getByLabel("Token name").fill("Phone");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await page.locator("[data-secret]").innerText()).not.toBe("");
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator(".shell").waitFor();
    await page.getByLabel("New password").first().fill("words of the lobby");
    await page.getByRole("button", { name: "Set password" }).click();
    // It stays signed in itself.
    await page.getByText("Changing it signs out").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    const field = page.getByLabel("Password or access token").first();
    await field.fill("words of the lobby");
    await field.press("Enter");
    await page.locator(".shell").waitFor();
  });
});

/** What a system installs the page by: its manifest, with the declared and real width of each icon. */
function webApp(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const addressOf = (rel: string): string =>
      document.querySelector<HTMLLinkElement>(`link[rel="${rel}"]`)?.href ?? "";
    const widthOf = async (address: string): Promise<number> => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image.naturalWidth;
    };
    const from = addressOf("manifest");
    const answer = await fetch(from);
    const { name, start_url, display, icons } = (await answer.json()) as {
      readonly name: string;
      readonly start_url: string;
      readonly display: string;
      readonly icons: readonly {
        readonly src: string;
        readonly sizes: string;
      }[];
    };
    const widths = await Promise.all(
      icons.map(async ({ src, sizes }) => [
        parseInt(sizes, 10),
        await widthOf(new URL(src, from).href),
      ]),
    );
    const touchIcon = await widthOf(addressOf("apple-touch-icon"));
    return { name, start_url, display, icons: widths.flat(), touchIcon };
  });
}

/** Of this machine; loopback where it has no network. */
function networkAddress(): string {
  const found = Object.values(os.networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal);
  return found?.address ?? "127.0.0.1";
}

async function makeTokenOver(address: string, token: string): Promise<string> {
  const answer = await fetch(`${address}/api/v2/tokens`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ name: "other" }),
  });
  return ((await answer.json()) as { readonly token: string }).token;
}

async function listTokens(
  address: string,
  token: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const answer = await fetch(`${address}/api/v2/tokens`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (await answer.json()) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
}
