// Every page of the desk, and what opens over it, held against axe in both themes: nothing serious.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "../support/desk.ts";
import { fillShop } from "../support/desk-library.ts";
import { extras } from "./screenshots/extras.ts";

let desk: Desk;
let axe: string;

beforeAll(async () => {
  axe = await readFile(
    createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
    "utf8",
  );
  desk = await openDesk();
  await fillShop(desk);
}, 60_000);

afterAll(async () => {
  await desk.close();
  await desk.screen.close();
});

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds that is serious or critical: its rule and where. */
async function seriousFindings(): Promise<readonly string[]> {
  const isThere = await desk.page.evaluate(() => "axe" in window);
  // Past the page's own policy, which lets in no script but its own.
  if (!isThere)
    await desk.app.evaluate(async ({ BrowserWindow }, code) => {
      for (const window of BrowserWindow.getAllWindows())
        if (window.webContents.getURL().startsWith("app://manager"))
          await window.webContents.executeJavaScript(`${code};0`);
    }, axe);
  const found = (await desk.page.evaluate(async () => {
    const { axe: checker } = window as unknown as {
      axe: { run: (options: unknown) => Promise<{ violations: Finding[] }> };
    };
    return (await checker.run({ resultTypes: ["violations"] })).violations;
  })) as readonly Finding[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

const pages = ["now", "library", "playlists", "schedule"].concat([
  ...["cloud", "activity", "reports", "settings"],
]);
const over = [
  ...["library-details", "library-several", "library-list", "commands"],
  ...["takeover", "first-run-1", "first-run-2", "first-run-3"],
];

describe.each(["light", "dark"] as const)(
  "the desk in its %s theme",
  (theme) => {
    beforeAll(async () => {
      await desk.page.emulateMedia({
        colorScheme: theme,
        reducedMotion: "reduce",
      });
    });

    it.each(pages)("has nothing serious on the page %s", async (page) => {
      await desk.page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${page}`);
      await desk.page.locator("#page-title").waitFor();
      expect(await seriousFindings()).toEqual([]);
    });

    it.each(over)("has nothing serious with %s open", async (name) => {
      const putBack = await extras[name]?.(desk);
      try {
        expect(await seriousFindings()).toEqual([]);
      } finally {
        await putBack?.();
      }
    });
  },
);
