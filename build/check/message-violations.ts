// Checks the message catalogues: every language has the same messages with the same placeholders, every message is used, and
// every use names the placeholders of its message.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  parse,
  TYPE,
  type MessageFormatElement,
} from "@formatjs/icu-messageformat-parser";
import ts from "typescript";

const folder = "renderer/locales";
/** Defines the keys. */
const source = "en.json";

/** By key, its placeholders; by placeholder, how the message uses it: `count` → `plural`. */
type Catalogue = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** One sentence per violation, each beginning with its file. */
export function messageViolations(
  root: string,
  sources: readonly string[],
): readonly string[] {
  const names = existsSync(join(root, folder))
    ? readdirSync(join(root, folder)).filter((name) => name.endsWith(".json"))
    : [];
  if (!names.includes(source))
    return [`${folder}/${source}: is missing; it defines the messages`];
  const violations: string[] = [];
  const read = (name: string): Catalogue => {
    const file = `${folder}/${name}`;
    const text = readFileSync(join(root, file), "utf8");
    const { catalogue, problems } = parsedCatalogue(JSON.parse(text) as object);
    violations.push(...problems.map((problem) => `${file}: ${problem}`));
    return catalogue;
  };
  const english = read(source);
  for (const name of names.filter((name) => name !== source))
    violations.push(
      ...differences(english, read(name)).map(
        (difference) => `${folder}/${name}: ${difference}`,
      ),
    );
  const used = new Set<string>();
  for (const file of sources.filter((file) =>
    /^renderer\/.+\.tsx?$/.test(file),
  ))
    violations.push(...useViolations(root, file, english, used));
  for (const key of english.keys())
    if (!used.has(key))
      violations.push(`${folder}/${source}: "${key}" is used nowhere`);
  return violations;
}

function parsedCatalogue(content: object) {
  const catalogue = new Map<string, Map<string, string>>();
  const problems: string[] = [];
  const walk = (part: object, prefix: string): void => {
    for (const [name, value] of Object.entries(part) as [string, unknown][]) {
      const key = `${prefix}${name}`;
      if (typeof value === "object" && value !== null) walk(value, `${key}.`);
      else if (typeof value !== "string" || value === "")
        problems.push(`"${key}" must be a text that is not empty`);
      else
        try {
          const placeholders = new Map<string, string>();
          collect(parse(value, { ignoreTag: true }), placeholders);
          catalogue.set(key, placeholders);
        } catch (error) {
          problems.push(`"${key}" is no ICU message: ${String(error)}`);
        }
    }
  };
  walk(content, "");
  return { catalogue, problems };
}

function collect(
  elements: readonly MessageFormatElement[],
  into: Map<string, string>,
): void {
  for (const element of elements) {
    if (
      element.type === TYPE.literal ||
      element.type === TYPE.pound ||
      element.type === TYPE.tag
    )
      continue;
    // A number may be plain in one language and select a plural form in another.
    const isNumber = [TYPE.number, TYPE.plural].includes(element.type);
    into.set(element.value, isNumber ? "number" : TYPE[element.type]);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const option of Object.values(element.options))
        collect(option.value, into);
  }
}

function differences(english: Catalogue, other: Catalogue): string[] {
  const missing = [...english.keys()].filter((key) => !other.has(key));
  const surplus = [...other.keys()].filter((key) => !english.has(key));
  return [
    ...missing.map((key) => `"${key}" is missing`),
    ...surplus.map((key) => `"${key}" is not in ${source}`),
    ...[...other].flatMap(([key, placeholders]) => {
      const expected = english.get(key);
      return expected === undefined || isSame(expected, placeholders)
        ? []
        : [
            `"${key}" has the placeholders ${listed(placeholders)}, ${source} has ${listed(expected)}`,
          ];
    }),
  ];
}

function isSame(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): boolean {
  return (
    one.size === other.size &&
    [...one].every(([name, kind]) => other.get(name) === kind)
  );
}

function listed(placeholders: ReadonlyMap<string, string>): string {
  const names = [...placeholders].map(([name, kind]) => `${name} (${kind})`);
  return names.length === 0 ? "none" : names.join(", ");
}

/** The violations of one source file; notes which messages it uses. */
function useViolations(
  root: string,
  file: string,
  english: Catalogue,
  used: Set<string>,
): string[] {
  const violations: string[] = [];
  const content = readFileSync(join(root, file), "utf8");
  const tree = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const keysLike = (pattern: RegExp): string[] =>
    [...english.keys()].filter((key) => pattern.test(key));

  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node);
    // Any text that reads like a key: keys are kept in tables and variables too.
    if (pattern !== undefined)
      for (const key of keysLike(pattern)) used.add(key);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
      checkCall(node, node.expression.text);
    if (ts.isImportDeclaration(node)) useImported(node);
    ts.forEachChild(node, visit);
  };

  function checkCall(call: ts.CallExpression, name: string): void {
    const isGroup = name === "messageFor";
    if (name !== "t" && name !== "plainMessage" && !isGroup) return;
    const [subject] = call.arguments;
    const values = call.arguments[isGroup ? 2 : 1];
    // Each code of a group may have values of its own, which another table computes.
    const isTable = isGroup && values && !ts.isObjectLiteralExpression(values);
    for (const branch of branchesOf(subject)) {
      const pattern = patternOf(branch, isGroup ? groupSuffix(call) : "$");
      if (pattern === undefined) continue;
      const keys = keysLike(pattern);
      for (const key of keys) used.add(key);
      const problem =
        keys.length === 0
          ? "names no message"
          : isTable
            ? undefined
            : placeholderProblem(
                keys.map(
                  (key) => english.get(key) ?? new Map<string, string>(),
                ),
                values,
              );
      if (problem === undefined) continue;
      const { line } = tree.getLineAndCharacterOfPosition(call.getStart(tree));
      violations.push(
        `${file}:${String(line + 1)}: ${branch.getText(tree)} ${problem}`,
      );
    }
  }

  /** `import { idleScreen } from "../locales/en.json"` uses all messages of that group. */
  function useImported({
    moduleSpecifier,
    importClause,
  }: ts.ImportDeclaration) {
    const named = importClause?.namedBindings;
    if (
      !ts.isStringLiteral(moduleSpecifier) ||
      !moduleSpecifier.text.endsWith(`/locales/${source}`) ||
      named === undefined ||
      !ts.isNamedImports(named)
    )
      return;
    for (const { name, propertyName } of named.elements)
      for (const key of english.keys())
        if (key.startsWith(`${(propertyName ?? name).text}.`)) used.add(key);
  }

  visit(tree);
  return violations;
}

/** Both branches of a condition, each by itself. */
function branchesOf(node: ts.Expression | undefined): readonly ts.Expression[] {
  if (node === undefined) return [];
  if (ts.isConditionalExpression(node))
    return [...branchesOf(node.whenTrue), ...branchesOf(node.whenFalse)];
  return ts.isParenthesizedExpression(node)
    ? branchesOf(node.expression)
    : [node];
}

/** Matches the keys that a text or a template in the code can name; undefined for other code, and for what is no path. */
function patternOf(node: ts.Node, suffix = ""): RegExp | undefined {
  const parts = ts.isStringLiteralLike(node)
    ? [node.text]
    : ts.isTemplateExpression(node)
      ? [
          node.head.text,
          ...node.templateSpans.map(({ literal }) => literal.text),
        ]
      : [];
  if (!parts[0]?.includes(".") && suffix === "") return undefined;
  if (parts.length === 0) return undefined;
  return new RegExp(`^${parts.map(escaped).join(anyCode)}${suffix}$`);
}

/** What a composed key may hold in the place of an expression: a code, also a version such as "v4.1". */
const anyCode = "[^.]+(?:\\.\\d+)?";

/** The rest of the keys of `messageFor(group, code)`, where the code may be a template: `${code}.message`. */
function groupSuffix(call: ts.CallExpression): string {
  const code = call.arguments[1];
  if (code === undefined || !ts.isTemplateExpression(code)) return "\\..+";
  const parts = [
    code.head.text,
    ...code.templateSpans.map(({ literal }) => literal.text),
  ];
  return `\\.${parts.map(escaped).join(anyCode)}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** What is wrong with the values given for one of these messages. */
function placeholderProblem(
  messages: readonly ReadonlyMap<string, string>[],
  values: ts.Expression | undefined,
): string | undefined {
  const known = new Set(messages.flatMap((message) => [...message.keys()]));
  // A composed key may name messages that its code never reaches: what all of them need is needed.
  const needed = [...known].filter((name) =>
    messages.every((message) => message.has(name)),
  );
  if (values !== undefined && !ts.isObjectLiteralExpression(values))
    return "needs its values as an object literal, so that they can be checked";
  const properties = values?.properties ?? [];
  const given = new Set(
    properties.map((property) =>
      property.name !== undefined && !ts.isComputedPropertyName(property.name)
        ? property.name.text
        : "…",
    ),
  );
  const missing = needed.filter((name) => !given.has(name));
  const surplus = [...given].filter((name) => !known.has(name));
  if (missing.length > 0) return `needs ${missing.join(", ")}`;
  return surplus.length > 0 ? `has no ${surplus.join(", ")}` : undefined;
}
