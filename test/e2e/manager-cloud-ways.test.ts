// The ways through a connected cloud in the real app: back to an earlier plan, and out of a conflict; by mouse and by keyboard alone, the steps counted.

import { beforeAll, describe, expect, it, vi } from "vitest";
import { seriousFaults } from "../support/axe.ts";
import { counted, goTo, tabTo } from "../support/desk-hand.ts";
import { openDesk, type Desk } from "../support/desk.ts";
import {
  temporaryFolder,
  untilAllHaveRun,
  type AtEnd,
} from "../support/folder.ts";
import { picture } from "../support/media.ts";
import { contentKey, startContent } from "../support/start-content.ts";
import type { Row, StartedContent } from "../support/start-content.ts";

let desk: Desk;
let service: StartedContent;

/** A cloud with two pictures in a playlist: the first was applied before the second came, and both are on this player. */
beforeAll(() => untilAllHaveRun(prepare), 60_000);

async function prepare(atEnd: AtEnd): Promise<void> {
  const dir = await temporaryFolder(atEnd);
  [desk, service] = await Promise.all([openDesk(), startFilled(dir)]);
  atEnd(service.stop);
  atEnd(() => desk.screen.close());
  atEnd(() => desk.close());
  const { title, ...shop } = await shopOf(["Spring"]);
  await tell("POST", "/api/v3/playlists/", { ...shop, title });
  await toPlayer("POST", "/sync/accounts", {
    ...{ base_url: service.address, token: contentKey },
    ...{ mode: "now", poll_seconds: 3600 },
  });
  await here("Spring");
  const [{ id } = { id: "" }] = await playlistsThere();
  await tell(
    "PATCH",
    `/api/v3/playlists/${id}/`,
    await shopOf(["Spring", "Summer"]),
  );
  await toPlayer("POST", "/sync/run");
  await here("Spring", "Summer");
  await goTo(desk.page, "#/cloud");
  await desk.page.getByRole("button", { name: /^Look now/ }).waitFor();
}

const patience = { timeout: 20_000, interval: 20 };

async function startFilled(dir: string): Promise<StartedContent> {
  const started = await startContent(dir);
  const pictures = {
    Spring: picture([9, 160, 60]),
    Summer: picture([220, 160, 9]),
  };
  for (const [title, bytes] of Object.entries(pictures))
    await started.upload(bytes, { title });
  const finished = "/v4/assets?status=eq.finished";
  await vi.waitUntil(
    async () => (await started.rows(finished)).length === 2,
    patience,
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

async function tell(method: string, at: string, body: unknown): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const wish = { method, headers, body: JSON.stringify(body) };
  const answer = await service.ask(at, wish);
  expect([answer.ok, await answer.text()]).toEqual([true, expect.anything()]);
}

async function playlistsThere(): Promise<readonly Row[]> {
  const answer = await service.ask("/api/v3/playlists/");
  return (await answer.json()) as Row[];
}

async function titleThere(): Promise<unknown> {
  const [only] = await playlistsThere();
  return only?.["title"];
}

async function rename(title: string): Promise<void> {
  const [{ id } = { id: "" }] = await playlistsThere();
  await tell("PATCH", `/api/v3/playlists/${id}/`, { title });
}

async function toPlayer(
  method: string,
  at: string,
  body: object = {},
): Promise<void> {
  const answer = await fetch(`${desk.api}/api/v2${at}`, {
    ...{ method, body: JSON.stringify(body) },
    headers: { "Content-Type": "application/json" },
  });
  expect([answer.ok, await answer.text()]).toEqual([true, expect.anything()]);
}

/** Once the player has these, and no others. */
async function here(...names: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const answer = await fetch(`${desk.api}/api/v2/assets`);
    const all = (await answer.json()) as { name: string }[];
    expect(all.map(({ name }) => name).sort()).toEqual(names);
  }, patience);
}

describe("back to an earlier plan of a cloud", () => {
  it("takes two steps by mouse: open what was kept, go back; one more takes that back", async () => {
    const { page } = desk;
    const job = counted();
    await job.step(() => page.getByText("Go back", { exact: true }).click());
    await job.step(() =>
      page.getByRole("button", { name: /^Go back to this/ }).click(),
    );
    expect(job.steps).toBe(2);
    await here("Spring");
    await page.getByText(/back to the plan before/).waitFor();
    // What it came from waits, and is told as what differs.
    const plan = page.getByRole("region", { name: "What differs" });
    await plan.getByText("Summer").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await here("Spring", "Summer");
    await plan.waitFor({ state: "detached" });
  });

  it("takes two steps by keyboard alone, and one key takes that back", async () => {
    const { page } = desk;
    const { keyboard } = page;
    await goTo(page, "#/activity");
    await keyboard.press("Control+5");
    await page.getByRole("button", { name: /^Look now/ }).waitFor();
    const job = counted();
    await tabTo(page, /^Go back$/);
    await job.step(() => keyboard.press("Enter"));
    await tabTo(page, /^Go back to this/);
    await job.step(() => keyboard.press("Enter"));
    expect(job.steps).toBe(2);
    await here("Spring");
    await keyboard.press("Control+z");
    await here("Spring", "Summer");
  });
});

describe("a change upwards that somebody else made too", () => {
  const queue = () => desk.page.getByRole("region", { name: "On their way" });

  it("is shown with what clashes, and settled in one step by mouse: theirs stays", async () => {
    const { page } = desk;
    await page.getByText("Edit in the cloud").click();
    await page.getByRole("button", { name: /^Rename .*Shop/ }).click();
    await rename("Market");
    const field = page.getByRole("textbox", { name: /^New name of/ });
    await field.fill("Store");
    await page.getByRole("button", { name: "Save" }).click();
    await queue().getByText("Somebody else changed it too").waitFor();
    await queue().getByText("Both changed: title").waitFor();
    expect(await titleThere()).toBe("Market");
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      found.push(...(await seriousFaults(desk)));
    }
    expect(found).toEqual([]);
    const job = counted();
    await job.step(() =>
      queue()
        .getByRole("button", { name: /^Keep theirs of/ })
        .click(),
    );
    expect(job.steps).toBe(1);
    await queue().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Rename .*Market/ }).waitFor();
    expect(await titleThere()).toBe("Market");
  });

  it("is settled in one step by keyboard alone: mine is written over it", async () => {
    const { page } = desk;
    const { keyboard } = page;
    await page.locator("#page-title").focus();
    await tabTo(page, /^Rename .*Market/);
    await keyboard.press("Enter");
    await rename("Bazaar");
    await keyboard.press("Control+a");
    await keyboard.type("Store");
    await keyboard.press("Enter");
    await queue().getByText("Somebody else changed it too").waitFor();
    const job = counted();
    await tabTo(page, /^Take mine of/);
    await job.step(() => keyboard.press("Enter"));
    expect(job.steps).toBe(1);
    await expect.poll(titleThere, patience).toBe("Store");
    await queue().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Rename .*Store/ }).waitFor();
  });
});
