// Runs the tests under Node for Windows; each file is recorded as it ends.

import { glob, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { NotedFile } from "../../../build/vitest/test-notes.ts";
import type { WineLab } from "../../../build/wine/test-environment.ts";
import type { WineSession } from "../../../build/wine/session.ts";
import { openPostgresOnLoopback } from "./postgres.ts";

/** Relative to the checkout. */
const notesFile = "dist/windows-tests.jsonl";

/** The tests that can run there, without Electron and without a screen. */
const everything = ["server", "renderer", "electron", "build"].map(
  (folder) => `test/${folder}/`,
);

/** On a busy machine, tests take up to twenty times as long under Wine as beside it. */
const testTimeoutMs = 300_000;

export interface TestRun {
  readonly files: readonly NotedFile[];
  /** A problem outside of any file. */
  readonly problem: string | null;
}

/** Runs the files whose paths contain one of the filters; without filters all of them. */
export async function runTests(
  wine: WineSession,
  { checkout, checkoutInside, node }: WineLab,
  filters: readonly string[],
): Promise<TestRun> {
  const notes = path.join(checkout, notesFile);
  const output = path.join(checkout, "dist", "windows-tests.log");
  await mkdir(path.dirname(notes), { recursive: true });
  for (const file of [notes, output]) await rm(file, { force: true });
  const requests = await filesOf(checkout, filters);
  const postgres = await openPostgresOnLoopback();
  try {
    const code = await wine.run(
      node,
      [
        ...["build/test.ts", "--no-color"],
        ...["--config", "build/vitest.config.ts"],
        // More workers than a small machine has processors gain nothing under Wine.
        ...["--maxWorkers=3", `--testTimeout=${testTimeoutMs}`, ...requests],
      ],
      {
        ...{ output, cwd: checkoutInside },
        env: {
          ...sequenceVariables(),
          VITRINE_TEST_NOTES: notesFile,
          ...(postgres && { VITRINE_TEST_POSTGRES: postgres.url }),
        },
      },
    );
    const files = await readNotes(notes);
    const missing = requests.filter(
      (file) => !files.some((noted) => noted.file === file),
    );
    const printed = (await readFile(output, "utf8")).trimEnd().slice(-3000);
    const problem =
      missing.length > 0
        ? `Vitest ended with ${code}; not run: ${missing.join(", ")}\n${printed}`
        : code !== 0 && !files.some(isFailed)
          ? `Vitest ended with ${code}:\n${printed}`
          : null;
    return { files, problem };
  } finally {
    await postgres?.stop();
  }
}

/** Environment variables that set the number and the seed of random sequences: passed on to Wine. */
function sequenceVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ["VITRINE_LONG", "VITRINE_SEED", "VITRINE_SEQUENCES"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function isFailed({ errors, tests }: NotedFile): boolean {
  return errors.length > 0 || tests.some(({ state }) => state === "failed");
}

async function filesOf(
  checkout: string,
  filters: readonly string[],
): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const file of glob("test/**/*.test.{ts,tsx}", { cwd: checkout })) {
    const isEnabled =
      filters.length === 0
        ? everything.some((folder) => file.startsWith(folder))
        : filters.some((part) => file.includes(part));
    if (isEnabled) collected.push(file);
  }
  if (collected.length === 0)
    throw new Error("There is no such file of tests.");
  return collected.sort();
}

/** A file that ran twice is listed once, by its second attempt. */
async function readNotes(file: string): Promise<readonly NotedFile[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const noted = lines.map((line) => JSON.parse(line) as NotedFile);
  return [...new Map(noted.map((each) => [each.file, each])).values()];
}
