// Renames identifiers in all sources by a map: node build/rename.ts MAP

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

/**
 * `old new [where…]`: the identifier `old` becomes `new` in all sources, or in those whose path begins with one of
 * `where`, or ends with it where it begins with `*`. The first line that matches a file counts.
 */
interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly where: readonly string[];
}

/** Strings, comments, JSX text and regular expressions are unchanged: what is sent or stored keeps its name. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const [mapPath] = process.argv.slice(2);
if (mapPath === undefined) throw new Error("node build/rename.ts MAP");
const renamings = readMap(readFileSync(mapPath, "utf8"));
const remarks: string[] = [];
let changedFiles = 0;
const used = new Set<Renaming>();
for (const path of sources()) {
  const before = readFileSync(path, "utf8");
  const after = renameIn(path, before);
  if (after === before) continue;
  writeFileSync(path, after);
  changedFiles += 1;
}
for (const renaming of renamings)
  if (!used.has(renaming)) remarks.push(`${renaming.from}: found nowhere`);
for (const remark of remarks) console.log(remark);
console.log(`${renamings.length} names, ${changedFiles} files`);

function readMap(text: string): readonly Renaming[] {
  return text
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [from, to, ...where] = line.split(/\s+/);
      if (from === undefined || to === undefined)
        throw new Error(`"${line}" names no new name.`);
      return { from, to, where };
    });
}

function sources(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "*.ts", "*.tsx"]);
  return listed.toString().split("\0").filter(Boolean);
}

function renameIn(path: string, text: string): string {
  const applicable = new Map<string, Renaming>();
  for (const renaming of renamings) {
    const { from, where } = renaming;
    const isMeant =
      where.length === 0 ||
      where.some((part) =>
        part.startsWith("*")
          ? path.endsWith(part.slice(1))
          : path.startsWith(part),
      );
    if (isMeant && text.includes(from) && !applicable.has(from))
      applicable.set(from, renaming);
  }
  if (applicable.size === 0) return text;
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const { places, strings } = namesIn(source);
  const names = new Set(places.map(({ name }) => name));
  for (const { from, to } of applicable.values()) {
    if (strings.has(from)) remarks.push(`${path}: "${from}" is a string, too`);
    if (names.has(from) && names.has(to))
      remarks.push(`${path}: ${to} (for ${from}) is a name already`);
  }
  let result = text;
  let isChanged = false;
  for (const { start, end, name } of places.toReversed()) {
    const renaming = applicable.get(name);
    if (!renaming) continue;
    used.add(renaming);
    isChanged = true;
    result = result.slice(0, start) + renaming.to + result.slice(end);
  }
  return isChanged ? renameInComments(result, applicable) : text;
}

/** Renames where a comment quotes the name as code. */
function renameInComments(
  text: string,
  applicable: ReadonlyMap<string, Renaming>,
): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, (line) =>
    line.replace(
      /`([\w$]+)`/g,
      (_quoted, name: string) => `\`${applicable.get(name)?.to ?? name}\``,
    ),
  );
}

function namesIn(source: ts.SourceFile): {
  readonly places: readonly Place[];
  readonly strings: ReadonlySet<string>;
} {
  const places: Place[] = [];
  const strings = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
      places.push({
        start: node.getStart(source),
        end: node.end,
        name: node.text,
      });
    if (ts.isStringLiteralLike(node)) strings.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    places: places.toSorted((one, other) => one.start - other.start),
    strings,
  };
}
