// Accessibility check (axe) of the manager in its present state; serious faults only.

import axe from "axe-core";
import type { Page } from "playwright";
import type { Browser } from "../browser/browser.ts";
import type { ManagerApp } from "./manager-app.ts";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly failureSummary?: string;
  }[];
}

interface Axe {
  run(
    where: string,
    options: object,
  ): Promise<{ readonly violations: readonly Violation[] }>;
}

/** A new theme reaches the component library a moment after the page's own colours. */
export async function themeIsChosen({
  page,
}: {
  readonly page: Page;
}): Promise<void> {
  await page.waitForFunction(() => {
    const { matches } = matchMedia("(prefers-color-scheme: dark)");
    const { mantineColorScheme } = document.documentElement.dataset;
    const chosen = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
    const system = matches ? "dark" : "light";
    return mantineColorScheme === (chosen === "auto" ? system : chosen);
  });
}

/** What depends on the theme: where one theme was checked whole, this is enough in the other, at a third of the cost. */
export const colourRules = ["color-contrast", "link-in-text-block"] as const;

/** Of the page, without the frame around it unless that is requested: one line each. By all rules, or by these. */
export async function seriousFaults(
  { app, page }: ManagerApp,
  place: "main" | "body" = "main",
  rules?: readonly string[],
): Promise<readonly string[]> {
  await inject(page, (script) =>
    app.evaluate(async ({ BrowserWindow }, text) => {
      const managerWindow = BrowserWindow.getAllWindows().find(
        ({ webContents }) => webContents.getURL().startsWith("app://manager"),
      );
      await managerWindow?.webContents.executeJavaScript(text);
    }, script),
  );
  return faultsIn(page, place, rules);
}

/** The same of a page in a browser. */
export async function seriousFaultsInBrowser(
  browser: Browser,
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await inject(page, (script) => browser.run(page, script));
  return faultsIn(page, "body", rules);
}

/** The page's own policy allows no foreign script, so its window injects it. */
async function inject(
  page: Page,
  run: (script: string) => Promise<unknown>,
): Promise<void> {
  if (!(await page.evaluate(() => "axe" in globalThis)))
    await run(`${axe.source};0`);
}

async function faultsIn(
  page: Page,
  place: "main" | "body",
  rules?: readonly string[],
): Promise<readonly string[]> {
  await themeIsChosen({ page });
  const asked = { where: place, only: rules ?? null };
  const violations = await page.evaluate(async ({ where, only }) => {
    // Half way through a colour transition neither colour can be judged.
    const ending = document.getAnimations().filter(({ effect, playState }) => {
      const { endTime } = effect?.getComputedTiming() ?? {};
      return playState === "running" && endTime !== Infinity;
    });
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { axe: checker } = globalThis as unknown as { axe: Axe };
    const { violations: found } = await checker.run(where, {
      resultTypes: ["violations"],
      ...(only && { runOnly: { type: "rule", values: only } }),
    });
    return found;
  }, asked);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .slice(0, 3)
          .map(
            ({ html, failureSummary = "" }) =>
              `${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`,
          )
          .join(" · ")}`,
    );
}
