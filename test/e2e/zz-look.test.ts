// The manager at the content service's own address: a real Chromium opens it at a real service, as people with different roles.

import { fileURLToPath } from "node:url";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { openBrowser, type Browser } from "../support/browser/browser.ts";
import { registerPlayer } from "../support/content/linked-player.ts";
import { reportOf } from "../support/content/screen-reports.ts";
import {
  clientAt,
  startContent,
  type StartedContent,
} from "../support/content/start-content.ts";
import { createLog } from "../../server/platform/log.ts";
import { temporaryFolder, untilAllHaveRun } from "../support/folder.ts";
import { seriousFaultsInBrowser } from "../support/manager/axe.ts";
import { png } from "../support/media/media.ts";

const managerDir = fileURLToPath(
  new URL("../../dist/renderer/service", import.meta.url),
);
const password = "correct horse battery";

let browser: Browser;
let persons = 0;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

async function openService(): Promise<StartedContent> {
  return startContent(await temporaryFolder(), { managerDir });
}

/** With cookies of their own. */
async function openPage(
  address: string,
  width?: number,
  height?: number,
): Promise<Page> {
  const person = `person-${(persons += 1)}`;
  const page = await browser.open(address, width, height, person);
  afterThisTest(() => page.close());
  return page;
}

/** What a page did that it must not do. */
function watchFaults(page: Page, address: string): readonly string[] {
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => {
    // A rejected request of the page itself is in the console too.
    if (message.type() === "error" && !message.text().includes("status of"))
      faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !url.startsWith(address))
      faults.push(url);
  });
  return faults;
}

async function linkFor(
  service: StartedContent,
  email: string | null,
  role: "viewer" | "editor" | "operator" | "admin" = "admin",
  labels: readonly string[] | null = null,
): Promise<string> {
  const team = await service.keys.teamNamed("Vitrine");
  const { secret } = await service.people.invite(team, { email, role, labels });
  return `${service.address}/#invitation=${secret}`;
}

/** By a new invitation. */
async function signedInPage(
  service: StartedContent,
  email: string,
  ...access: readonly [
    role?: "viewer" | "editor" | "operator" | "admin",
    labels?: readonly string[],
  ]
): Promise<Page> {
  const page = await openPage(await linkFor(service, email, ...access));
  await page.getByLabel("Name").fill(email.split("@")[0] ?? "");
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.locator(".shell").waitFor();
  return page;
}

async function signIn(page: Page, email: string, secret = password) {
  await page.getByLabel("E-mail address").fill(email);
  await page.locator("input[type=password]").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

function pagesOf(page: Page): Promise<readonly string[]> {
  return page
    .locator(".rail-link")
    .evaluateAll((links) => links.map((link) => link.textContent.trim()));
}

/** Reports that it shows “Menu”, with a screenshot. */
async function pairedScreen(
  service: StartedContent,
  name: string,
  labels: readonly string[] = [],
) {
  const player = await registerPlayer(service.address);
  const [{ id } = { id: "" }] = [
    await post(service, "/screens/", { pin: player.pin, name }),
  ];
  if (labels.length > 0)
    await service.request(`/api/v3/screens/${id}/`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ groups: labels.map((label) => ({ id: label })) }),
    });
  await player.beat({ report: reportOf() });
  return { player, id };
}

async function post(
  service: StartedContent,
  to: string,
  body: unknown,
): Promise<{ readonly id: string }> {
  const answer = await service.request(`/api/v3${to}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text) as { readonly id: string };
}


describe("look", () => {
  it.each([["light", 1360], ["dark", 1360], ["light", 360], ["dark", 360]] as const)("%s %i", async (theme, width) => {
    const service = await openService();
    const { id: label } = await post(service, "/groups/", { name: "North" });
    await pairedScreen(service, "Station", [label]);
    await pairedScreen(service, "Harbour");
    const shot = async (page: Page, name: string) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.waitForTimeout(700);
      await page.screenshot({ path: `/tmp/look/${theme}-${width}-${name}.png` });
    };
    const page = await openPage(await linkFor(service, null), width, 800);
    await page.getByLabel("E-mail address").fill("ada@example.org");
    await page.getByLabel("Name").fill("Ada Lovelace");
    await shot(page, "invitation");
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator(".screen-list").getByText("Harbour").waitFor();
    await shot(page, "screens");
    await page.locator(".screen-list").getByText("Harbour").click();
    await shot(page, "details");
    await linkFor(service, "bob@example.org", "operator", ["North"]);
    const team = await service.keys.teamNamed("Vitrine");
    await service.people.invite(team, { email: "carla@example.org", role: "operator", labels: ["North"] });
    await page.evaluate(() => (location.hash = "#/team"));
    await page.getByText("carla").waitFor();
    await shot(page, "team");
    await page.getByRole("button", { name: "Invite someone" }).click();
    await page.getByLabel("E-mail address").fill("zoe@example.org");
    await shot(page, "invite");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await shot(page, "link");
    await page.locator(".page-body").evaluate((e) => e.scrollTo(0, 5000));
    await shot(page, "keys");
    await page.evaluate(() => (location.hash = "#/account"));
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Current password").last().fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code" }).waitFor();
    await shot(page, "account");
    await page.getByRole("button", { name: /^Account of/ }).click();
    await shot(page, "menu");
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("E-mail address").waitFor();
    await signIn(page, "ada@example.org", "wrong password");
    await page.getByText("Wrong e-mail address").waitFor();
    await shot(page, "signin");
    const viewer = await signedInPage(service, "vera@example.org", "viewer");
    await viewer.setViewportSize({ width, height: 800 }).catch(() => undefined);
    await viewer.locator(".screen-list").getByText("Harbour").click();
    await shot(viewer, "viewer");
  });
});
