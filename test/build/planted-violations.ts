// One offence for each rule the guards hold, and how the guard should name it.

import type { Files } from "./small-tree.ts";

interface Offence {
  readonly what: string;
  readonly files: Files;
  readonly expected: RegExp;
}

const first = "// A planted offence for the guard.\n\n";

function plant(
  what: string,
  file: string,
  text: string,
  expected: RegExp,
): Offence {
  return { what, files: { [file]: first + text }, expected };
}

/** An import, and the rule that refuses it. */
function refusedImport(rule: string, file: string, line: string): Offence {
  const expected = new RegExp(`^${file} → .+ \\(${rule}\\)$`, "m");
  return plant(`${file}: ${line}`, file, `${line}\n`, expected);
}

const types = [
  plant(
    "a file opened in core",
    "server/core/opens.ts",
    `import { readFileSync } from "node:fs";\nexport const text = readFileSync("a");\n`,
    /server\/core\/opens\.ts.+'node:fs'/,
  ),
  plant(
    "a console in core",
    "server/core/prints.ts",
    `console.log("a");\nexport {};\n`,
    /server\/core\/prints\.ts.+'console'/,
  ),
  plant(
    "a timer in the contract",
    "server/contract/waits.ts",
    `setTimeout(() => 0, 1);\nexport {};\n`,
    /server\/contract\/waits\.ts.+'setTimeout'/,
  ),
  plant(
    "a document in the player",
    "server/player/paints.ts",
    `document.title = "a";\nexport {};\n`,
    /server\/player\/paints\.ts.+'document'/,
  ),
  plant(
    "a window in electron",
    "electron/paints.ts",
    `window.close();\nexport {};\n`,
    /electron\/paints\.ts.+'window'/,
  ),
  plant(
    "a process in a page",
    "renderer/playback/asks.ts",
    `export const version = process.version;\n`,
    /renderer\/playback\/asks\.ts.+'process'/,
  ),
  plant(
    "an element that may be missing",
    "server/player/first.ts",
    `export const first: string = ["a"].slice(1)[0];\n`,
    /server\/player\/first\.ts.+'string \| undefined'/,
  ),
];

const imports = [
  refusedImport(
    "core-imports-nothing",
    "server/core/opens.ts",
    `import "node:fs";`,
  ),
  refusedImport(
    "core-imports-nothing",
    "server/core/names.ts",
    `import type { log } from "../platform/log.ts";`,
  ),
  refusedImport(
    "contract-imports-core-and-zod",
    "server/contract/serves.ts",
    `import "node:http";`,
  ),
  refusedImport(
    "platform-knows-nothing-of-ours",
    "server/platform/shows.ts",
    `import "../core/asset.ts";`,
  ),
  refusedImport(
    "player-and-content-never-on-each-other",
    "server/content/takes.ts",
    `import "../player/player.ts";`,
  ),
  refusedImport(
    "renderer-sees-core-and-contract",
    "renderer/playback/reaches.ts",
    `import "../../server/player/player.ts";`,
  ),
  refusedImport(
    "electron-enters-by-the-doors",
    "electron/climbs.ts",
    `import "../server/player/serves.ts";`,
  ),
  refusedImport(
    "build-reads-the-configuration-only",
    "build/peeks.ts",
    `import "../server/core/asset.ts";`,
  ),
  refusedImport(
    "express-in-the-interfaces",
    "server/player/serves.ts",
    `import type { Router } from "express";`,
  ),
  refusedImport(
    "react-in-the-manager",
    "renderer/playback/draws.ts",
    `import "react";`,
  ),
  refusedImport(
    "react-in-the-manager",
    "renderer/playback/decorates.ts",
    `import "@tabler/icons-react";`,
  ),
  refusedImport(
    "databases-behind-the-platform",
    "server/player/stores.ts",
    `import "better-sqlite3";`,
  ),
  refusedImport(
    "kysely-in-the-content-service",
    "server/player/queries.ts",
    `import "kysely";`,
  ),
  refusedImport(
    "electron-only-in-electron",
    "server/player/opens.ts",
    `import "electron";`,
  ),
  refusedImport(
    "nothing-imports-a-test",
    "server/player/borrows.ts",
    `import "../../test/server/player/player.test.ts";`,
  ),
  refusedImport(
    "imports-lead-somewhere",
    "server/player/guesses.ts",
    `import "./nowhere.ts";`,
  ),
  refusedImport("no-circles", "server/content/egg.ts", `import "./hen.ts";`),
  plant(
    "the other half of the circle",
    "server/content/hen.ts",
    `import type {} from "./egg.ts";\n`,
    /egg\.ts → server\/content\/hen\.ts → server\/content\/egg\.ts|hen\.ts → server\/content\/egg\.ts → server\/content\/hen\.ts/,
  ),
  {
    what: "two folders that need each other, without a circle of files",
    files: {
      "server/player/hens/hen.ts": `${first}import "../eggs/shell.ts";\n`,
      "server/player/eggs/egg.ts": `${first}import "../hens/hen.ts";\n`,
      "server/player/eggs/shell.ts": `${first}export {};\n`,
    },
    expected: /^server\/player\/eggs → .+ \(folders-in-one-direction\)$/m,
  },
  plant(
    "a file of core no test reaches",
    "server/core/lonely.ts",
    `export const lonely = true;\n`,
    /^server\/core\/lonely\.ts \(reached-by-a-test\)$/m,
  ),
];

/** A statement that needs types to be judged, in a file named after the rule that refuses it. */
function refusedStatement(rule: string, statement: string): Offence {
  const file = `server/player/${rule}.ts`;
  return plant(
    `${rule}: ${statement}`,
    file,
    `${statement}\n`,
    new RegExp(`^${file}:3:\\d+: .+ \\(typescript/${rule}\\)$`, "m"),
  );
}

const lint = [
  refusedStatement(
    "await-thenable",
    `export const one = async (n: number) => [await n];`,
  ),
  refusedStatement(
    "no-array-delete",
    `export const drop = (list: number[]) => delete list[0];`,
  ),
  refusedStatement(
    "no-base-to-string",
    `export const text = (value: { a: 1 }) => String(value);`,
  ),
  refusedStatement(
    "no-duplicate-type-constituents",
    `export type Twice = "a" | "b" | "a";`,
  ),
  refusedStatement(
    "no-for-in-array",
    `for (const at in ["a"]) process.stdout.write(at);`,
  ),
  refusedStatement("no-implied-eval", `setTimeout("process.exit()", 1);`),
  refusedStatement(
    "no-misused-promises",
    `["a"].forEach(async (text) => Promise.resolve(text));`,
  ),
  refusedStatement(
    "no-redundant-type-constituents",
    `export type Any = string | unknown;`,
  ),
  refusedStatement(
    "no-unnecessary-type-assertion",
    `export const same = (text: string) => text as string;`,
  ),
  refusedStatement(
    "no-unsafe-argument",
    `process.stdout.write(JSON.parse("1"));`,
  ),
  refusedStatement(
    "no-unsafe-assignment",
    `export const parsed = JSON.parse("1");`,
  ),
  refusedStatement("no-unsafe-call", `JSON.parse("1")();`),
  refusedStatement(
    "no-unsafe-enum-comparison",
    `declare enum Kind { A = "a" } export const isA = (kind: Kind) => kind === "a";`,
  ),
  refusedStatement(
    "no-unsafe-member-access",
    `export const size = (JSON.parse("1") as any).size as number;`,
  ),
  refusedStatement(
    "no-unsafe-return",
    `export const parse = (text: string) => JSON.parse(text);`,
  ),
  refusedStatement(
    "no-unsafe-unary-minus",
    `export const minus = (text: string) => -text;`,
  ),
  refusedStatement(
    "only-throw-error",
    `export const fail = () => { throw "a"; };`,
  ),
  refusedStatement(
    "prefer-promise-reject-errors",
    `export const refused = () => Promise.reject("a");`,
  ),
  refusedStatement(
    "restrict-plus-operands",
    `export const sum = (a: string, b: string[]) => a + b;`,
  ),
  refusedStatement(
    "restrict-template-expressions",
    "export const line = (list: string[]) => `${list}`;",
  ),
  plant(
    "a floating promise",
    "server/player/floats.ts",
    `export function float(): void {\n  Promise.resolve();\n}\n`,
    /server\/player\/floats\.ts:4.+no-floating-promises/,
  ),
  plant(
    "a promise hidden by void in the manager",
    "renderer/manager/hides.ts",
    `export function hide(): void {\n  void Promise.resolve();\n}\n`,
    /renderer\/manager\/hides\.ts:4.+no-floating-promises/,
  ),
  plant(
    "a promise hidden by void in a returned value",
    "renderer/manager/returns.ts",
    `export function hide(): void {\n  return void Promise.resolve();\n}\n`,
    /renderer\/manager\/returns\.ts:4.+no-void-promise/,
  ),
  plant(
    "a promise hidden by void in the body of a function",
    "renderer/manager/discards.ts",
    `export const hide = () => void Promise.resolve();\n`,
    /renderer\/manager\/discards\.ts:3.+no-void-promise/,
  ),
  plant(
    "an object type that is written twice",
    "server/player/repeats.ts",
    `export type Twice = { a: 1 } | { a: 1 };\n`,
    /server\/player\/repeats\.ts:3.+no-repeated-type/,
  ),
  ...[
    ["no-unused-vars", "const unread = 1;\nexport {};"],
    ["no-control-regex", "export const control = /\\x00/;"],
    ["eqeqeq", "export const isSame = (a: string, b: string) => a == b;"],
    ["prefer-const", "let one = 1;\nexport const two = one + one;"],
    ["no-explicit-any", "export const all: any[] = [];"],
    ["no-empty-object-type", "export type Empty = {};"],
    [
      "no-useless-assignment",
      "export function two(): number {\n  let one = 1;\n  one = 2;\n  return one;\n}",
    ],
    ["no-super-linear-backtracking", "export const slow = /^(a+)+$/;"],
  ].map(([rule = "", text = ""]) =>
    plant(
      `${rule}: ${text}`,
      `server/player/${rule}.ts`,
      `${text}\n`,
      new RegExp(`^server/player/${rule}\\.ts:[34]:\\d+: .+/${rule}\\)$`, "m"),
    ),
  ),
  plant(
    "a name that is not defined, in plain JavaScript",
    "build/undefined-name.mjs",
    "export const one = nowhere;\n",
    /build\/undefined-name\.mjs:3:\d+: .+nowhere.+no-undef/,
  ),
  plant(
    "a default export in plain JavaScript",
    "build/default-export.mjs",
    "export default 1;\n",
    /build\/default-export\.mjs:3:\d+: .+by its name/,
  ),
  plant(
    "a useless directive for the linter of syntax",
    "server/player/disables-syntax.ts",
    `// eslint-disable-next-line no-control-regex\nexport {};\n`,
    /server\/player\/disables-syntax\.ts:3.+Unused eslint-disable directive/,
  ),
  plant(
    "a useless directive for the linter of types",
    "server/player/disables-types.ts",
    `// oxlint-disable-next-line typescript/await-thenable\nexport {};\n`,
    /server\/player\/disables-types\.ts:3.+Unused oxlint-disable directive/,
  ),
  plant(
    "a forgotten case",
    "server/player/forgets.ts",
    `export function name(kind: "a" | "b"): string {\n  switch (kind) {\n    case "a":\n      return "A";\n  }\n  return "";\n}\n`,
    /server\/player\/forgets\.ts:4.+switch-exhaustiveness-check/,
  ),
  plant(
    "a type imported as a value",
    "server/player/imports.ts",
    `import { Asset } from "../core/asset.ts";\nexport type Own = Asset;\n`,
    /server\/player\/imports\.ts:3.+consistent-type-imports/,
  ),
  plant(
    "a clock in core",
    "server/core/clock.ts",
    `export const a = Date.now();\nexport const b = new Date();\n`,
    /clock\.ts:3.+no clock[^]+clock\.ts:4.+no clock/,
  ),
  plant(
    "chance in core",
    "server/core/dice.ts",
    `export const dice = Math.random();\n`,
    /server\/core\/dice\.ts:3.+no dice/,
  ),
  plant(
    "the environment read in the player",
    "server/player/environment.ts",
    `export const home = process.env.HOME;\n`,
    /server\/player\/environment\.ts:3.+reads? the environment/,
  ),
  plant(
    "ipcMain outside electron/ipc.ts",
    "electron/listens.ts",
    `import { ipcMain } from "electron";\nipcMain.removeAllListeners();\n`,
    /electron\/listens\.ts:3.+touches ipcMain/,
  ),
  plant(
    "a default export",
    "server/player/default.ts",
    `export default 1;\n`,
    /server\/player\/default\.ts:3.+by its name/,
  ),
  plant(
    "a hook asked only sometimes",
    "renderer/manager/AssetsPage.tsx",
    `import { useState } from "react";\nexport function AssetsPage(props: { open: boolean }) {\n  if (props.open) useState(0);\n  return null;\n}\n`,
    /renderer\/manager\/AssetsPage\.tsx:5.+rules-of-hooks/,
  ),
  ...[
    [
      "exhaustive-deps",
      "useEffect(() => {\n    document.title = text;\n  }, []);",
    ],
    [
      "static-components",
      "const Inner = () => null;\n  if (text) return <Inner />;",
    ],
    ["set-state-in-effect", "useEffect(() => setOne(2), []);"],
    ["set-state-in-render", "setOne(one + 1);"],
    ["purity", "const at = Math.random();\n  if (at > 1) return at;"],
    ["refs", "const last = useRef(1);\n  last.current = 2;"],
    [
      "immutability",
      "const [made] = useState({ text });\n  made.text = one + text;",
    ],
    ["globals", "document.title = text;\n  counted = 2;"],
    [
      "error-boundaries",
      "try {\n    return <p>{text}</p>;\n  } catch {\n    return null;\n  }",
    ],
    [
      "use-memo",
      "const all = useMemo(async () => [text], [text]);\n  if (!all) return 1;",
    ],
  ].map(([rule = "", text = ""]) => {
    const file = `renderer/manager/Against-${rule}.tsx`;
    return plant(
      `${rule}: ${text}`,
      file,
      `import { useEffect, useMemo, useRef, useState } from "react";
let counted = 1;
export function Asset({ text }: { text: string }) {
  const [one, setOne] = useState(1);
  ${text}
  return one + counted;
}
export { useEffect, useMemo, useRef };
`,
      new RegExp(`^${file}:\\d+:\\d+: .+react(-hooks)?/${rule}\\)$`, "m"),
    );
  }),
];

const unused = [
  plant(
    "a file nobody imports",
    "server/player/orphan.ts",
    `export const orphan = true;\n`,
    /Unused files[^]+server\/player\/orphan\.ts/,
  ),
  plant(
    "an export nobody uses",
    "server/platform/log.ts",
    `export function log(event: string): void {\n  process.stdout.write(event);\n}\n\nexport function unheard(): void {}\n`,
    /Unused exports[^]+unheard .+server\/platform\/log\.ts/,
  ),
  plant(
    "a package nobody listed",
    "renderer/playback/main.ts",
    `import "uqr";\n`,
    /Unlisted dependencies[^]+uqr .+renderer\/playback\/main\.ts/,
  ),
];

const format = [
  plant(
    "a file not formatted",
    "server/player/crooked.ts",
    `export const crooked={a:1}\n`,
    /server\/player\/crooked\.ts/,
  ),
];

const house = [
  plant(
    "a registry key that loses what it holds",
    "build/sets.ps1",
    "New-Item -Path HKLM:\\SOFTWARE\\Vitrine -Force | Out-Null\n",
    /^build\/sets\.ps1:3: New-Item -Force empties a registry key/m,
  ),
  plant(
    "a name that names nothing",
    "server/player/utils.ts",
    "export {};\n",
    /^server\/player\/utils\.ts: "utils\.ts" names nothing/m,
  ),
  plant(
    "a name in another spelling",
    "server/player/playList.ts",
    "export {};\n",
    /^server\/player\/playList\.ts: files are kebab-case/m,
  ),
  {
    what: "a stranger at the top level",
    files: { "docs/decisions.md": "# Decisions\n" },
    expected: /^docs: has no place at the top level/m,
  },
  {
    what: "a download address in the lock file",
    files: {
      "package-lock.json": `{
  "packages": {
    "node_modules/a": { "resolved": "https://packages.example/a", "optionalDependencies": { "b": "1" } },
    "node_modules/a/node_modules/c": { "optionalDependencies": { "a": "1", "a-for-windows": "1" } }
  }
}\n`,
    },
    expected: /^package-lock\.json: names a download address/m,
  },
  {
    what: "a package of another system that the lock file lacks",
    files: {},
    expected:
      /^package-lock\.json: lacks b, which[^]+lacks a-for-windows, which(?![^]+lacks a,)/m,
  },
];

const catalogue = {
  "renderer/locales/en.json": JSON.stringify({
    title: "Vitrine",
    added: "“{name}” was added",
    assets: "{count, plural, one {# asset} other {# assets}}",
    kinds: { image: "Image {length}", video: "Video {length}" },
    forgotten: "Nobody reads this",
    broken: "{count, plural, one {# asset}}",
  }),
  "renderer/locales/de.json": JSON.stringify({
    title: "Vitrine",
    added: "„{title}“ wurde hinzugefügt",
    assets: "{count, number} Medien",
    kinds: { image: "Bild {length}", video: "Video {length}" },
    forgotten: "",
    extra: "Zu viel",
  }),
};

const uses =
  first +
  `import { t } from "../locales/messages.ts";

export const wrong = (name: string, kind: "image" | "video", values: object) => [
  t("added", { title: name }),
  t("assets"),
  t(\`kinds.\${kind}\`),
  t("added", values),
  t("removed"),
];
`;

function message(what: string, expected: RegExp): Offence {
  const files = { ...catalogue, "renderer/playback/uses.ts": uses };
  return { what, files, expected };
}

const messages = [
  message(
    "a message that is no ICU message",
    /^renderer\/locales\/en\.json: "broken" is no ICU message/m,
  ),
  message(
    "a message that nothing uses",
    /^renderer\/locales\/en\.json: "forgotten" is used nowhere$/m,
  ),
  message(
    "a placeholder with another name in another language",
    /^renderer\/locales\/de\.json: "added" has the placeholders title \(argument\), en\.json has name \(argument\)$/m,
  ),
  message(
    "an empty message, and one that English does not have",
    /^renderer\/locales\/de\.json: "forgotten" must be a text[^]+: "extra" is not in en\.json$/m,
  ),
  message(
    "a message that a language lacks",
    /^renderer\/locales\/de\.json: "forgotten" is missing$/m,
  ),
  message(
    "a value under the name of no placeholder",
    /^renderer\/playback\/uses\.ts:6: "added" needs name$/m,
  ),
  message(
    "a message without its values, also where the key is composed",
    /^renderer\/playback\/uses\.ts:7: "assets" needs count\n.+:8: .+ needs length$/m,
  ),
  message(
    "values that cannot be read",
    /^renderer\/playback\/uses\.ts:9: "added" needs its values as an object literal/m,
  ),
  message(
    "a use of a message that there is not",
    /^renderer\/playback\/uses\.ts:10: "removed" names no message$/m,
  ),
];

/** By guard: all of its offences are planted in one tree. */
function plantScript(
  what: string,
  file: string,
  text: string,
  expected: RegExp,
): Offence {
  return {
    what,
    files: { [file]: `# A planted offence.\n\n${text}` },
    expected,
  };
}

/** Windows runs these, and no other test does. */
const scripts = [
  plantScript(
    "a bracket that is not closed",
    "build/opens.ps1",
    "if ($true {\n  Get-Date\n}\n",
    /^build\/opens\.ps1:3:1: syntax error at "if \(\$true \{"/m,
  ),
  plantScript(
    "a misspelled keyword, which is parsed as a command",
    "build/misspells.ps1",
    "try {\n  Get-Date\n}\nfinaly {\n  Get-Date\n}\n",
    /^build\/misspells\.ps1:3:1: try has neither catch nor finally/m,
  ),
  plantScript(
    "a command that Windows does not have",
    "build/calls.ps1",
    "function Get-Own {\n  unles $true\n}\nGet-Own | Write-Host\n",
    /^build\/calls\.ps1:4:3: unles is neither a cmdlet nor a function of this script(?![^]+Get-Own)/m,
  ),
  plantScript(
    "an operator of PowerShell 7",
    "build/chains.ps1",
    "Get-Date && Get-Date\n",
    /^build\/chains\.ps1:3:10: && and \|\| need PowerShell 7/m,
  ),
  plantScript(
    "a variable that only a function sets",
    "build/reads.ps1",
    `function Get-Own([string]$mine) {\n  $folder = "$mine $env:TEMP"\n  foreach ($one in $folder) { $one }\n}\n$list = Get-Own 'a'\nWrite-Host "$list $folder"\n`,
    /^build\/reads\.ps1:8:\d+: nothing sets \$folder(?![^]+reads)/m,
  ),
];

export const planted: Readonly<Record<string, readonly Offence[]>> = {
  types,
  lint,
  imports,
  unused,
  format,
  house,
  messages,
  scripts,
};
