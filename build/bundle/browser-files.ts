// Writes a bundle of the manager for browsers: every file compressed and under a name with the hash of its content, the page that
// names them, and what makes it a web app that can be installed.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip as gzipCallback } from "node:zlib";
import type { OutputFile, Plugin } from "esbuild";
import { firstPartOf, type FirstPart } from "./first-part.ts";
import { iconImage } from "./icon-image.ts";
import { classesIn, splitStyles } from "./split-styles.ts";

const scriptTag = '<script src="main.js" defer></script>';
const styleTag = '<link rel="stylesheet" href="main.css" />';
/** The server sends a policy with the page (V2-771, V3-141). */
const policyTag =
  /\s*<!--(?:(?!-->)[\s\S])*-->\s*<meta\s+http-equiv="Content-Security-Policy"[^>]*>/;

/** A browser loads the manager in parts: in the place of a module, by its file's name, another one is bundled that loads them later. */
export function inPlaceOf(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: "modules for browsers",
    setup: ({ onResolve, resolve }) => {
      onResolve(
        { filter: /^\.\.?\/.*\.tsx?$/ },
        ({ path, resolveDir, kind, pluginData }) => {
          const other = modules[posix.basename(path)];
          // One that is in its place may have the same name.
          if (other === undefined || pluginData === replaced) return undefined;
          const file = posix.join(posix.dirname(path), other);
          return resolve(file.startsWith(".") ? file : `./${file}`, {
            ...{ resolveDir, kind, pluginData: replaced },
          });
        },
      );
    },
  };
}

const replaced = Symbol("replaced");

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

/** For a build that does not write by itself, and has a metafile. */
export function browserFiles(
  page: BrowserPage,
  options: BrowserOptions,
): Plugin {
  return {
    name: "browser files",
    setup: ({ onEnd }) => {
      onEnd(async ({ errors, outputFiles, metafile }) => {
        if (errors.length === 0 && metafile)
          await write(outputFiles ?? [], firstPartOf(metafile), page, options);
      });
    },
  };
}

async function write(
  files: readonly OutputFile[],
  first: FirstPart,
  page: BrowserPage,
  { dir, hasBrotli }: BrowserOptions,
): Promise<void> {
  const compress = hasBrotli ? [gzipped, brotlied] : [gzipped];
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, "manager"), { recursive: true });
  const styleSheets = styleSheetsOf(files, first);
  const others = files
    .map(({ path, contents }) => ({ name: basename(path), contents }))
    .filter(({ name }) => !name.endsWith(".css"));
  await Promise.all(
    [...others, ...styleSheets].map(async ({ name, contents }) => {
      const target = join(dir, "manager", name);
      // A font is compressed already.
      if (name.endsWith(".woff2")) writeFileSync(target, contents);
      else await Promise.all(compress.map((write) => write(target, contents)));
    }),
  );
  const webApp = await writeWebApp(page.icon, join(dir, "manager"));
  const html = readFileSync(page.html, "utf8");
  if (!policyTag.test(html)) throw new Error(`${page.html} lacks its policy.`);
  for (const part of [scriptTag, styleTag, "<title>"])
    if (!html.includes(part)) throw new Error(`${page.html} lacks: ${part}`);
  const icon = encodeURIComponent(readFileSync(page.icon, "utf8"));
  const { script } = first;
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
          // Otherwise they are requested only when the script that imports them is there.
          ...[...first.scripts]
            .filter((name) => name !== script)
            .map(
              (name) => `<link rel="modulepreload" href="/manager/${name}" />`,
            ),
          "<title>",
        ].join("\n    "),
      )
      .replace(
        scriptTag,
        `<script type="module" src="/manager/${script}"></script>`,
      )
      .replace(styleTag, styleSheets.map(linkOf).join("\n    ")),
  );
}

interface StyleSheet {
  readonly name: string;
  readonly contents: string;
  readonly isFirst: boolean;
}

/** Styles of every page, with those of the library's components that the first one uses; and those of the other components. */
function styleSheetsOf(
  files: readonly OutputFile[],
  { style, scripts }: FirstPart,
): readonly StyleSheet[] {
  const first = new Set<string>();
  const all = new Set<string>();
  let styles = "";
  for (const file of files) {
    const name = basename(file.path);
    if (name === style) styles = file.text;
    if (!name.endsWith(".js")) continue;
    for (const found of classesIn(file.text)) {
      all.add(found);
      if (scripts.has(name)) first.add(found);
    }
  }
  const split = splitStyles(styles, first, all);
  return [
    {
      ...{ name: `main-${hashOf(split.first)}.css`, contents: split.first },
      isFirst: true,
    },
    {
      ...{
        name: `components-${hashOf(split.later)}.css`,
        contents: split.later,
      },
      isFirst: false,
    },
  ];
}

/** A browser does not load a disabled one before `lazyPart` in the page enables it. */
function linkOf({ name, isFirst }: StyleSheet): string {
  const later = isFirst ? "" : " data-later disabled";
  return `<link rel="stylesheet" href="/manager/${name}"${later} />`;
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
