// Stages native modules, which cannot be bundled: their scripts, the binaries for this system, and their dependencies.

import { existsSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { nativeModules } from "../bundle/node-bundles.ts";
import type { PackedElectron } from "./electron.ts";
import { projectRoot } from "./paths.ts";

interface About {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Build-time dependencies, not needed at run time. */
const ofBuilding = new Set(["node-addon-api", "node-gyp", "prebuild-install"]);
const forSystem = `${process.platform}-${process.arch}`;

/** Stages these and what they need; returns versions by name. */
export async function stageModules(
  app: string,
  { sqliteBinding }: Pick<PackedElectron, "sqliteBinding">,
  names: readonly string[] = nativeModules,
): Promise<Readonly<Record<string, string>>> {
  const staged = new Map<string, string>();
  const left = [...names];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (staged.has(name)) continue;
    const from = join(projectRoot, "node_modules", name);
    const about = (await readJson(
      join(from, "package.json"),
    )) as unknown as About;
    const needs = needsOf(about);
    staged.set(name, about.version);
    left.push(...Object.keys(needs));
    await copyModule(from, join(app, "node_modules", name), about, needs);
  }
  await placeBinding(app, sqliteBinding);
  return Object.fromEntries(staged);
}

/** Of the optional binaries, those for this system. */
function needsOf(about: About): Readonly<Record<string, string>> {
  const all = { ...about.dependencies, ...about.optionalDependencies };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => {
      if (ofBuilding.has(name)) return false;
      const isThere = existsSync(join(projectRoot, "node_modules", name));
      return (
        isThere && (!/^@img\/sharp-/.test(name) || name.endsWith(forSystem))
      );
    }),
  );
}

async function copyModule(
  from: string,
  to: string,
  about: About,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: (path) => isOfRunning(relative(from, path)),
  });
  // Some modules read their own manifest: sharp finds the required version of libvips there.
  const { name, version, main, exports, type, license, engines, config } =
    await readJson(join(from, "package.json"));
  const manifest = {
    name,
    version,
    main,
    exports,
    type,
    license,
    engines,
    config,
  };
  await writeFile(
    join(to, "package.json"),
    `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`,
  );
}

function isOfRunning(path: string): boolean {
  const name = basename(path);
  if (/^(src|deps|test|tests|install|node_modules|docs)$/.test(path))
    return false;
  if (/\.(map|[cm]?ts|gypi?|md|h|hpp|cc|cpp)$/i.test(name)) return false;
  if (/^prebuilds[/\\]/.test(path)) return name === `${forSystem}.node`;
  return !/^lib[/\\](darwin|linux|linuxmusl|win32)-/.test(path);
}

/** For an Electron too old for the bundled binary, replaces it by the one compiled for it. */
async function placeBinding(
  app: string,
  sqliteBinding: string | null,
): Promise<void> {
  const place = join(
    app,
    "node_modules/better-sqlite3/prebuilds",
    `${forSystem}.node`,
  );
  if (sqliteBinding !== null) await cp(sqliteBinding, place);
  if (!existsSync(place))
    throw new Error(`better-sqlite3 has no binary for ${forSystem}.`);
}

export async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}
