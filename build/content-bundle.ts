// Bundles the content service as a child of the app: one script, and beside it those of its threads.

import { readFile } from "node:fs/promises";
import type { BuildOptions, Plugin } from "esbuild";

/** A thread's source, as its starter names it, and what its bundle is called. */
const threads: Readonly<Record<string, string>> = {
  "sqlite-reader": "server/platform/sqlite-reader.ts",
  "pdf-thread": "server/content/intake/pdf-thread.ts",
  "geocode-thread": "server/content/v3/geocode-thread.ts",
};

/** `new URL("./pdf-thread.ts", …)` starts the bundle of it. */
const startBundledThreads: Plugin = {
  name: "threads beside",
  setup: ({ onLoad }) => {
    onLoad(
      { filter: /(sqlite-readers|intake[/\\]pdf|v3[/\\]geocode)\.ts$/ },
      async (args) => {
        const source = await readFile(args.path, "utf8");
        const contents = source.replace(
          /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/,
          (whole, name: string) =>
            name in threads
              ? `new URL("./content-${name}.cjs", import.meta.url)`
              : whole,
        );
        if (contents === source)
          throw new Error(`${args.path} starts no thread any more.`);
        return { contents, loader: "ts" };
      },
    );
  },
};

/** `main` is how the main process is bundled: it runs on the same Node. */
export function contentBundle(main: BuildOptions): BuildOptions {
  return {
    ...main,
    entryPoints: {
      content: "server/content/hosted.ts",
      ...Object.fromEntries(
        Object.entries(threads).map(([name, source]) => [
          `content-${name}`,
          source,
        ]),
      ),
    },
    plugins: [startBundledThreads, ...(main.plugins ?? [])],
    // Compiled parts cannot be bundled; pg has one that it does without.
    external: [...(main.external ?? []), "sharp", "pg-native"],
  };
}
