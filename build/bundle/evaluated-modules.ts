// Modules whose exports are computed while bundling: a page contains the values, not what they are computed from.

import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

/** Everything they export is JSON. */
const modules =
  /[\\/]server[\\/]contract[\\/]v2[\\/]operations[\\/]operation-paths\.ts$/;

export const evaluated: Plugin = {
  name: "evaluated modules",
  setup: ({ onLoad }) => {
    onLoad({ filter: modules }, async ({ path }) => {
      const values = (await import(pathToFileURL(path).href)) as object;
      const contents = Object.entries(values)
        .map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
        )
        .join("\n");
      return { contents, loader: "js" };
    });
  },
};
