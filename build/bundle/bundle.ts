// Bundles the main process, the preloads and the pages into dist/, where Electron finds them.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import {
  browserFiles,
  inPlaceOf,
  type BrowserOptions,
} from "./browser-files.ts";
import { browserSources } from "./browser-sources.ts";
import { evaluated } from "./evaluated-modules.ts";
import { helpTexts } from "./help-texts.ts";
import { contentBundle, nodeBundle, playerBundle } from "./node-bundles.ts";
import { writeLicences } from "./licences.ts";
import { oneFilePage } from "./one-file-page.ts";
import { leaveLazyImports, stageChunks } from "./stage-chunks.ts";

type Part =
  | "main"
  | "content"
  | "preloads"
  | "manager"
  | "browser"
  | "service"
  | "testPattern"
  | "screenName"
  | "playback"
  | "preview"
  | "pinPad"
  | "stageChunks";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The manager for browsers at a content service: its page, and its files below. */
export const servicePages = join(root, "dist/renderer/service");
// The version inside Electron 33, the oldest supported.
const target = { chrome: "chrome130" };

/** One esbuild run each; `watching` makes bundles for debugging rather than for shipping. */
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
    manager: managerBundle(shared, watching),
    browser: browserBundle(shared, watching),
    service: serviceBundle(shared, watching),
    testPattern: pageBundle(shared, "test-pattern", "main.ts"),
    screenName: pageBundle(shared, "screen-name", "main.ts"),
    playback: {
      ...pageBundle(shared, "playback", "main.ts"),
      plugins: [
        leaveLazyImports,
        oneFilePage(join(root, "dist/renderer/playback")),
      ],
      minify: !watching,
    },
    preview: previewBundle(shared),
    pinPad: pageBundle(shared, "pin-pad", "main.ts"),
    stageChunks: stageChunks(shared, target.chrome),
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
    // A sandboxed preload can require only Electron.
    platform: "browser",
    format: "cjs",
    target: target.chrome,
    external: ["electron"],
  };
}

// Each page has its own folder, fonts and images included, because it is served as a host of its own.
// Its index.html is copied unchanged; it references main.js, and main.css where the script imports styles.
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

/** With the guides, so that Help needs no network. */
function managerBundle(shared: BuildOptions, watching: boolean): BuildOptions {
  return {
    ...pageBundle(shared, "manager", "main.tsx"),
    // Half as much to read and to parse each time the window opens.
    minify: !watching,
    plugins: [evaluated],
    define: {
      ...shared.define,
      // A string: esbuild puts an array into the part that is loaded first.
      vitrineHelpTexts: JSON.stringify(JSON.stringify(helpTexts(root))),
    },
  };
}

/** The manager again, as the player serves it to browsers: small, in parts, and cached for ever. */
function browserBundle(shared: BuildOptions, watching: boolean): BuildOptions {
  return partsBundle(managerBundle(shared, watching), {
    dir: join(root, "dist/renderer/browser"),
    entry: "renderer/manager/main.tsx",
    pages: "lazy-page-components.ts",
    hasBrotli: false,
  });
}

/** And as a content service serves it: with pages about many screens, and none about a player. */
function serviceBundle(shared: BuildOptions, watching: boolean): BuildOptions {
  const bundle = managerBundle(shared, watching);
  const define = { ...bundle.define, vitrinePlace: '"service"' };
  return partsBundle(
    { ...bundle, define },
    {
      dir: servicePages,
      entry: "renderer/manager/service/main.tsx",
      pages: "../service/page-components.ts",
      hasBrotli: true,
    },
  );
}

interface Parts extends BrowserOptions {
  readonly entry: string;
  /** In the place of `page-components.ts`, relative to it. */
  readonly pages: string;
}

function partsBundle(
  bundle: BuildOptions,
  { entry, pages, ...options }: Parts,
): BuildOptions {
  return {
    ...bundle,
    entryPoints: { main: entry },
    outdir: join(options.dir, "manager"),
    write: false,
    metafile: true,
    format: "esm",
    splitting: true,
    sourcemap: false,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    plugins: [
      evaluated,
      browserSources(join(root, entry)),
      inPlaceOf({
        "page-components.ts": pages,
        "shell-parts.ts": "lazy-shell-parts.tsx",
        "catalogues.ts": "lazy-catalogues.ts",
      }),
      browserFiles(
        {
          html: join(root, "renderer/manager/index.html"),
          icon: join(root, "build/icon.svg"),
        },
        options,
      ),
    ],
  };
}

/** The stage again, for a frame of the manager's page; it is placed next to the stage and lazily loads the same chunks. */
function previewBundle(shared: BuildOptions): BuildOptions {
  return {
    ...pageBundle(shared, "preview", "main.ts"),
    entryPoints: {
      preview: "renderer/preview/main.ts",
      "preview-page": "renderer/preview/index.html",
    },
    outdir: "dist/renderer/playback",
    plugins: [leaveLazyImports],
    minify: true,
  };
}

/** Style sheets that a page links itself, rather than through its script. */
function stylesLinkedBy(page: string): Record<string, string> {
  const html = join(root, "renderer", page, "index.html");
  const text = existsSync(html) ? readFileSync(html, "utf8") : "";
  const links = text.matchAll(/href="(?:\.\/)?([\w-]+)\.css"/g);
  const sources = [...links]
    .map(([, name = ""]) => [name, `renderer/${page}/${name}.css`] as const)
    .filter(([, source]) => existsSync(join(root, source)));
  return Object.fromEntries(sources);
}

/** A sentence about missing entry points, if any. */
export function missingEntries(): string | undefined {
  const missing = Object.values(bundlesOf())
    .flatMap(({ entryPoints }) => Object.values(entryPoints ?? {}) as string[])
    .filter((entry) => !existsSync(join(root, entry)));
  return missing.length === 0
    ? undefined
    : `There is nothing to bundle at ${missing.join(", ")}.`;
}

/** Without words: everything. */
async function main(words: readonly string[]): Promise<void> {
  const missing = missingEntries();
  if (missing !== undefined) {
    console.error(missing);
    process.exitCode = 1;
    return;
  }
  const builds = Object.entries(bundlesOf())
    .filter(([part]) => words.length === 0 || words.includes(part))
    .map(([, options]) => build(options));
  // esbuild has already printed what is wrong.
  if ((await Promise.allSettled(builds)).some(isRejected)) process.exitCode = 1;
  else if (words.length === 0)
    writeLicences(root, join(root, "dist/licences.json"));
}

function isRejected({ status }: PromiseSettledResult<unknown>): boolean {
  return status === "rejected";
}

if (import.meta.main) await main(process.argv.slice(2));
