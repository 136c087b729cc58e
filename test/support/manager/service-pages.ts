// Pages of the manager at a content service's own address, opened by people with different roles.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { expect } from "vitest";
import { afterThisTest } from "../after-this-test.ts";
import type { Browser } from "../browser/browser.ts";
import { startContent, type StartedContent } from "../content/start-content.ts";
import { temporaryFolder } from "../folder.ts";
import { png } from "../media/media.ts";
import { seriousFaultsInBrowser } from "./axe.ts";

const managerDir = fileURLToPath(
  new URL("../../../dist/renderer/service", import.meta.url),
);
const password = "correct horse battery";

type RoleOfPerson = "viewer" | "editor" | "operator" | "admin";

let persons = 0;

export async function openService(): Promise<StartedContent> {
  return startContent(await temporaryFolder(), { managerDir });
}

/** By a new invitation, with cookies of their own. */
export async function signedInPage(
  browser: Browser,
  service: StartedContent,
  role: RoleOfPerson,
  labels: readonly string[] | null = null,
): Promise<Page> {
  const person = `playlists-${(persons += 1)}`;
  const email = `${person}@example.org`;
  const team = await service.keys.teamNamed("Vitrine");
  const { secret } = await service.people.invite(team, { email, role, labels });
  const address = `${service.address}/#invitation=${secret}`;
  const page = await browser.open(address, undefined, undefined, person);
  afterThisTest(() => page.close());
  await page.getByLabel("Name").fill(person);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.locator(".shell").waitFor();
  return page;
}

/** What a page did that it must not do. */
export function watchFaults(page: Page, address: string): readonly string[] {
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

/** No serious accessibility violation, and no control that is cut off at the side. */
export async function checkPage(browser: Browser, page: Page): Promise<void> {
  expect(await seriousFaultsInBrowser(browser, page)).toEqual([]);
  const wider = await page.evaluate(() =>
    [...document.querySelectorAll("a, button, input, [role]")]
      .filter((element) => {
        const { width, right } = element.getBoundingClientRect();
        return width > 1 && right > window.innerWidth + 1;
      })
      .map((element) => `${element.tagName} ${element.className}`),
  );
  expect(wider).toEqual([]);
}
