// The manager window in the real app: each task by mouse and again by keyboard alone, with its steps counted.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import {
  command,
  counted,
  dropFiles,
} from "../../support/manager/manager-page.ts";
import { seriousFaults } from "../../support/manager/axe.ts";
import { png } from "../../support/media/media.ts";
import { sharedManager } from "../../support/manager/shared-manager.ts";
import { serveWeb } from "../../support/http/web-server.ts";

const app = sharedManager();
const list = () => app.page.getByRole("listbox", { name: "Library" });

/** Drops a file of this machine into the middle of the window, as the system would. */
const drop = (file: string) => dropFiles(app.page, [file]);

/** Copies a file to the system's clipboard, as a file manager does. */
async function copy(file: string): Promise<void> {
  await app.manager.app.evaluate(
    async ({ clipboard, ClipboardItem }, text) => {
      const kind = "text/uri-list";
      const before45 = clipboard as unknown as {
        writeBuffer?: (kind: string, bytes: Buffer) => void;
      };
      if (before45.writeBuffer)
        return before45.writeBuffer(kind, Buffer.from(text));
      const format = `electron application/osclipboard;format="${kind}"`;
      await clipboard.write([new ClipboardItem({ [format]: text })]);
    },
    `${pathToFileURL(file).href}\r\n`,
  );
}

describe("what plays now", () => {
  it("takes no step: name, verdict and an image that follows the screen are on the first page", async () => {
    await app.add("Summer");
    const { page } = app;
    await app.main.getByRole("heading", { name: "Summer" }).waitFor();
    await app.main.getByText("As planned, verified").waitFor();
    await app.main.getByText("Live").waitFor();
    const first = await page
      .locator(".live-screenshot-image")
      .getAttribute("src");
    await app.manager.addFile(png([20, 60, 220]), {
      ...{ name: "Winter", mimetype: "image", duration: 600 },
    });
    // A change on the screen triggers a new screenshot at once.
    await app.manager.control("next");
    await page.waitForFunction(
      (before) =>
        document
          .querySelector(".live-screenshot-image")
          ?.getAttribute("src") !== before,
      first,
    );
  });

  it("is a fallback with its reason while nothing is due", async () => {
    await app.main
      .getByText(/^Idle screen since .*: no content yet$/)
      .waitFor();
    await app.manager.addFile(png([9, 9, 9]), {
      ...{ name: "Later", mimetype: "image", is_enabled: false },
    });
    await app.main
      .getByText(/^Idle screen since .*“Later” is disabled$/)
      .waitFor();
  });

  it("steps, pauses, mutes and blanks by key, and each again by button", async () => {
    await app.add("One");
    await app.add("Two");
    const { page } = app;
    const showing = (name: string) =>
      app.main.locator(".now-name").getByText(name, { exact: true }).waitFor();
    await app.main
      .locator(".now-name")
      .getByText(/^(One|Two)$/)
      .waitFor();
    const first = (await app.main.locator(".now-name").textContent()) ?? "";
    const second = first === "One" ? "Two" : "One";
    await page.keyboard.press("ArrowRight");
    await showing(second);
    await page.keyboard.press("ArrowLeft");
    await showing(first);
    await app.main.getByRole("button", { name: "Next", exact: true }).click();
    await showing(second);
    await app.main.getByRole("button", { name: "Previous" }).click();
    await showing(first);

    await page.keyboard.press("p");
    await app.main.getByText(/^Paused until you resume/).waitFor();
    await app.main.getByRole("button", { name: "Resume" }).click();
    await app.main
      .getByText(/^Paused until you resume/)
      .waitFor({ state: "detached" });

    await page.keyboard.press("m");
    await app.main.getByRole("button", { name: "Unmute" }).click();
    await app.main.getByRole("button", { name: "Mute", exact: true }).waitFor();

    // Holding the key blanks the screen once; another press resumes it.
    await page.keyboard.down("h");
    await app.main.getByText(/^Blanked on purpose/).waitFor();
    for (let repeat = 0; repeat < 9; repeat += 1) await page.keyboard.down("h");
    await page.keyboard.up("h");
    await page.keyboard.press("m");
    await app.main.getByRole("button", { name: "Unmute" }).waitFor();
    await app.main.getByText(/^Blanked on purpose/).waitFor();
    await page.keyboard.press("h");
    await app.main
      .getByText(/^Blanked on purpose/)
      .waitFor({ state: "detached" });
  });
});

describe("adding", () => {
  it("an image takes one step, the drop, and is undone by one key", async () => {
    const file = path.join(app.manager.dir, "harvest.png");
    await writeFile(file, png([200, 120, 10]));
    const job = counted();
    await job.step(() => drop(file));
    await app.main.getByRole("heading", { name: "harvest" }).waitFor();
    expect(job.steps).toBe(1);
    await app.page.getByText("Added “harvest”").waitFor();
    await app.page.keyboard.press("Control+z");
    await app.main.getByText(/^Idle screen since /).waitFor();
    expect(await app.order()).toEqual([]);
  });

  it("an image takes one step by keyboard alone, pasting it", async () => {
    const { manager, page } = app;
    const file = path.join(manager.dir, "copied.png");
    await writeFile(file, png([90, 20, 160]));
    await copy(file);
    const job = counted();
    await job.step(() => page.keyboard.press("Control+v"));
    await app.main.getByRole("heading", { name: "copied" }).waitFor();
    expect(job.steps).toBe(1);
    await page.getByText("Added “copied”").waitFor();
    await page.keyboard.press("Control+z");
    await app.main.getByText(/^Idle screen since /).waitFor();
    expect(await app.order()).toEqual([]);
  });

  it("[V2-806] a folder takes one step: in the folders it came in, and what is no media is listed once", async () => {
    const { manager, page } = app;
    const folder = path.join(manager.dir, "Menus");
    await mkdir(path.join(folder, "Lunch"), { recursive: true });
    await writeFile(path.join(folder, "2.png"), png([3, 4, 5]));
    await writeFile(path.join(folder, "10.png"), png([4, 5, 6]));
    await writeFile(path.join(folder, "Lunch", "soup.png"), png([5, 6, 7]));
    for (const name of ["a.txt", "b.txt", ".hidden.png"])
      await writeFile(path.join(folder, name), `no media ${name}`);
    await drop(folder);
    await page.getByText("Added 3 files").waitFor();
    const tray = page.locator(".jobs-tray");
    await tray.getByText("Couldn’t add 2 files.").waitFor();
    await tray.getByText("Show names").click();
    await tray.getByText("a.txt and b.txt").waitFor();
    expect(await seriousFaults(manager, "body")).toEqual([]);
    const added = (await app.assets()).map(({ name, folder: at }) => [
      at,
      name,
    ]);
    expect(added).toEqual([
      ["Menus", "2"],
      ["Menus", "10"],
      ["Menus/Lunch", "soup"],
    ]);
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await app.assets()).length).toBe(0);
    await tray.getByRole("button", { name: "Close" }).click();
  });

  it("a file dropped on an open playlist becomes its last item and plays nowhere else", async () => {
    const { page } = app;
    const file = path.join(app.manager.dir, "window.png");
    await writeFile(file, png([20, 120, 210]));
    const id = await page.evaluate(async () => {
      const created = await window.manager.operate({
        operation: "createPlaylist",
        body: { name: "Window", predicate: "FALSE" },
      });
      const { answer } = created as { answer: { playlist_id: string } };
      location.hash = `#/playlists/${answer.playlist_id}`;
      return answer.playlist_id;
    });
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    await drop(file);
    const items = page.getByRole("list", { name: "Items", exact: true });
    await items.getByText("window", { exact: true }).waitFor();
    const [asset] = await app.assets();
    expect(asset).toMatchObject({ name: "window", playlist_only: true });
    await page.evaluate(
      (one) =>
        window.manager.operate({
          operation: "deletePlaylist",
          parameters: { id: one },
        }),
      id,
    );
  });

  it("[V2-724] a file dropped on an open playlist and rejected becomes its last item on retry, whichever page is open by then", async () => {
    const { page } = app;
    const first = await app.add("First");
    const created = await app.openPlaylist("Window", { items: [first] });
    const file = path.join(app.manager.dir, "late.png");
    await writeFile(file, "still being copied");
    await drop(file);
    const again = page.getByRole("button", { name: /^Try again: .*late/ });
    await again.waitFor();
    // Another client adds an item in the meantime: the late one is placed after it.
    const second = await app.add("Second", [90, 10, 10]);
    const at = `/playlists/${created.playlist_id}`;
    await app.elsewhere("PATCH", at, { items: [first, second] });
    await writeFile(file, png([20, 120, 210]));
    await page.evaluate(() => (location.hash = "#/library"));
    await again.click();
    const items = async () => {
      const { items: all } = await app.elsewhere<PlaylistV2>("GET", at);
      return all.map(({ asset_id: id }) => id);
    };
    await expect.poll(items).toHaveLength(3);
    const late = (await app.assets()).find(({ name }) => name === "late");
    expect(late).toMatchObject({ playlist_only: true });
    expect(await items()).toEqual([first, second, late?.asset_id]);
  });

  it("files by dialog keep their order, and an invalid file is rejected with its reason", async () => {
    const { page } = app;
    const { dir } = app.manager;
    const files = {
      "a-summer.png": png([220, 180, 20]),
      "b-winter.png": png([20, 60, 220]),
      "c-notes.png": Buffer.from("hello"),
    };
    for (const [name, bytes] of Object.entries(files))
      await writeFile(path.join(dir, name), bytes);
    await app.openLibrary();
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(Object.keys(files).map((name) => path.join(dir, name)));
    await page.getByText(/isn’t an image, video, audio or PDF file/).waitFor();
    await list()
      .getByRole("option", { name: /b-winter/ })
      .waitFor();
    expect(await app.order()).toEqual(["a-summer", "b-winter"]);
    const tray = page.getByRole("region", { name: "Uploads" });
    await list()
      .getByRole("option", { name: /a-summer/ })
      .click();
    await page.keyboard.press("Delete");
    const notice = page.locator(".outcomes [role=status]").first();
    await notice.waitFor();
    // It covers no control, and no notice covers it.
    const { y: top = 0 } = (await tray.boundingBox()) ?? {};
    for (const above of [app.main, notice]) {
      const { y = 0, height = 0 } = (await above.boundingBox()) ?? {};
      expect(height).toBeGreaterThan(0);
      expect(y + height).toBeLessThanOrEqual(top);
    }
    await tray.getByRole("button", { name: "Close" }).click();
    await tray.waitFor({ state: "detached" });
  });

  it("an unreachable address shows the reason, and is added with request headers, or without the check", async () => {
    const { page } = app;
    await app.openLibrary();
    await page
      .getByRole("textbox", { name: "Web page address" })
      .fill("http://127.0.0.1:9/");
    await page.getByRole("button", { name: "Add web page" }).click();
    const question = page.getByRole("dialog", {
      name: "Couldn’t add this page",
    });
    await question.getByRole("alert").getByText("can’t be reached").waitFor();
    await question.locator("textarea:focus").waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await page.locator(".add-page :focus").waitFor();
    // Again, by keyboard alone.
    await page.keyboard.press("Enter");
    await question.locator("textarea:focus").waitFor();
    await page.keyboard.type("Authorization Bearer abc");
    await question.getByText("a name, a colon and a value").waitFor();
    await question.getByRole("textbox").fill("Authorization: Bearer abc");
    await question.getByRole("button", { name: "Try again" }).click();
    await question.getByRole("alert").getByText("can’t be reached").waitFor();
    await question.getByRole("button", { name: "Add anyway" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("option", { name: /127\.0\.0\.1:9/ }).waitFor();
    const added = await page.evaluate(() =>
      window.manager.operate({ operation: "listAssets" }),
    );
    expect(added).toMatchObject({
      answer: [
        {
          custom_headers: { Authorization: "Bearer abc" },
          skip_asset_check: true,
        },
      ],
    });
    // No draft remains in the field.
    await expect
      .poll(() => page.locator(".add-page input").inputValue())
      .toBe("");
  });

  it("a page that requires a header is added with it", async () => {
    const { page } = app;
    const server = await serveWeb({
      "/board": (response, { headers }) => {
        const isKnown = headers.authorization === "Bearer abc";
        response.writeHead(isKnown ? 200 : 401, {
          "Content-Type": "text/html",
        });
        response.end("<p>Board</p>");
      },
    });
    await app.openLibrary();
    await page.locator(".add-page input").fill(`${server.address}/board`);
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", {
      name: "Couldn’t add this page",
    });
    await question.getByRole("alert").getByText("401").waitFor();
    await question.getByRole("textbox").fill("Authorization: Bearer abc");
    await question.getByRole("button", { name: "Try again" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("option", { name: /127\.0\.0\.1/ }).waitFor();
  });
});

describe("the command bar", () => {
  it("opens a page, a setting and an asset by name, by keyboard alone", async () => {
    await app.add("Lunch menu");
    const { page } = app;
    await command(page, "time zone", /Time zone/);
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await command(page, "schedule", /Schedule/);
    await page.getByRole("heading", { name: "Schedule", level: 1 }).waitFor();
    await command(page, "lunch", /Lunch menu/);
    await page.getByRole("complementary", { name: "Asset details" }).waitFor();
  });
});

describe("the window", () => {
  it("has no Node, no Electron and no way to another page", async () => {
    const { page } = app;
    const reachable = await page.evaluate(() => [
      typeof (globalThis as Record<string, unknown>)["require"],
      typeof (globalThis as Record<string, unknown>)["process"],
      window.open("https://example.org/") === null,
    ]);
    expect(reachable).toEqual(["undefined", "undefined", true]);
    await page.evaluate(() => {
      location.href = "https://example.org/";
    });
    expect(page.url()).toContain("app://manager");
  });
});
