// The manager window in the real app: what it lists, adds, steps and switches.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication, type Page } from "playwright";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { picture } from "../support/media.ts";
import { openScreen } from "../support/screen.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function openDesk(): Promise<{
  desk: Page;
  app: ElectronApplication;
  dir: string;
}> {
  const screen = await openScreen(1600, 1000);
  const dir = await temporaryFolder();
  const app = await _electron.launch({
    cwd: root,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ".",
      ...["--data-dir", path.join(dir, "data"), "--api-port", "0"],
      ...["--window", "640x360"],
    ],
    env: {
      ...(process.env as Record<string, string>),
      DISPLAY: screen.display,
      LANG: "en_GB.UTF-8",
    },
  });
  onTestFinished(() => app.close());
  const isDesk = (page: Page): boolean =>
    page.url().startsWith("app://manager");
  const desk =
    app.windows().find(isDesk) ??
    (await app.waitForEvent("window", { predicate: isDesk }));
  await desk.waitForLoadState();
  return { desk, app, dir };
}

describe("the manager window", () => {
  it("adds files, refuses what is none with its reason, and lists the rest in play order", async () => {
    const { desk, dir } = await openDesk();
    const files = {
      "summer.png": picture([220, 180, 20]),
      "winter.png": picture([20, 60, 220]),
      "notes.png": Buffer.from("hello"),
    };
    for (const [name, bytes] of Object.entries(files))
      await writeFile(path.join(dir, name), bytes);
    await desk
      .locator("input[type=file]")
      .setInputFiles(Object.keys(files).map((name) => path.join(dir, name)));
    await desk.getByText("summer", { exact: true }).first().waitFor();
    await desk.getByText("winter", { exact: true }).first().waitFor();
    await desk
      .getByText(/no picture, video, sound or PDF/)
      .first()
      .waitFor();
    const names = await desk.getByRole("listitem").allTextContents();
    expect(names.findIndex((text) => text.includes("summer"))).toBeLessThan(
      names.findIndex((text) => text.includes("winter")),
    );
  });

  it("steps the glass on and back, and tells what is on it", async () => {
    const { desk, dir } = await openDesk();
    for (const name of ["one", "two"])
      await writeFile(
        path.join(dir, `${name}.png`),
        picture([9, 9, name.length * 60]),
      );
    await desk
      .locator("input[type=file]")
      .setInputFiles([path.join(dir, "one.png"), path.join(dir, "two.png")]);
    const now = desk.getByRole("region", { name: /now/i });
    await now.getByText("one", { exact: true }).first().waitFor();
    await desk.getByRole("button", { name: "Show the next asset" }).click();
    await now.getByText("two", { exact: true }).first().waitFor();
    await desk.getByRole("button", { name: "Show the previous asset" }).click();
    await now.getByText("one", { exact: true }).first().waitFor();
  });

  it("has no Node, no Electron and no way to another page", async () => {
    const { desk } = await openDesk();
    const reachable = await desk.evaluate(() => [
      typeof (globalThis as Record<string, unknown>)["require"],
      typeof (globalThis as Record<string, unknown>)["process"],
      window.open("https://example.org/") === null,
    ]);
    expect(reachable).toEqual(["undefined", "undefined", true]);
    await desk.evaluate(() => {
      location.href = "https://example.org/";
    });
    expect(desk.url()).toContain("app://manager");
  });
});
