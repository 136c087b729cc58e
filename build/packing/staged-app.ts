// Stages the app for its archive: the bundles and the native modules, without build tools.

import { readdirSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackedElectron } from "./electron.ts";
import type { Mark } from "./package-name.ts";
import { readJson, stageModules } from "./modules.ts";
import { projectRoot, stagedApp } from "./paths.ts";

export async function stageApp(
  electron: PackedElectron,
  mark: Mark,
): Promise<void> {
  await rm(stagedApp, { recursive: true, force: true });
  await mkdir(stagedApp, { recursive: true });
  const dist = join(projectRoot, "dist");
  for (const name of readdirSync(dist).filter(isNeeded))
    await cp(join(dist, name), join(stagedApp, "dist", name), {
      recursive: true,
      filter: (path) => !path.endsWith(".map"),
    });
  const modules = await stageModules(stagedApp, electron);
  await cp(join(projectRoot, "LICENSE"), join(stagedApp, "LICENSE"));
  await writeFile(
    join(stagedApp, "package.json"),
    `${JSON.stringify(await aboutApp(mark, modules), null, 2)}\n`,
  );
}

/** Files in dist/ that the running app reads: no type declarations, no benchmark results. */
function isNeeded(name: string): boolean {
  return (
    /\.cjs$/.test(name) ||
    ["licences.json", "preload", "renderer"].includes(name)
  );
}

async function aboutApp(
  mark: Mark,
  dependencies: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { description, license } = await readJson(
    join(projectRoot, "package.json"),
  );
  return {
    name: "vitrine",
    productName: mark.productName,
    version: mark.version,
    ...{ description, license },
    author: "The Vitrine authors",
    desktopName: "vitrine.desktop",
    main: "dist/main.cjs",
    dependencies,
  };
}
