// Whether each guard names what was planted, lets a clean tree pass, and never passes over nothing.

import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planted } from "./planted-violations.ts";
import {
  type Checked,
  check,
  type Files,
  mayJoinFolders,
  smallTree,
} from "./small-tree.ts";

/** All guards read a whole tree, each a process of its own, beside two other files of tests. */
const withinMs = 180_000;
const roots: string[] = [];
/** A tree takes its packages from ours. */
const mayJoin = await mayJoinFolders();

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true, force: true });
});

async function checked(files: Files, only?: string): Promise<Checked> {
  const root = await smallTree(files);
  roots.push(root);
  return check(root, only);
}

describe.runIf(mayJoin)("the check", () => {
  it("passes a clean tree", { timeout: withinMs }, async () => {
    const { code, output } = await checked({});
    expect(output).not.toContain("FAILED");
    expect(code).toBe(0);
  });

  it("refuses a guard it does not have", { timeout: withinMs }, async () => {
    const { code, output } = await checked({}, "taste");
    expect(output).toContain('There is no check "taste"');
    expect(code).toBe(2);
  });
});

describe.runIf(mayJoin).each(Object.entries(planted))(
  "the guard of %s",
  (guard, cases) => {
    let result: Checked;
    beforeAll(async () => {
      const files = Object.assign(
        {},
        ...cases.map(({ files }) => files),
      ) as Files;
      result = await checked(files, guard);
    }, withinMs);

    it("fails, and says so in its last lines", () => {
      expect(result.code).toBe(1);
      expect(result.output.trimEnd().split("\n").slice(-2)).toEqual([
        `FAILED: ${guard}`,
        "0 passed, 1 failed, 0 skipped",
      ]);
    });

    it.each(cases)("names $what", ({ expected }) => {
      expect(result.output).toMatch(expected);
    });
  },
);

/** Settings under which each tool by itself is content: it was shown nothing. */
const blindfolds: Readonly<Record<string, { guard: string; files: Files }>> = {
  "the compiler": {
    guard: "types",
    files: {
      "renderer/tsconfig.json": `{ "extends": "../tsconfig.json", "include": [], "references": [] }`,
    },
  },
  "the linter of plain JavaScript": {
    guard: "lint",
    files: { ".oxlintrc.json": `{ "ignorePatterns": ["**/*.mjs"] }` },
  },
  "the linter of types": {
    guard: "lint",
    files: { ".oxlintrc.json": `{ "ignorePatterns": ["server/"] }` },
  },
  "the import rules": {
    guard: "imports",
    files: {
      "build/dependency-rules.cjs": `module.exports = { forbidden: [], options: { exclude: "server" } };`,
    },
  },
  knip: {
    guard: "unused",
    files: { "build/knip.json": `{ "entry": [], "project": [] }` },
  },
  "the formatter": {
    guard: "format",
    files: { ".prettierignore": "server/\n" },
  },
};

describe.runIf(mayJoin)("a guard that looks away", () => {
  it.each(Object.entries(blindfolds))(
    "fails: %s",
    { timeout: withinMs },
    async (_, { guard, files }) => {
      const { code, output } = await checked(files, guard);
      expect(output).toMatch(/It did not check:\n(\w+\/|\d+ files)/);
      expect(code).toBe(1);
    },
  );
});
