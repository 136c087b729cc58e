// Writes the manager's bundle for browsers: every file compressed and under a name with the hash of its content, and the page that
// names them.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import type { OutputFile, Plugin } from "esbuild";

const scriptTag = '<script src="main.js" defer></script>';
const styleTag = '<link rel="stylesheet" href="main.css" />';
/** The player sends a policy with the page (V2-771). */
const policyTag =
  /\s*<!--(?:(?!-->)[\s\S])*-->\s*<meta\s+http-equiv="Content-Security-Policy"[^>]*>/;

/** A browser loads the pages of the manager one by one. */
export const lazyPages: Plugin = {
  name: "lazy pages",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^\.\/page-components\.ts$/ }, ({ resolveDir, kind }) =>
      resolve("./lazy-page-components.ts", { resolveDir, kind }),
    );
  },
};

interface BrowserPage {
  readonly html: string;
  /** An SVG. */
  readonly icon: string;
}

/** For a build that does not write by itself; its files go into `manager` below this folder. Both are paths. */
export function browserFiles(page: BrowserPage, dir: string): Plugin {
  return {
    name: "browser files",
    setup: ({ onEnd }) => {
      onEnd(({ errors, outputFiles }) => {
        if (errors.length === 0) write(outputFiles ?? [], page, dir);
      });
    },
  };
}

function write(
  files: readonly OutputFile[],
  page: BrowserPage,
  dir: string,
): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, "manager"), { recursive: true });
  for (const { path, contents } of files) {
    const target = join(dir, "manager", basename(path));
    // A font is compressed already. Browsers accept Brotli over HTTPS only.
    if (path.endsWith(".woff2")) writeFileSync(target, contents);
    else
      writeFileSync(
        `${target}.gz`,
        gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }),
      );
  }
  const html = readFileSync(page.html, "utf8");
  const mainStyle = nameOf(files, "css");
  if (!policyTag.test(html)) throw new Error(`${page.html} lacks its policy.`);
  for (const part of [scriptTag, styleTag, "<title>"])
    if (!html.includes(part)) throw new Error(`${page.html} lacks: ${part}`);
  const icon = encodeURIComponent(readFileSync(page.icon, "utf8"));
  writeFileSync(
    join(dir, "index.html"),
    html
      .replace(policyTag, "")
      // Otherwise browsers request one that is not there.
      .replace(
        "<title>",
        `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${icon}" />\n    <title>`,
      )
      .replace(
        scriptTag,
        `<script type="module" src="/manager/${nameOf(files, "js")}"></script>`,
      )
      .replace(
        styleTag,
        // Styles of the pages too: a page that is loaded later brings only its script.
        [mainStyle, ...stylesOf(files).filter((name) => name !== mainStyle)]
          .map((name) => `<link rel="stylesheet" href="/manager/${name}" />`)
          .join("\n    "),
      ),
  );
}

function stylesOf(files: readonly OutputFile[]): readonly string[] {
  return files
    .map(({ path }) => basename(path))
    .filter((name) => name.endsWith(".css"))
    .sort();
}

/** Of the entry, beside chunks. */
function nameOf(files: readonly OutputFile[], extension: string): string {
  const pattern = new RegExp(`^main-[A-Z0-9]{8}\\.${extension}$`);
  const found = files
    .map(({ path }) => basename(path))
    .find((name) => pattern.test(name));
  if (found === undefined)
    throw new Error(`The bundle has no main.${extension}.`);
  return found;
}
