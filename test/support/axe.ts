// What an accessibility checker finds wrong with the desk as it is at this moment; nothing but what is serious.

import axe from "axe-core";
import type { Desk } from "./desk.ts";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Axe {
  run(
    where: string,
    options: object,
  ): Promise<{ readonly violations: readonly Violation[] }>;
}

/** Of the page, without the frame around it: a line for each; the page's own policy lets no script in, so the window itself brings it. */
export async function seriousFaults(
  { app, page }: Desk,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await app.evaluate(async ({ BrowserWindow }, text) => {
    const desk = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().startsWith("app://manager"),
    );
    await desk?.webContents.executeJavaScript(`${text};0`);
  }, axe.source);
  const violations = await page.evaluate(async (values) => {
    const { axe: checker } = globalThis as unknown as { axe: Axe };
    const { violations: found } = await checker.run("main", {
      resultTypes: ["violations"],
      ...(values && { runOnly: { type: "rule", values } }),
    });
    return found;
  }, rules);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(" · ")}`,
    );
}
