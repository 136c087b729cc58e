// Prepares the sources of a bundle in parts, so that esbuild puts into the part that is loaded first what it needs, in few files.

import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Loader, Plugin } from "esbuild";
import { withDirectImports } from "./direct-imports.ts";

/** `entry` is the absolute path of the module that is loaded first. */
export function browserSources(entry: string): Plugin {
  return {
    name: "sources for browsers",
    setup: ({ onResolve, onLoad, resolve }) => {
      onResolve(
        { filter: /^\.\.?\/.*\.tsx?$/ },
        async ({ path, resolveDir, kind, pluginData }) => {
          if (kind !== "dynamic-import" || pluginData === later)
            return undefined;
          const resolved = await resolve(path, {
            ...{ resolveDir, kind, pluginData: later },
          });
          return { ...resolved, pluginData: later };
        },
      );
      onLoad(
        {
          filter:
            /[\\/](?:renderer[\\/].*\.tsx?|node_modules[\\/]@mantine[\\/].*\.mjs)$/,
        },
        async ({ path, pluginData }) => {
          const source = withDirectImports(await readFile(path, "utf8"));
          return {
            // A file is made for each set of parts that need the same modules. The entry is there before any other part: if each
            // imports it, everything that the entry needs is in one file.
            contents:
              pluginData === later
                ? `${source}\nimport ${JSON.stringify(entry)};\n`
                : source,
            loader: loaders[extname(path)] ?? "js",
          };
        },
      );
    },
  };
}

/** Of a module that is imported when it is needed. */
const later = Symbol("later");

const loaders: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".tsx": "tsx",
};
