// Writes a bundle of the manager for browsers: every file compressed and under a name with the hash of its content, the page that
// names them, and what makes it a web app that can be installed.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip as gzipCallback } from "node:zlib";
import type { OutputFile, Plugin } from "esbuild";
import { iconImage } from "./icon-image.ts";

const scriptTag = '<script src="main.js" defer></script>';
const styleTag = '<link rel="stylesheet" href="main.css" />';
/** The server sends a policy with the page (V2-771, V3-141). */
const policyTag =
  /\s*<!--(?:(?!-->)[\s\S])*-->\s*<meta\s+http-equiv="Content-Security-Policy"[^>]*>/;

/** A browser loads the pages of the manager one by one: those that this file names. */
export function pagesFrom(file: string): Plugin {
  return {
    name: "lazy pages",
    setup: ({ onResolve, resolve }) => {
      onResolve(
        { filter: /^\.\/page-components\.ts$/ },
        ({ resolveDir, kind }) => resolve(file, { resolveDir, kind }),
      );
    },
  };
}

interface BrowserPage {
  readonly html: string;
  /** An SVG. */
  readonly icon: string;
}

export interface BrowserOptions {
  /** The page goes here, its files into `manager` below. */
  readonly dir: string;
  /** Beside gzip; it takes seconds, and only encrypted connections use it. */
  readonly hasBrotli: boolean;
}

/** For a build that does not write by itself. */
export function browserFiles(
  page: BrowserPage,
  options: BrowserOptions,
): Plugin {
  return {
    name: "browser files",
    setup: ({ onEnd }) => {
      onEnd(async ({ errors, outputFiles }) => {
        if (errors.length === 0) await write(outputFiles ?? [], page, options);
      });
    },
  };
}

async function write(
  files: readonly OutputFile[],
  page: BrowserPage,
  { dir, hasBrotli }: BrowserOptions,
): Promise<void> {
  const compress = hasBrotli ? [gzipped, brotlied] : [gzipped];
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, "manager"), { recursive: true });
  await Promise.all(
    files.map(async ({ path, contents }) => {
      const target = join(dir, "manager", basename(path));
      // A font is compressed already.
      if (path.endsWith(".woff2")) writeFileSync(target, contents);
      else await Promise.all(compress.map((write) => write(target, contents)));
    }),
  );
  const webApp = await writeWebApp(page.icon, join(dir, "manager"));
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
        [
          `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${icon}" />`,
          `<link rel="manifest" href="/manager/${webApp.manifest}" />`,
          `<link rel="apple-touch-icon" href="/manager/${webApp.touchIcon}" />`,
          "<title>",
        ].join("\n    "),
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

const gzip = promisify(gzipCallback);
const brotli = promisify(brotliCompress);

async function gzipped(
  target: string,
  contents: Uint8Array | string,
): Promise<void> {
  const level = constants.Z_BEST_COMPRESSION;
  writeFileSync(`${target}.gz`, await gzip(contents, { level }));
}

/** Browsers accept it over HTTPS only. */
async function brotlied(
  target: string,
  contents: Uint8Array | string,
): Promise<void> {
  writeFileSync(`${target}.br`, await brotli(contents));
}

/** Icons as systems want them: those of the manifest, and the one of iOS. */
const iconSizes = [192, 512];
const touchIconSize = 180;

/** Returns the names of its files. */
async function writeWebApp(icon: string, dir: string) {
  const drawing = readFileSync(icon);
  const iconOf = async (size: number): Promise<string> => {
    const image = await iconImage(drawing, size);
    const name = `icon-${size}-${hashOf(image)}.png`;
    writeFileSync(join(dir, name), image);
    return name;
  };
  const icons = await Promise.all(
    iconSizes.map(async (size) => ({
      src: await iconOf(size),
      ...{ sizes: `${size}x${size}`, type: "image/png" },
    })),
  );
  const text = JSON.stringify({
    ...{ name: "Vitrine", short_name: "Vitrine", id: "/" },
    ...{ start_url: "/", scope: "/", display: "standalone" },
    ...{ background_color: "#0d1117", theme_color: "#0d1117" },
    icons,
  });
  const manifest = `manifest-${hashOf(text)}.webmanifest`;
  await gzipped(join(dir, manifest), text);
  return { manifest, touchIcon: await iconOf(touchIconSize) };
}

/** In the alphabet of esbuild's hashes. */
function hashOf(content: Uint8Array | string): string {
  return createHash("sha256")
    .update(content)
    .digest("hex")
    .slice(0, 8)
    .toUpperCase();
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
