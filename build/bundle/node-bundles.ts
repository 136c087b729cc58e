// Bundles what runs on Node: the main process, the content service as its child, and the threads and processes of both.

import { readFile } from "node:fs/promises";
import type { BuildOptions, Plugin } from "esbuild";

/** A thread's source by the name under which its parent finds it. */
const threads = {
  "media-process": "server/platform/media/media-process.ts",
  "hash-thread": "server/platform/hashes/hash-thread.ts",
  "sqlite-reader": "server/platform/sqlite/sqlite-reader.ts",
  "geocode-thread": "server/content/v3/places/geocode-thread.ts",
  "what-if-thread": "server/content/what-if/what-if-thread.ts",
  "launcher-thread": "electron/chromium/launcher-thread.ts",
  "flood-guard-thread": "electron/web/flood-guard-thread.ts",
};

/** Wherever `new URL("./sqlite-reader.ts", …)` stands, it becomes the address of the thread's bundle. */
const startBundledThreads: Plugin = {
  name: "bundled threads",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const contents = source.replaceAll(
        /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g,
        (whole, name: string) => {
          if (!(name in threads))
            throw new Error(`${path} starts ${name}, which is not bundled.`);
          return whole.replace(".ts", ".cjs");
        },
      );
      return { contents, loader: "ts" };
    });
  },
};

/** The main process, and the process that reads untrusted media for it and for the content service. */
export function playerBundle(main: BuildOptions): BuildOptions {
  const {
    "media-process": mediaProcess,
    "hash-thread": hashThread,
    "launcher-thread": launcherThread,
    "flood-guard-thread": floodGuardThread,
  } = threads;
  return {
    ...main,
    entryPoints: {
      main: "electron/main.ts",
      "media-process": mediaProcess,
      "hash-thread": hashThread,
      "launcher-thread": launcherThread,
      "flood-guard-thread": floodGuardThread,
    },
    plugins: [startBundledThreads],
    external: ["electron", ...nativeModules],
  };
}

/** `main` are the bundle options of the main process, which runs on the same Node. */
export function contentBundle(main: BuildOptions): BuildOptions {
  const {
    "media-process": _bundledWithMain,
    "launcher-thread": _launchers,
    "flood-guard-thread": _pages,
    ...others
  } = threads;
  return {
    ...main,
    entryPoints: { content: "server/content/hosted-main.ts", ...others },
    plugins: [startBundledThreads],
    // pg has an optional native module that is not used. A service inside the app has no object storage and no traces; prom-client
    // requires the interface of the latter.
    external: [
      ...["electron", ...nativeModules, "pg-native", "@aws-sdk/*"],
      ...["@opentelemetry/core", "@opentelemetry/resources"],
      ...["@opentelemetry/exporter-*", "@opentelemetry/sdk-*"],
    ],
  };
}

const {
  "launcher-thread": _launchers,
  "flood-guard-thread": _pages,
  ...threadsOfContent
} = threads;

/** Threads and processes of a content service outside the app. */
export const contentThreads = threadsOfContent;

/** The content service and the command line for plain Node, outside the app; the other plugins come first. */
export function standaloneContentBundle(
  root: string,
  plugins: readonly Plugin[],
): BuildOptions {
  return {
    ...nodeBundle({
      absWorkingDir: root,
      bundle: true,
      logLevel: "warning",
      legalComments: "none",
      define: { "process.env.NODE_ENV": '"production"' },
    }),
    entryPoints: {
      content: "server/content/main.ts",
      cli: "server/cli/main.ts",
      ...contentThreads,
    },
    plugins: [...plugins, startBundledThreads],
    external: [...nativeModules, "pg-native"],
  };
}

/** These cannot be bundled. */
export const nativeModules = ["better-sqlite3", "sharp"];

/** What runs on Node, as CommonJS. */
export function nodeBundle(shared: BuildOptions): BuildOptions {
  return {
    ...shared,
    // Code parsed before the first image is kept short; names are kept for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    platform: "node",
    format: "cjs",
    // The version inside Electron 33, the oldest supported.
    target: "node20.18",
    // CommonJS has no import.meta, which packages written as ES modules use to find their own files.
    banner: {
      js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;',
    },
    define: {
      ...shared.define,
      "import.meta.url": "importMetaUrl",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
  };
}
