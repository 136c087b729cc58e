// Ends every test run with one line for people and machines alike: N passed, N failed, N skipped.

import { writeSync } from "node:fs";
import { type SerializedError } from "vitest";
import { type Reporter, type TestModule } from "vitest/node";

export class ClosingLineReporter implements Reporter {
  readonly #count = { passed: 0, failed: 0, skipped: 0 };

  onInit(): void {
    // Only here nobody writes after us: other reporters and the tests' own clearing up are done.
    process.once("exit", () => {
      const { passed, failed, skipped } = this.#count;
      writeSync(
        process.stdout.fd,
        `${passed} passed, ${failed} failed, ${skipped} skipped\n`,
      );
    });
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
  ): void {
    const count = this.#count;
    for (const module of modules) {
      const before = count.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "skipped" : state]++;
      }
      // A file that cannot even be loaded, or whose preparation fails, has no failed test to count.
      if (!module.ok() && count.failed === before) count.failed++;
    }
    count.failed += unhandled.length;
  }
}
