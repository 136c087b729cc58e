// Bundles the main process, the preloads and the pages into dist/, where Electron finds them.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { contentBundle, playerBundle } from "./node-bundles.ts";
import { writeLicences } from "./licences.ts";
import { oneFilePage } from "./one-file-page.ts";
import { leaveLateOnes, stageChunks } from "./stage-chunks.ts";

type Part =
  | "main"
  | "content"
  | "preloads"
  | "manager"
  | "pattern"
  | "playback"
  | "preview"
  | "pinPad"
  | "stageChunks";

const root = fileURLToPath(new URL("..", import.meta.url));
// The oldest Electron we meet, 33, has these two inside.
const target = { chrome: "chrome130", node: "node20.18" };

/** One run of esbuild each; `watching` makes them fit for looking into rather than for shipping. */
export function bundlesOf({ watching = false } = {}): Record<
  Part,
  BuildOptions
> {
  const shared: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    logLevel: "warning",
    legalComments: "none",
    sourcemap: watching ? "linked" : false,
    define: {
      "process.env.NODE_ENV": watching ? '"development"' : '"production"',
    },
  };
  return {
    main: playerBundle(nodeBundle(shared)),
    content: contentBundle(nodeBundle(shared)),
    preloads: preloadBundles(shared),
    manager: pageBundle(shared, "manager", "main.tsx"),
    pattern: pageBundle(shared, "pattern", "main.ts"),
    playback: {
      ...pageBundle(shared, "playback", "main.ts"),
      plugins: [
        leaveLateOnes,
        oneFilePage(join(root, "dist/renderer/playback")),
      ],
      minify: !watching,
    },
    preview: previewBundle(shared),
    pinPad: pageBundle(shared, "pin-pad", "main.ts"),
    stageChunks: stageChunks(shared, target.chrome),
  };
}

function nodeBundle(shared: BuildOptions): BuildOptions {
  return {
    ...shared,
    // What has to be read before the first picture is kept short; names stay, for the sake of stacks.
    minifyWhitespace: true,
    minifySyntax: true,
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    platform: "node",
    format: "cjs",
    target: target.node,
    external: ["electron", "better-sqlite3"],
    // CommonJS has no import.meta; packages written as modules ask it where they are.
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

function preloadBundles(shared: BuildOptions): BuildOptions {
  return {
    ...shared,
    entryPoints: {
      manager: "electron/preload/manager.ts",
      playback: "electron/preload/playback.ts",
      "pin-pad": "electron/preload/pin-pad.ts",
    },
    outdir: "dist/preload",
    outExtension: { ".js": ".cjs" },
    // A sandboxed preload may require Electron and nothing else.
    platform: "browser",
    format: "cjs",
    target: target.chrome,
    external: ["electron"],
  };
}

// Each page has its folder to itself, fonts and pictures included: it is served as a host of its own.
// Its index.html is copied as it is, and names main.js, and main.css where the script imports styles.
function pageBundle(
  shared: BuildOptions,
  page: string,
  script: string,
): BuildOptions {
  return {
    ...shared,
    entryPoints: {
      main: `renderer/${page}/${script}`,
      index: `renderer/${page}/index.html`,
      ...stylesLinkedBy(page),
    },
    outdir: `dist/renderer/${page}`,
    assetNames: "[name]",
    loader: {
      ".html": "copy",
      ".woff2": "file",
      ".svg": "file",
      ".png": "file",
    },
    jsx: "automatic",
    platform: "browser",
    format: "iife",
    target: target.chrome,
  };
}

/** The stage once more, for a frame of the manager's page; it stands beside the stage and loads the same chunks late. */
function previewBundle(shared: BuildOptions): BuildOptions {
  return {
    ...pageBundle(shared, "preview", "main.ts"),
    entryPoints: {
      preview: "renderer/preview/main.ts",
      "preview-page": "renderer/preview/index.html",
    },
    outdir: "dist/renderer/playback",
    plugins: [leaveLateOnes],
    minify: true,
  };
}

/** Style sheets a page names itself, rather than through its script. */
function stylesLinkedBy(page: string): Record<string, string> {
  const html = join(root, "renderer", page, "index.html");
  const text = existsSync(html) ? readFileSync(html, "utf8") : "";
  const links = text.matchAll(/href="(?:\.\/)?([\w-]+)\.css"/g);
  const sources = [...links]
    .map(([, name = ""]) => [name, `renderer/${page}/${name}.css`] as const)
    .filter(([, source]) => existsSync(join(root, source)));
  return Object.fromEntries(sources);
}

/** A sentence about what is not there to bundle, if anything. */
export function missingEntries(): string | undefined {
  const missing = Object.values(bundlesOf())
    .flatMap(({ entryPoints }) => Object.values(entryPoints ?? {}) as string[])
    .filter((entry) => !existsSync(join(root, entry)));
  return missing.length === 0
    ? undefined
    : `There is nothing to bundle at ${missing.join(", ")}.`;
}

if (import.meta.main) {
  const missing = missingEntries();
  if (missing === undefined) {
    const builds = Object.values(bundlesOf()).map((options) => build(options));
    // esbuild itself has said what is wrong.
    if ((await Promise.allSettled(builds)).some(isRejected))
      process.exitCode = 1;
    else writeLicences(root, join(root, "dist/licences.json"));
  } else {
    console.error(missing);
    process.exitCode = 1;
  }
}

function isRejected({ status }: PromiseSettledResult<unknown>): boolean {
  return status === "rejected";
}
