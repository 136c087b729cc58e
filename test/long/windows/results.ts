// Results of the tests under Node for Windows: each failed test, and each skipped one with its reason.

import type { NotedFile } from "../../../build/vitest/test-notes.ts";
import { entryFor, skippedTests, type SkippedTest } from "./skipped-tests.ts";

export interface TestResults {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly lines: readonly string[];
}

/**
 * A test skipped without a listed reason counts as failed, since it would go unnoticed otherwise; after a whole run, so does
 * a listed reason that no skipped test has any more.
 */
export function resultsOf(
  files: readonly NotedFile[],
  isWholeRun: boolean,
): TestResults {
  const lines: string[] = [];
  const skipped = new Map<string, number>();
  const used = new Set<SkippedTest>();
  const count = { passed: 0, failed: 0, skipped: 0 };
  const fail = (what: string, why: string): void => {
    count.failed += 1;
    lines.push(`FAILED ${what}`, indented(why));
  };
  for (const { file, errors, tests } of files) {
    for (const { title, state, error, isFlaky } of tests) {
      const what = `${file} > ${title}`;
      if (isFlaky) lines.push(`FLAKY ${what} (passed on its second attempt)`);
      const entry = state === "skipped" ? entryFor(file, title) : null;
      if (state === "passed") count.passed += 1;
      else if (state === "failed") fail(what, error);
      else if (entry === null)
        fail(what, "Skipped, and skipped-tests.ts gives no reason.");
      else {
        count.skipped += 1;
        used.add(entry);
        const from = `${file}: ${entry.reason}`;
        skipped.set(from, (skipped.get(from) ?? 0) + 1);
      }
    }
    if (errors[0] !== undefined) fail(file, errors[0]);
  }
  if (isWholeRun)
    for (const entry of skippedTests)
      if (!used.has(entry))
        fail(
          `${entry.file} ${entry.title?.source ?? ""}`.trim(),
          "Listed in skipped-tests.ts, and no such test is skipped.",
        );
  for (const [what, times] of skipped)
    lines.push(`SKIPPED ${times} of ${what}`);
  return { ...count, lines };
}

function indented(message: string): string {
  const lines = message.trim().split("\n").slice(0, 15);
  return lines.map((line) => `  ${line}`).join("\n");
}
