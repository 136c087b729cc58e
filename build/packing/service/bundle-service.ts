// Bundles the content service and the command line as programs of their own: scripts for plain Node, with threads, the media process,
// and the manager for browsers.

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { servicePages } from "../../bundle/bundle.ts";
import { standaloneContentBundle } from "../../bundle/node-bundles.ts";
import { writeLicences } from "../../bundle/licences.ts";
import { projectRoot } from "../paths.ts";

/** What the program says about itself is different in a package. */
function ofPackage(version: string): Plugin {
  const modules: readonly (readonly [RegExp, string])[] = [
    [
      /platform[/\\]process[/\\]package-version\.ts$/,
      `export const packageVersion = (): string => ${JSON.stringify(version)};`,
    ],
    [
      /content[/\\]program-name\.ts$/,
      `export const programName = "vitrine-content";`,
    ],
    [
      /content[/\\]manager-dir\.ts$/,
      `export const managerDir = require("node:path").join(__dirname, "manager");`,
    ],
  ];
  return {
    name: "of the package",
    setup: ({ onLoad }) => {
      for (const [filter, contents] of modules)
        onLoad({ filter }, () => ({ contents, loader: "ts" }));
    },
  };
}

/** Writes the scripts into this folder; the manager is there already. */
export async function bundleService(
  dir: string,
  version: string,
): Promise<void> {
  await build({
    ...standaloneContentBundle(projectRoot, [ofPackage(version)]),
    outdir: dir,
  });
  await cp(servicePages, join(dir, "manager"), { recursive: true });
  writeLicences(projectRoot, join(dir, "..", "licences.json"));
}
