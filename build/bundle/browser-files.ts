// Writes a bundle of the manager for browsers: every file compressed and under a name with the hash of its content, the page that
// names them, and what makes it a web app that can be installed.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip as gzipCallback } from "node:zlib";
import type { OutputFile, Plugin } from "esbuild";
import { partsOf, type BundleParts } from "./bundle-parts.ts";
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
  /** The part that most people open first: its styles are loaded with the page. */
  readonly firstPage: string;
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
          await write(outputFiles ?? [], partsOf(metafile), page, options);
      });
    },
  };
}

async function write(
  files: readonly OutputFile[],
  parts: BundleParts,
  page: BrowserPage,
  { dir, hasBrotli, firstPage }: BrowserOptions,
): Promise<void> {
  const compress = hasBrotli ? [gzipped, brotlied] : [gzipped];
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, "manager"), { recursive: true });
  const styles = stylesOf(files, parts, firstPage);
  const others = files
    .map(({ path, contents }) => ({ name: basename(path), contents }))
    .filter(({ name }) => name !== parts.entry.style);
  await Promise.all(
    [...others, styles.main, styles.later].map(async ({ name, contents }) => {
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
  const { script } = parts.entry;
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
          ...[...parts.first]
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
      .replace(
        styleTag,
        [
          `<link rel="stylesheet" href="/manager/${styles.main.name}" />`,
          ...styles.links,
        ].join("\n    "),
      ),
  );
}

interface Styles {
  readonly main: NamedContents;
  /** Of components that only other pages than the first one use. */
  readonly later: NamedContents;
  /** Disabled: a browser does not load them before `stylesOf` in the page enables those of a part. */
  readonly links: readonly string[];
}

interface NamedContents {
  readonly name: string;
  readonly contents: string | Uint8Array;
}

function stylesOf(
  files: readonly OutputFile[],
  { entry, first, later }: BundleParts,
  firstPage: string,
): Styles {
  const texts = new Map(
    files.map((file) => [basename(file.path), () => file.text]),
  );
  const textOf = (name: string): string => texts.get(name)?.() ?? "";
  const classesOf = (names: Iterable<string>): ReadonlySet<string> =>
    new Set([...names].flatMap((name) => [...classesIn(textOf(name))]));
  const opensWith = later.find(({ name }) => name === firstPage);
  if (opensWith === undefined)
    throw new Error(`The bundle has no ${firstPage}.`);
  const usedFirst = classesOf([...first, ...opensWith.scripts]);
  const usedLater = later.map(({ name, scripts, style }) => ({
    ...{ name, style },
    classes: classesOf(scripts),
  }));
  const split = splitStyles(
    textOf(entry.style),
    usedFirst,
    new Set(
      [usedFirst, ...usedLater.map(({ classes }) => classes)].flatMap(
        (classes) => [...classes],
      ),
    ),
  );
  const named = (name: string, contents: string): NamedContents => ({
    ...{ name: `${name}-${hashOf(contents)}.css`, contents },
  });
  const rest = named("components", split.later);
  const withMore = usedLater
    .filter(({ classes }) => [...classes].some((one) => !usedFirst.has(one)))
    .map(({ name }) => name);
  const link = (file: string, partNames: readonly string[]): string =>
    `<link rel="stylesheet" href="/manager/${file}" data-parts="${partNames.join(" ")}" disabled />`;
  return {
    main: named("main", split.first),
    later: rest,
    links: [
      link(rest.name, withMore),
      ...usedLater.flatMap(({ name, style }) =>
        style === null ? [] : [link(style, [name])],
      ),
    ],
  };
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
