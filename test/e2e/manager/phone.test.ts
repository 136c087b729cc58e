// The manager on a phone: every page at 360 px, and what people do there: add a photo, make the lunch schedule, take over.

import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import type { NowV2 } from "../../../server/contract/v2/v2-screen.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { speakTo, type AppCalls } from "../../support/app/start-app.ts";
import { openBrowser, type Browser } from "../../support/browser/browser.ts";
import { temporaryFolder, untilAllHaveRun } from "../../support/folder.ts";
import { goTo } from "../../support/manager/manager-page.ts";
import { png } from "../../support/media/media.ts";
import { servePlayer } from "../../support/player/serve-player.ts";

const photo = {
  ...{ name: "IMG_0412.png", mimeType: "image/png" },
  buffer: png([200, 120, 10]),
};
const longName =
  "Summer collection in the branch at the station, second floor (draft)";

let browser: Browser;

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    browser = await openBrowser(atEnd);
  }),
);

interface Phone {
  readonly player: AppCalls;
  readonly page: Page;
  get<Answer>(path: string): Promise<Answer>;
}

/** At the player's own address, with an asset and a playlist of long names. */
async function openPhone(): Promise<Phone> {
  const { address } = await servePlayer(await temporaryFolder());
  const player = speakTo(address);
  const { asset_id } = await player.addFile(png([10, 90, 10]), {
    ...{ name: longName, mimetype: "image", duration: 1 },
  });
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${address}/api/v2${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  await post("/playlists", { name: longName, items: [{ asset_id }] });
  const page = await browser.open(address, 360, 740);
  afterThisTest(() => page.close());
  await page.locator(".shell").waitFor();
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`${address}/api/v2${path}`)).json()) as Answer;
  return { player, page, get };
}

/** Controls that are cut off at the side, and places that scroll sideways. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element): string =>
      `${element.tagName} ${element.className} “${element.textContent.slice(0, 40)}”`;
    const all = [...document.querySelectorAll("body *")].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      const { visibility } = getComputedStyle(element);
      return width > 1 && height > 1 && visibility === "visible";
    });
    const isCut = (element: Element): boolean =>
      element.matches("a, button, input, select, textarea, [role]") &&
      element.getBoundingClientRect().right > window.innerWidth + 1;
    const scrollsSideways = (element: Element): boolean =>
      element.scrollWidth > element.clientWidth + 1 &&
      /auto|scroll/.test(getComputedStyle(element).overflowX) &&
      // Code, and the rows of tabs, may.
      !element.matches("pre, code, [role=tablist]");
    return all
      .filter((element) => isCut(element) || scrollsSideways(element))
      .map(nameOf);
  });
}

describe("on a phone, 360 px wide", () => {
  it("every page fits, with long names", async () => {
    const { page } = await openPhone();
    /** With something that is there once the page has its content. */
    const places: readonly (readonly [string, string])[] = [
      ["now", ".now-name"],
      ["library", ".asset-card"],
      ["playlists", ".playlist-link"],
      ["schedule", ".why td"],
      ["connections", "main [role=alert]"],
      ["activity", "main time"],
      ["reports", ".report-table td"],
      ["help", "main a"],
      ["settings/screen", "[data-setting]"],
      ["settings/access", 'text="/api/v2/assets/{asset_id}/content"'],
      ["settings/backup", "[data-setting]"],
      ["settings/manager", "main select, main [role=radiogroup]"],
    ];
    for (const [place, content] of places) {
      await goTo(page, `#/${place}`);
      await page.locator(content).first().waitFor();
      await expect
        .poll(async () => [place, ...(await cutOff(page))])
        .toEqual([place]);
    }
  });

  it("the details of an asset cover the list, and closing them leads back to it", async () => {
    const { page } = await openPhone();
    await goTo(page, "#/library");
    await page.locator(".asset-thumbnail").first().click();
    await page.getByLabel("Name", { exact: true }).waitFor();
    await expect.poll(() => cutOff(page)).toEqual([]);
    expect(await page.locator(".asset-list").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Close" }).first().click();
    await page.locator(".asset-list").waitFor();
  });

  it("adds a photo to a playlist in three taps, and it plays there only", async () => {
    const { page, get } = await openPhone();
    await goTo(page, "#/playlists");
    await page.locator(".playlist-link").first().click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).click();
    await (await chooser).setFiles(photo);
    await page.locator(".item-row").nth(1).waitFor();
    await expect.poll(() => cutOff(page)).toEqual([]);
    const [playlist] = await get<PlaylistV2[]>("/playlists");
    expect(playlist?.items).toHaveLength(2);
    const added = playlist?.items.at(-1)?.asset_id ?? "";
    expect(await get(`/assets/${added}`)).toMatchObject({
      ...{ name: "IMG_0412", playlist_only: true },
    });
  });

  it("makes the lunch schedule", async () => {
    const { page, get } = await openPhone();
    await goTo(page, "#/playlists");
    await page.getByRole("button", { name: "New playlist" }).click();
    await page.locator(".playlist-name-field input:focus").waitFor();
    await page.keyboard.type("Lunch");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Schedule" }).click();
    await page.getByRole("button", { name: "Add time" }).click();
    await page.getByText("Weekdays", { exact: true }).click();
    const allDay = page.getByLabel("All day");
    if (await allDay.isChecked()) await allDay.click();
    await page.getByLabel("From", { exact: true }).fill("11:30");
    await page.getByLabel("Until", { exact: true }).fill("14:00");
    await page.keyboard.press("Tab");
    await expect.poll(() => cutOff(page)).toEqual([]);
    await expect
      .poll(async () =>
        (await get<PlaylistV2[]>("/playlists")).find(
          ({ name }) => name === "Lunch",
        ),
      )
      .toMatchObject({
        predicate: expect.stringMatching(/WEEKDAY.*TIME/s) as unknown,
      });
  });

  it("takes over the screen, and ends that", async () => {
    const { page, get } = await openPhone();
    const nameShown = async () => (await get<NowV2>("/now")).showing?.name;
    await page.getByRole("button", { name: "Takeover" }).click();
    await page.getByText("Back soon").click();
    await expect.poll(() => cutOff(page)).toEqual([]);
    await hold(page, "Press and hold to start");
    await expect.poll(nameShown).toBe("We will be back in a few minutes.");
    await page.mouse.up();
    await hold(page, "Press and hold to stop");
    await expect.poll(nameShown).toBe(longName);
    await page.mouse.up();
  });
});

/** Until the mouse button is released. */
async function hold(page: Page, name: string): Promise<void> {
  // Waits until the button no longer moves.
  await page.getByRole("button", { name }).hover();
  await page.mouse.down();
}
