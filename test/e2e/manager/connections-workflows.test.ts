// Workflows of a connection in the real app: restoring an earlier state, resolving a conflict; steps counted by mouse and keyboard.

import type { Locator } from "playwright";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { seriousFaults } from "../../support/manager/axe.ts";
import { counted, goTo, tabTo } from "../../support/manager/manager-page.ts";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import {
  temporaryFolder,
  untilAllHaveRun,
  type AtEnd,
} from "../../support/folder.ts";
import { png } from "../../support/media/media.ts";
import {
  contentKey,
  startContent,
} from "../../support/content/start-content.ts";
import type {
  Row,
  StartedContent,
} from "../../support/content/start-content.ts";

let manager: ManagerApp;
let service: StartedContent;

/** A service with two images in a playlist: the first was applied before the second was added, and both are on this player. */
beforeAll(() => untilAllHaveRun(prepare));

async function prepare(atEnd: AtEnd): Promise<void> {
  const dir = await temporaryFolder(atEnd);
  [manager, service] = await Promise.all([openManager(), startFilled(dir)]);
  atEnd(service.stop);
  atEnd(() => manager.screen.close());
  atEnd(() => manager.close());
  const { title, ...shop } = await shopOf(["Spring"]);
  await send("POST", "/api/v3/playlists/", { ...shop, title });
  await toPlayer("POST", "/sync/accounts", {
    ...{ base_url: service.address, token: contentKey },
    ...{ mode: "now", poll_seconds: 3600 },
  });
  await here("Spring");
  const [{ id } = { id: "" }] = await playlistsThere();
  await send(
    "PATCH",
    `/api/v3/playlists/${id}/`,
    await shopOf(["Spring", "Summer"]),
  );
  await toPlayer("POST", "/sync/run");
  await here("Spring", "Summer");
  await goTo(manager.page, "#/connections");
  await manager.page.getByRole("button", { name: /^Sync now/ }).waitFor();
}

const pollOptions = { interval: 20 };

async function startFilled(dir: string): Promise<StartedContent> {
  const started = await startContent(dir);
  const images = {
    Spring: png([9, 160, 60]),
    Summer: png([220, 160, 9]),
  };
  for (const [title, bytes] of Object.entries(images))
    await started.upload(bytes, { title });
  const finished = "/v4/assets?status=eq.finished";
  await vi.waitUntil(
    async () => (await started.rows(finished)).length === 2,
    pollOptions,
  );
  return started;
}

async function shopOf(names: readonly string[]) {
  const assets = [];
  for (const name of names) {
    const [asset] = await service.rows(`/v4/assets?title=eq.${name}`);
    assets.push({ id: asset?.id, duration: 10 });
  }
  return {
    ...{ title: "Shop", predicate: "TRUE", is_enabled: true, assets },
    groups: [{ id: "all-screens" }],
  };
}

async function send(method: string, at: string, body: unknown): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const options = { method, headers, body: JSON.stringify(body) };
  const answer = await service.request(at, options);
  expect([answer.ok, await answer.text()]).toEqual([true, expect.anything()]);
}

async function playlistsThere(): Promise<readonly Row[]> {
  const answer = await service.request("/api/v3/playlists/");
  return (await answer.json()) as Row[];
}

async function titleThere(): Promise<unknown> {
  const [only] = await playlistsThere();
  return only?.["title"];
}

async function rename(title: string): Promise<void> {
  const [{ id } = { id: "" }] = await playlistsThere();
  await send("PATCH", `/api/v3/playlists/${id}/`, { title });
}

async function toPlayer(
  method: string,
  at: string,
  body: object = {},
): Promise<void> {
  const answer = await fetch(`${manager.api}/api/v2${at}`, {
    ...{ method, body: JSON.stringify(body) },
    headers: { "Content-Type": "application/json" },
  });
  expect([answer.ok, await answer.text()]).toEqual([true, expect.anything()]);
}

/** Waits until the player has exactly these assets. */
async function here(...names: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const answer = await fetch(`${manager.api}/api/v2/assets`);
    const all = (await answer.json()) as { name: string }[];
    expect(all.map(({ name }) => name).sort()).toEqual(names);
  }, pollOptions);
}

/** A label change that waits for a decision: it was based on a name that the content service never had. */
async function clash(name: string): Promise<void> {
  const connections = await fetch(`${manager.api}/api/v2/sync/accounts`);
  const [connection] = (await connections.json()) as { account_id: string }[];
  const [{ id } = { id: "" }] = await service.add("/v4/labels", { name });
  await toPlayer("POST", `/sync/accounts/${connection?.account_id}/changes`, {
    ...{ collection: "labels", action: "change", id },
    ...{ fields: { name: `${name} here` }, base: { name: "another" } },
  });
}

describe("restoring an earlier state of a connection", () => {
  it("takes two steps by mouse: open the history, restore; one more undoes that", async () => {
    const { page } = manager;
    const job = counted();
    await job.step(() => page.getByText("History", { exact: true }).click());
    await job.step(() =>
      page.getByRole("button", { name: /^Restore this version/ }).click(),
    );
    expect(job.steps).toBe(2);
    // A notice stays while the pointer is over it.
    await page.getByText(/^Restored the previous version/).hover();
    await here("Spring");
    // The state before the restore is pending, and is listed as the changes.
    const plan = page.getByRole("region", { name: "Changes", exact: true });
    await plan.getByText("Summer").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await here("Spring", "Summer");
    await plan.waitFor({ state: "detached" });
  });

  it("takes two steps by keyboard alone, and one key undoes that", async () => {
    const { page } = manager;
    const { keyboard } = page;
    await goTo(page, "#/activity");
    await keyboard.press("Control+6");
    await page.getByRole("button", { name: /^Sync now/ }).waitFor();
    const job = counted();
    await tabTo(page, /^History$/);
    await job.step(() => keyboard.press("Enter"));
    await tabTo(page, /^Restore this version/);
    await job.step(() => keyboard.press("Enter"));
    expect(job.steps).toBe(2);
    await here("Spring");
    await keyboard.press("Control+z");
    await here("Spring", "Summer");
  });
});

describe("a pending change in conflict with a change made elsewhere", () => {
  const edited = () => manager.page.getByText(/^Edit in the content service/);
  const queue = () =>
    manager.page.getByRole("region", { name: "Pending changes" });

  it("is shown with its conflict, and resolved in one step by mouse: theirs stays", async () => {
    const { page } = manager;
    await edited().click();
    await page.getByRole("button", { name: /^Rename .*Shop/ }).click();
    await rename("Market");
    const field = page.getByRole("textbox", { name: /^New name for/ });
    await field.fill("Store");
    await page.getByRole("button", { name: "Save" }).click();
    await queue().getByText("Conflict: also changed elsewhere").waitFor();
    await queue().getByText("Changed in both places: title").waitFor();
    // The reason names the conflicting fields, so they are not listed a second time.
    expect(await queue().innerText()).not.toContain("meanwhile");
    expect(await titleThere()).toBe("Market");
    // Reopening the page shows it without a click, and no status here is only "in sync".
    await edited().getByText("1 change needs review").waitFor();
    await goTo(page, "#/now");
    await page.getByText("1 change needs review").waitFor();
    await goTo(page, "#/connections");
    await queue().waitFor();
    const collected: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      collected.push(...(await seriousFaults(manager)));
    }
    expect(collected).toEqual([]);
    const job = counted();
    await job.step(() =>
      queue()
        .getByRole("button", { name: /^Use theirs for/ })
        .click(),
    );
    expect(job.steps).toBe(1);
    await queue().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Rename .*Market/ }).waitFor();
    expect(await titleThere()).toBe("Market");
  });

  it("is resolved in one step by keyboard alone: mine overwrites it", async () => {
    const { page } = manager;
    const { keyboard } = page;
    await page.locator("#page-title").focus();
    await tabTo(page, /^Rename .*Market/);
    await keyboard.press("Enter");
    await page.locator("input:focus").waitFor();
    await rename("Bazaar");
    await keyboard.press("Control+a");
    await keyboard.type("Store");
    await keyboard.press("Enter");
    await queue().getByText("Conflict: also changed elsewhere").waitFor();
    const job = counted();
    await tabTo(page, /^Keep my version of/);
    await job.step(() => keyboard.press("Enter"));
    expect(job.steps).toBe(1);
    await expect.poll(titleThere, pollOptions).toBe("Store");
    await queue().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Rename .*Store/ }).waitFor();
  });
});

describe("the editing section of a connection, collapsed by hand", () => {
  it("stays collapsed at a pending conflict, and opens by itself at a new one, without taking the focus", async () => {
    const { page } = manager;
    const queue = page.getByRole("region", { name: "Pending changes" });
    const summary = page.getByText(/^Edit in the content service/);
    await clash("Tea");
    await queue.waitFor();
    // Collapsed only once the pending change is known, as it would expand for that.
    await page.getByText("1 change needs review").waitFor();
    await summary.click();
    await queue.waitFor({ state: "detached" });
    await page.getByText("1 change needs review").waitFor();
    expect(await queue.count()).toBe(0);
    await clash("Cake");
    await page.getByText("2 changes need review").waitFor();
    await queue.getByText(/Cake/).waitFor();
    await expect(
      summary.evaluate((one) => one === document.activeElement),
    ).resolves.toBe(true);
    for (const name of ["Tea", "Cake"]) {
      const theirs = { name: new RegExp(`^Use theirs for .*${name}`) };
      await queue.getByRole("button", theirs).click();
    }
    await queue.waitFor({ state: "detached" });
  });
});

describe("the rows of a content service, by kind", () => {
  it("are only shown under their own kind, also while the next kind is loading", async () => {
    const { page } = manager;
    const list = (name: string) => page.getByRole("list", { name });
    await list("Playlists").getByText("Store").waitFor();
    await page.evaluate(() => {
      const checkAssets = (): void => {
        const assets = document.querySelector(
          '.service-rows[aria-label="Assets"]',
        );
        if (!assets?.textContent.includes("Store")) return;
        observer.disconnect();
        document.body.dataset["mixed"] = assets.textContent;
      };
      const observer = new MutationObserver(checkAssets);
      observer.observe(document.body, {
        ...{ subtree: true, childList: true, attributes: true },
      });
    });
    await page
      .locator(".service-collections")
      .getByText("Assets", { exact: true })
      .click();
    await list("Assets").getByText("Spring").waitFor();
    expect(
      await page.evaluate(() => document.body.dataset["mixed"]),
    ).toBeUndefined();
  });
});

describe("the rows of a content service, by keyboard alone", () => {
  const open = async (kind: string): Promise<Locator> => {
    const kinds = manager.page.locator(".service-collections");
    await kinds.getByText(kind, { exact: true }).click();
    return manager.page.getByRole("list", { name: kind });
  };
  const remove = async (list: Locator, name: string): Promise<void> => {
    const button = { name: new RegExp(`^Delete .*${name}`) };
    await list.getByRole("button", button).press("Enter");
    const question = manager.page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Delete" }).press("Enter");
    const row = list.getByText(name, { exact: true });
    await row.waitFor({ state: "detached" });
  };
  /** The focused element: its name, or its value if it has none. */
  const focused = () =>
    manager.page.evaluate(() => {
      const { activeElement: one } = document;
      return one instanceof HTMLInputElement
        ? one.value
        : (one?.getAttribute("aria-label") ?? one?.tagName);
    });

  it("move the focus to the row that replaces a deleted one, to the last row after the last, and to the kind once all are gone", async () => {
    for (const name of ["Autumn", "Brunch", "Coffee"])
      await service.add("/v4/labels", { name });
    const labels = await open("Labels");
    await remove(labels, "Autumn");
    await expect.poll(focused).toMatch(/^Rename .*Brunch/);
    await remove(labels, "Coffee");
    await expect.poll(focused).toMatch(/^Rename .*Brunch/);
    await remove(await open("Playlists"), "Store");
    await expect.poll(focused).toBe("playlists");
  });

  it("return the focus to the rename button, whether a new name was entered or not", async () => {
    const labels = await open("Labels");
    const field = manager.page.getByRole("textbox", { name: /^New name for/ });
    const rename = labels.getByRole("button", { name: /^Rename .*Brunch/ });
    await rename.press("Enter");
    await field.press("Escape");
    await expect.poll(focused).toMatch(/^Rename .*Brunch/);
    await rename.press("Enter");
    await field.fill("Lunch");
    await field.press("Enter");
    await labels.getByText("Lunch", { exact: true }).waitFor();
    await expect.poll(focused).toMatch(/^Rename .*Lunch/);
  });

  it("report a conflict when another client renamed the row while the new name was typed, even if the list was read again meanwhile", async () => {
    const { page } = manager;
    const labels = await open("Labels");
    await labels
      .getByRole("button", { name: /^Rename .*Lunch/ })
      .press("Enter");
    for (const [from, to] of [
      ["Lunch", "Dinner"],
      ["Tea", "Mint tea"],
    ] as const) {
      const [{ id } = { id: "" }] = await service.rows(
        `/v4/labels?name=eq.${from}`,
      );
      await send("PATCH", `/v4/labels?id=eq.${id}`, { name: to });
    }
    // Each change that becomes pending reloads the list.
    await clash("Juice");
    await labels.getByText("Mint tea", { exact: true }).waitFor();
    const field = page.getByRole("textbox", { name: /^New name for/ });
    await field.fill("Supper");
    await field.press("Enter");
    await page.getByText("2 changes need review").waitFor();
    const [{ name } = { name: "" }] = await service.rows(
      "/v4/labels?name=in.(Dinner,Supper)",
    );
    expect(name).toBe("Dinner");
    const queue = page.getByRole("region", { name: "Pending changes" });
    for (const mine of ["Supper", "Juice"]) {
      const theirs = { name: new RegExp(`^Use theirs for .*${mine}`) };
      await queue.getByRole("button", theirs).click();
    }
    await queue.waitFor({ state: "detached" });
  });
});

describe("a switch of an unreachable content service", () => {
  it("keeps its new state while the change is queued, and reverts when pressed again", async () => {
    const { page } = manager;
    const shop = await shopOf(["Spring"]);
    await send("POST", "/api/v3/playlists/", { ...shop, title: "Night" });
    const kinds = page.locator(".service-collections");
    for (const kind of ["Labels", "Playlists"])
      await kinds.getByText(kind, { exact: true }).click();
    const rows = page.getByRole("list", { name: "Playlists" });
    const enable = rows.getByRole("switch", { name: /Night/ });
    await enable.focus();
    await service.stop();
    await page.keyboard.press("Space");
    await page.getByText(/Night.* disabled/).waitFor();
    await page
      .getByText(/^Couldn’t load the list from the content service/)
      .waitFor();
    expect(await enable.isChecked()).toBe(false);
    await page.keyboard.press("Space");
    await page.getByText(/Night.* enabled/).waitFor();
    expect(await enable.isChecked()).toBe(true);
  });
});
