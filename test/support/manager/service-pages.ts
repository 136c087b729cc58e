// Pages of the manager at a content service's own address, opened by people with different roles.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { expect } from "vitest";
import { afterThisTest } from "../after-this-test.ts";
import type { Browser } from "../browser/browser.ts";
import type { ContentOptions } from "../../../server/content/content.ts";
import { startContent, type StartedContent } from "../content/start-content.ts";
import { temporaryFolder, type AtEnd } from "../folder.ts";
import { png } from "../media/media.ts";
import { seriousFaultsInBrowser } from "./axe.ts";

export const managerDir = fileURLToPath(
  new URL("../../../dist/renderer/service", import.meta.url),
);
export const password = "correct horse battery";

type Access = readonly [
  role?: "viewer" | "editor" | "operator" | "admin",
  labels?: readonly string[] | null,
];

let persons = 0;

/** For one test, unless `atEnd` says when it ends. */
export async function openService(
  atEnd?: AtEnd,
  options: Partial<ContentOptions> = {},
): Promise<StartedContent> {
  const dir = await temporaryFolder(atEnd);
  const service = await startContent(dir, { managerDir, ...options });
  atEnd?.(service.stop);
  return service;
}

/** With cookies of their own. */
export async function openPage(
  browser: Browser,
  address: string,
  width?: number,
  height?: number,
): Promise<Page> {
  const person = `person-${(persons += 1)}`;
  const page = await browser.open(address, width, height, person);
  afterThisTest(() => page.close());
  return page;
}

/** Another tab of the person whose page was opened last, with the same cookies. */
export async function openTab(
  browser: Browser,
  address: string,
): Promise<Page> {
  const person = `person-${persons}`;
  const tab = await browser.open(address, undefined, undefined, person);
  afterThisTest(() => tab.close());
  return tab;
}

export async function linkFor(
  service: StartedContent,
  email: string | null,
  ...[role = "admin", labels = null]: Access
): Promise<string> {
  const team = await service.keys.teamNamed("Vitrine");
  const { secret } = await service.people.invite(team, { email, role, labels });
  return `${service.address}/#invitation=${secret}`;
}

/** By a new invitation. */
export async function signedInPage(
  browser: Browser,
  service: StartedContent,
  email: string,
  ...access: Access
): Promise<Page> {
  const link = await linkFor(service, email, ...access);
  const page = await openPage(browser, link);
  await page.getByLabel("Name").fill(email.split("@")[0] ?? "");
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.locator(".shell").waitFor();
  return page;
}

/** By the key of the service; returns the JSON of the response. */
export async function send(
  service: StartedContent,
  method: string,
  to: string,
  body?: unknown,
): Promise<any> {
  const answer = await service.request(`/api/v3${to}`, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return text === "" ? null : JSON.parse(text);
}

/** Uploads images of these names; returns their identifiers by name. */
export async function addImages(
  service: StartedContent,
  ...names: readonly string[]
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const form = new FormData();
    const bytes = png([200, 40 + at * 60, 20], 64, 36);
    form.append("file", new File([new Uint8Array(bytes)], `${name}.png`));
    form.append("title", name);
    const answer = await service.request("/api/v3/assets/upload/", {
      ...{ method: "POST", body: form },
    });
    const text = await answer.text();
    expect(answer.status, text).toBe(201);
    ids[name] = (JSON.parse(text) as { readonly id: string }).id;
  }
  return ids;
}

/** Controls that are cut off at the side. */
function widerThanPage(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("a, button, input, [role]")]
      .filter((element) => {
        const { width, right } = element.getBoundingClientRect();
        return width > 1 && right > window.innerWidth + 1;
      })
      .map((element) => `${element.tagName} ${element.className}`),
  );
}

/** No serious accessibility violation, and no control that is cut off at the side. */
export async function checkPage(browser: Browser, page: Page): Promise<void> {
  expect(await seriousFaultsInBrowser(browser, page)).toEqual([]);
  // A notification slides in from the side.
  await expect.poll(() => widerThanPage(page)).toEqual([]);
}
