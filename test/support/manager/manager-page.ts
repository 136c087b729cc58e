// Simulates the operator in the manager: positions on a page, dragging, keyboard navigation, and counting steps.

import type { Locator, Page } from "playwright";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Once this page is drawn; the previous one has a title too. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        // The manager receives the event first, and draws at once.
        const isDrawn = (): void => void setTimeout(resolve);
        if (location.hash === to) isDrawn();
        else addEventListener("hashchange", isDrawn, { once: true });
        location.hash = to;
      }),
    hash,
  );
  await page.locator("#page-title").waitFor();
}

/** The part of the lane where times are drawn. */
export function trackOf(page: Page, name: string): Locator {
  return page
    .locator(".lane-row")
    .filter({ has: page.getByRole("link", { name, exact: true }) })
    .locator(".lane-track");
}

/** On the lane, at a day counted from Monday and an hour. */
export async function pointOn(
  track: Locator,
  day: number,
  hour: number,
): Promise<Point> {
  const box = await track.boundingBox();
  if (!box) throw new Error("The lane is out of sight.");
  const share = (day * 24 + hour) / 168;
  return { x: box.x + share * box.width, y: box.y + box.height / 2 };
}

export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  // A person releases what they see, so the drag is drawn first.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
  await page.mouse.up();
}

/** From the system's file manager into the window. */
export async function dropFiles(
  page: Page,
  files: readonly string[],
): Promise<void> {
  const box = { x: 500, y: 400 };
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...box, data });
  await session.detach();
}

export async function centreOf(place: Locator): Promise<Point> {
  const box = await place.boundingBox();
  if (!box) throw new Error("It is out of sight.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** With the Tab key alone, cycling until the focused element has this name. */
export async function tabTo(
  page: Page,
  name: RegExp,
  key = "Tab",
): Promise<void> {
  const isThere = () =>
    page.evaluate((pattern) => {
      const { activeElement: focused } = document;
      if (!focused) return false;
      const { labels } = focused as HTMLInputElement;
      const reported =
        focused.getAttribute("aria-label") ??
        labels?.[0]?.textContent ??
        focused.textContent;
      return new RegExp(pattern).test(reported.trim());
    }, name.source);
  const until = Date.now() + waitDeadlineMs;
  for (let presses = 0; presses < 80 || Date.now() < until; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Never came to ${String(name)}`);
}

/** The focused element by its label; "nothing" where that is the page as a whole. */
export function focusOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: at } = document;
    if (at === null || at === document.body) return "nothing";
    const { labels } = at as HTMLInputElement;
    return (
      at.getAttribute("aria-label") ??
      labels?.[0]?.textContent ??
      at.textContent
    );
  });
}

/** Uses the command bar by keyboard alone; presses Enter once the selected command has this name. */
export async function command(
  page: Page,
  words: string,
  found: RegExp,
): Promise<void> {
  await page.keyboard.press("Control+k");
  const bar = page.getByRole("dialog");
  await bar.locator("input:focus").waitFor();
  await page.keyboard.type(words);
  await bar.locator("[data-selected]").filter({ hasText: found }).waitFor();
  await page.keyboard.press("Enter");
}

/** The page's clock stands still meanwhile: a stall of this machine must not count as a pause of the operator. */
export async function withoutPause(
  page: Page,
  action: () => Promise<void>,
): Promise<void> {
  await page.evaluate(() => {
    const stands = Date.now();
    Object.assign(Date, { goes: Date.now, now: () => stands });
  });
  try {
    await action();
  } finally {
    await page.evaluate(() => {
      const { goes } = Date as unknown as { goes: typeof Date.now };
      Date.now = goes;
    });
  }
}

export interface Counted {
  readonly steps: number;
  readonly step: (action: () => Promise<unknown>) => Promise<void>;
}

/** Counts what a person does: one step for each click, drop, text or key. */
export function counted(): Counted {
  const count = {
    steps: 0,
    step: async (action: () => Promise<unknown>): Promise<void> => {
      count.steps += 1;
      await action();
    },
  };
  return count;
}

/** On the page Playlists: makes one with these assets of the library, in this order. */
export async function addPlaylist(
  page: Page,
  name: string,
  assets: readonly string[],
): Promise<void> {
  await page.getByRole("button", { name: "New playlist" }).click();
  const field = page.getByRole("textbox", { name: "Name" });
  await field.fill(name);
  await field.press("Enter");
  for (const asset of assets)
    await page
      .getByRole("button", { name: `Add “${asset}” to the end` })
      .click();
}
