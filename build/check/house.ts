// The rules of the house no tool knows: first lines, lengths, names and the top level.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { floors, sourceFiles } from "./sources.ts";

const longestFile = 400;
/** Lists that may be long: schemas, catalogues and migrations. */
const mayBeLong =
  /^server\/contract\/|(^|\/)(catalogue|migrations)(\.test)?\.ts$/;

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

const firstLine = /^(\/\/|\/\*\*?) (?!eslint|prettier|@|<)\S+( \S+){2,}/;
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
const pascalCase = /^([A-Z][a-z0-9]*)+(\.test)?\.tsx$/;
const saysNothing = new Set([
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

/** One sentence per offence, each beginning with the file it is about. */
export function houseOffences(
  root: string,
  sources: readonly string[],
): readonly string[] {
  return [
    ...topLevelOffences(root),
    ...lockOffences(root),
    ...[...sources, ...sourceFiles(root, /\.css$/)].flatMap((file) => [
      ...nameOffences(file),
      ...textOffences(file, readFileSync(join(root, file), "utf8")),
    ]),
  ];
}

function topLevelOffences(root: string): string[] {
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

function lockOffences(root: string): string[] {
  const lock = join(root, "package-lock.json");
  const named =
    existsSync(lock) && /"resolved": "http/.test(readFileSync(lock, "utf8"));
  return named
    ? [
        "package-lock.json: names a download address; .npmrc keeps them out, so run npm install here",
      ]
    : [];
}

function nameOffences(file: string): string[] {
  const offences = [];
  const name = basename(file);
  const empty = file
    .split("/")
    .find((part) => saysNothing.has(part.split(".")[0] ?? ""));
  if (empty !== undefined)
    offences.push(`${file}: "${empty}" names nothing; name the thing inside`);
  if (!kebabCase.test(name) && !pascalCase.test(name))
    offences.push(
      `${file}: files are kebab-case, a component's file is PascalCase.tsx`,
    );
  return offences;
}

function textOffences(file: string, text: string): string[] {
  const offences = [];
  const lines = text.replace(/\n$/, "").split("\n");
  if (!firstLine.test(lines[0] ?? ""))
    offences.push(
      `${file}:1: the first line is a comment, one sentence saying what the file is for`,
    );
  if (lines.length > longestFile && !mayBeLong.test(file))
    offences.push(
      `${file}: ${String(lines.length)} lines; at ${String(longestFile)} it is two files`,
    );
  return offences;
}
