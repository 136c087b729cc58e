// House rules that no other tool checks: file names, the top level, the lock file, and registry commands in scripts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { floors, sourceFiles } from "./sources.ts";

const topLevel = new Set([
  ...floors,
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "README.md",
  "node_modules",
  "dist",
  "release",
]);

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
const pascalCase = /^([A-Z][a-z0-9]*)+(\.test)?\.tsx$/;
const meaninglessNames = new Set([
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "shared",
  "misc",
  "types",
  "index",
]);

/** One sentence per violation, each beginning with its file. */
export function houseViolations(
  root: string,
  sources: readonly string[],
): readonly string[] {
  return [
    ...topLevelViolations(root),
    ...lockViolations(root),
    ...[...sources, ...sourceFiles(root, /\.css$/)].flatMap(nameViolations),
    ...sourceFiles(root, /\.ps1$/).flatMap((file) =>
      registryViolations(file, readFileSync(join(root, file), "utf8")),
    ),
  ];
}

function topLevelViolations(root: string): string[] {
  return readdirSync(root)
    .filter(
      (name) =>
        !name.startsWith(".") &&
        !topLevel.has(name) &&
        !/^LICEN[CS]E/.test(name),
    )
    .map(
      (name) =>
        `${name}: has no place at the top level; see README.md for the tree`,
    );
}

/** New-Item -Force on an existing key first removes it, with all its values and subkeys. */
function registryViolations(file: string, script: string): string[] {
  return script
    .split("\n")
    .flatMap((line, at) =>
      /^[^#]*\bNew-Item\b/i.test(line) && /\s-Force\b/i.test(line)
        ? [
            `${file}:${String(at + 1)}: New-Item -Force empties a registry key that is there; set values through electron/autostart/windows-setup.ts`,
          ]
        : [],
    );
}

function lockViolations(root: string): string[] {
  const lock = join(root, "package-lock.json");
  if (!existsSync(lock)) return [];
  const text = readFileSync(lock, "utf8");
  const violations = unlockedPackages(text).map(
    (name) =>
      `package-lock.json: lacks ${name}, which another system installs: npm ci refuses the file there`,
  );
  if (/"resolved": "http/.test(text))
    violations.push(
      "package-lock.json: names a download address; .npmrc keeps them out, so run npm install here",
    );
  return violations;
}

/** Dependencies for some platform that the lock file lacks: npm omits what a registry did not have. */
function unlockedPackages(text: string): readonly string[] {
  const { packages = {} } = JSON.parse(text) as {
    packages?: Record<string, { optionalDependencies?: object }>;
  };
  return Object.entries(packages).flatMap(([place, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).filter(
      (name) => !isFoundFrom(place, name),
    ),
  );

  /** In its own node_modules folder, or in one further up, as Node resolves it. */
  function isFoundFrom(place: string, name: string): boolean {
    if (packages[`${place === "" ? "" : `${place}/`}node_modules/${name}`])
      return true;
    if (place === "") return false;
    const parent = place.slice(0, place.lastIndexOf("node_modules/"));
    return isFoundFrom(parent.replace(/\/$/, ""), name);
  }
}

function nameViolations(file: string): string[] {
  const violations = [];
  const name = basename(file);
  const empty = file
    .split("/")
    .find((part) => meaninglessNames.has(part.split(".")[0] ?? ""));
  if (empty !== undefined)
    violations.push(`${file}: "${empty}" names nothing; name the thing inside`);
  if (!kebabCase.test(name) && !pascalCase.test(name))
    violations.push(
      `${file}: files are kebab-case, a component's file is PascalCase.tsx`,
    );
  return violations;
}
