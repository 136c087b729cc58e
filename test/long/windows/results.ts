// Results of the tests under Node for Windows: each failed test, and each skipped one with its reason.

import type { NotedFile } from "../../../build/test-notes.ts";
import { reasonFor } from "./skipped-tests.ts";

export interface TestResults {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly lines: readonly string[];
}

/** A test skipped without a known reason counts as failed: it would go unnoticed otherwise. */
export function resultsOf(files: readonly NotedFile[]): TestResults {
  const lines: string[] = [];
  const leftOut = new Map<string, number>();
  const count = { passed: 0, failed: 0, skipped: 0 };
  const fail = (what: string, why: string): void => {
    count.failed += 1;
    lines.push(`FAILED ${what}`, indented(why));
  };
  for (const { file, errors, tests } of files) {
    for (const { title, state, error, isFlaky } of tests) {
      const what = `${file} > ${title}`;
      if (isFlaky) lines.push(`FLAKY ${what} (passed on its retry)`);
      const reason = state === "skipped" ? reasonFor(file, title) : null;
      if (state === "passed") count.passed += 1;
      else if (state === "failed") fail(what, error);
      else if (reason === null)
        fail(what, "Left out, and skipped-tests.ts does not say why.");
      else {
        count.skipped += 1;
        const from = `${file}: ${reason}`;
        leftOut.set(from, (leftOut.get(from) ?? 0) + 1);
      }
    }
    if (errors[0] !== undefined) fail(file, errors[0]);
  }
  for (const [what, times] of leftOut)
    lines.push(`SKIPPED ${times} of ${what}`);
  return { ...count, lines };
}

function indented(message: string): string {
  const lines = message.trim().split("\n").slice(0, 15);
  return lines.map((line) => `  ${line}`).join("\n");
}
