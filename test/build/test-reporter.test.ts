// What a run of the tests reports at its end, and what it runs a second time: a small project in a temporary folder.

import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { ViteUserConfig } from "vitest/config";
import { expect, it, vi } from "vitest";
import { pureProjects } from "../../build/vitest/pure-projects.ts";
import { waitDeadlineMs } from "../../build/vitest/wait-deadline.ts";
import { temporaryFolder } from "../support/folder.ts";

const project = path.join(import.meta.dirname, "..", "..");

interface Outcome {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly flaky: unknown;
}

/** Runs one file of tests; each test made by `flaky` fails on its first attempt. */
async function run(tests: string, ...flags: string[]): Promise<Outcome> {
  const root = await temporaryFolder();
  await symlink(
    path.join(project, "node_modules"),
    path.join(root, "node_modules"),
  );
  const reporter = path.join(project, "build", "vitest", "test-reporter.ts");
  const flakyFile = path.join(root, "dist", "flaky.json");
  await writeFile(
    path.join(root, "vitest.config.ts"),
    `import { TestReporter } from ${JSON.stringify(reporter)};
export default {
  root: ${JSON.stringify(root)},
  test: {
    reporters: ["default", new TestReporter({ flakyFile: ${JSON.stringify(flakyFile)} })],
    expect: { poll: { timeout: 40_000 } },
    projects: [
      { extends: true, test: { name: "pure units", include: ["pure.test.ts"], sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: "others", include: ["a.test.ts"], sequence: { groupOrder: 1 } } },
    ],
  },
};
`,
  );
  const head = `import { existsSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
const attemptOf = (title) => {
  const isSecond = existsSync(title);
  writeFileSync(title, "");
  return isSecond ? 2 : 1;
};
const flaky = (title) => it(title, () => {
  expect(attemptOf(title)).toBe(2);
});
`;
  await writeFile(path.join(root, "a.test.ts"), head + tests);
  await writeFile(
    path.join(root, "pure.test.ts"),
    `${head}it.skip("waits", () => {});\n${flags.includes("flaky-unit") ? 'flaky("flaky unit");\n' : ""}`,
  );
  const child = spawn(
    process.execPath,
    [
      path.join(project, "build", "test.ts"),
      ...["--config", path.join(root, "vitest.config.ts")],
      ...flags.filter((flag) => flag.startsWith("--")),
    ],
    { cwd: root, env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1" } },
  );
  const [output, , code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return {
    ...{ code, lines: output.trimEnd().split("\n") },
    flaky: JSON.parse(await readFile(flakyFile, "utf8")),
  };
}

it("names a flaky test at the end and in a file, counts it as passed, and lets the run pass", async () => {
  const { code, lines, flaky } = await run(
    'it("is steady", () => {});\nflaky("flaky one");\n',
  );
  expect(code).toBe(0);
  const end = lines.slice(
    lines.indexOf("FLAKY a.test.ts > flaky one (passed on its second attempt)"),
  );
  expect(end[1]).toMatch(/^ {2}expected 1 to be 2/);
  expect(end.slice(-2)).toEqual([
    expect.stringMatching(/^ {2}at a\.test\.ts:9:\d+$/),
    "2 passed, 0 failed, 1 skipped",
  ]);
  expect(flaky).toEqual([
    {
      ...{ file: "a.test.ts", title: "flaky one" },
      error: expect.stringContaining("expected 1 to be 2"),
    },
  ]);
});

it("runs a file whose set-up failed a second time, and names the set-up as flaky", async () => {
  const { code, lines, flaky } = await run(
    `describe("a group", () => {
  beforeAll(() => {
    if (attemptOf("set-up") === 1) throw new Error("not ready");
  });
  it("runs", () => {});
});
`,
  );
  expect(code).toBe(0);
  expect(lines).toContain(
    "FLAKY a.test.ts > a group (passed on its second attempt)",
  );
  expect(lines.at(-1)).toBe("1 passed, 0 failed, 1 skipped");
  expect(flaky).toHaveLength(1);
});

it("runs nothing a second time with --retry=0", async () => {
  const { code, lines, flaky } = await run('flaky("one");\n', "--retry=0");
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe("0 passed, 1 failed, 1 skipped");
  expect(flaky).toEqual([]);
});

it("fails a run with more than three flaky tests, and names them", async () => {
  const titles = ["one", "two", "three", "four"];
  const { code, lines, flaky } = await run(
    titles.map((title) => `flaky("flaky ${title}");\n`).join(""),
  );
  expect(code).toBe(1);
  expect(lines.slice(-2)).toEqual([
    "FAILED: 4 flaky tests, more than 3: flaky one; flaky two; flaky three; flaky four",
    "4 passed, 0 failed, 1 skipped",
  ]);
  expect(flaky).toHaveLength(4);
});

it("names what failed last of all, with the assertion and its place, and runs nothing a second time if a pure unit failed", async () => {
  const { code, lines, flaky } = await run(
    `describe("a sum", () => { it("is right", () => {
  expect(1 + 1).toBe(3);
}); });
describe("a preparation", () => {
  beforeAll(() => {
    const cause = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    throw new Error("no ground", { cause });
  });
  it("is never reached", () => {});
});
`,
    "flaky-unit",
  );
  expect(code).toBe(1);
  const output = lines.join("\n");
  const end = output.slice(output.indexOf("\nFAILED "));
  expect(end).toMatch(/FAILED pure\.test\.ts > flaky unit\n {2}expected 1/);
  expect(end).toMatch(
    /FAILED a\.test\.ts > a sum > is right\n {2}expected 2 to be 3[^]*?\n {2}at a\.test\.ts:12:\d+\n/,
  );
  expect(end).toMatch(
    /FAILED a\.test\.ts > a preparation\n {2}no ground\n {2}because: reset \(ECONNRESET\)\n {2}at a\.test\.ts:17:\d+\n/,
  );
  expect(lines.at(-1)).toMatch(/^0 passed, \d+ failed, \d+ skipped$/);
  expect(flaky).toEqual([]);
});

it("says which file and test ran when something went wrong outside of every test", async () => {
  const { code, lines } = await run(`it("goes on", async () => {
  await new Promise((resolve) => setTimeout(() => {
    setTimeout(resolve);
    throw new Error("nobody catches this");
  }));
});
`);
  expect(code).toBe(1);
  expect(lines).toContain(
    "FAILED outside of any test, while a.test.ts > goes on ran",
  );
  expect(lines.at(-1)).toBe("1 passed, 1 failed, 1 skipped");
});

it("says the seed of a shuffled order, and polls as long as the root of the settings says in every project", async () => {
  const { code, lines } = await run(
    `it("polls", async () => {
  const from = performance.now();
  await expect.poll(() => performance.now() - from > 1_500).toBe(true);
});
`,
    "--sequence.shuffle",
    "--sequence.seed=42",
  );
  expect(code).toBe(0);
  expect(lines.join("\n")).toContain('Running tests with seed "42"');
  expect(lines.at(-1)).toBe("1 passed, 0 failed, 1 skipped");
});

it("waits as long with vi.waitUntil as with expect.poll, in every project of the real settings", async () => {
  const { default: settings } = await import("../../build/vitest.config.ts");
  const { test = {} }: ViteUserConfig = settings;
  const { expect: polling, projects, setupFiles } = test;
  expect(polling?.poll?.timeout).toBe(waitDeadlineMs);
  expect(setupFiles).toEqual(["test/support/wait-deadline.ts"]);
  for (const project of projects ?? []) {
    expect(project).toMatchObject({ extends: true });
    expect(project).not.toHaveProperty("test.expect");
    expect(project).not.toHaveProperty("test.setupFiles");
  }
  // Longer than the second that it would have by itself, and than the one it asks for.
  const from = performance.now();
  const isLate = (): boolean => performance.now() - from > 1_500;
  expect(await vi.waitUntil(isLate, { timeout: 1 })).toBe(true);
});

it("finds files for every pattern of the real settings, and knows the names of its pure tests", async () => {
  const { default: settings } = await import("../../build/vitest.config.ts");
  const { test = {} }: ViteUserConfig = settings;
  const names: string[] = [];
  for (const one of test.projects ?? []) {
    const { name, include } = (
      one as { test: { name: string; include: string[] } }
    ).test;
    names.push(name);
    // Of one pattern of several names, each of them.
    for (const pattern of include.flatMap(withEachName))
      expect(globSync(pattern, { cwd: project }), pattern).not.toEqual([]);
  }
  expect(names).toEqual(expect.arrayContaining([...pureProjects]));
});

function withEachName(pattern: string): readonly string[] {
  const [, before = "", names, after = ""] =
    /^(.*\/)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return names === undefined
    ? [pattern]
    : names.split(",").map((name) => `${before}${name}${after}`);
}
