// Bundles the content service and the command line as programs of their own: scripts for plain Node, with threads and media process.

import { join } from "node:path";
import { build, type Plugin } from "esbuild";
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
  ];
  return {
    name: "of the package",
    setup: ({ onLoad }) => {
      for (const [filter, contents] of modules)
        onLoad({ filter }, () => ({ contents, loader: "ts" }));
    },
  };
}

/** Writes the scripts into this folder. */
export async function bundleService(
  dir: string,
  version: string,
): Promise<void> {
  await build({
    ...standaloneContentBundle(projectRoot, [ofPackage(version)]),
    outdir: dir,
  });
  writeLicences(projectRoot, join(dir, "..", "licences.json"));
}
