// Summary of a test run: flaky tests by name, failures with their assertions, then N passed, N failed, N skipped.

import { mkdirSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { SerializedError, TestError } from "vitest";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

interface TestReporterOptions {
  /** JSON file that lists the flaky tests of the run. */
  readonly flakyFile: string;
}

/** A test that failed and passed on its retry. */
interface FlakyTest {
  readonly file: string;
  readonly title: string;
  /** Message and location of the first failure. */
  readonly error: string;
}

type ReportedError = Pick<
  TestError,
  "message" | "stack" | "stacks" | "diff" | "cause"
>;

/** More than this is not bad luck: the run fails. */
const maxFlaky = 3;
/** Maximum lines per message: a diff of two large values is clear from its first lines. */
const maxLines = 20;

export class TestReporter implements Reporter {
  readonly #flakyFile: string;
  #root = process.cwd();
  #count = { passed: 0, failed: 0, skipped: 0 };
  #lines: string[] = [];

  constructor({ flakyFile }: TestReporterOptions) {
    this.#flakyFile = flakyFile;
  }

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    // On exit nothing else is printed afterwards: other reporters and the tests' own clean-up are done.
    process.once("exit", () => {
      const { passed, failed, skipped } = this.#count;
      const closing = `${passed} passed, ${failed} failed, ${skipped} skipped`;
      writeAll(`${[...this.#lines, closing].join("\n")}\n`);
    });
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
  ): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const flaky: FlakyTest[] = [];
    const failures: string[] = [];
    for (const module of modules) {
      const before = count.failed;
      const file = path.relative(this.#root, module.moduleId);
      const fail = (title: string, errors: readonly TestError[]): void => {
        failures.push(
          [
            `FAILED ${file}${title === "" ? "" : ` > ${title}`}`,
            // A retry mostly fails with the same message.
            ...new Set(
              errors.map((error) => this.#told(error, module.moduleId)),
            ),
          ].join("\n"),
        );
      };
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "skipped" : state]++;
        if (state === "failed") fail(test.fullName, errorsOf(test));
        if (test.diagnostic()?.flaky)
          flaky.push({
            ...{ file, title: test.fullName },
            error: errorsOf(test)
              .slice(0, 1)
              .map((error) => this.#told(error, module.moduleId))
              .join("\n"),
          });
      }
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) fail(suite.fullName, suite.errors());
      if (module.errors().length > 0) fail("", module.errors());
      // A file that fails to load, or whose set-up fails, has no failed test to count.
      if (!module.ok() && count.failed === before) count.failed++;
    }
    for (const error of unhandled)
      failures.push(
        `FAILED outside of any test${this.#running(error)}\n${this.#told(error, "")}`,
      );
    count.failed += unhandled.length;
    this.#count = count;
    this.#lines = [...flaky.map(lineOf), ...failures];
    if (flaky.length > maxFlaky) {
      process.exitCode = 1;
      this.#lines.push(
        `FAILED: ${flaky.length} flaky tests, more than ${maxFlaky}: ${flaky.map(({ title }) => title).join("; ")}`,
      );
    }
    mkdirSync(path.dirname(this.#flakyFile), { recursive: true });
    writeFileSync(this.#flakyFile, `${JSON.stringify(flaky, null, 1)}\n`);
  }

  /** The test that was running at the time: most likely, not certainly, the cause. */
  #running(error: SerializedError): string {
    const file: unknown = error["VITEST_TEST_PATH"];
    const title: unknown = error["VITEST_TEST_NAME"];
    if (typeof file !== "string") return "";
    const place = path.relative(this.#root, file);
    return `, while ${place}${typeof title === "string" ? ` > ${title}` : ""} ran`;
  }

  /** The message, and the line of the test where it occurred; else the first line there is. */
  #told(error: ReportedError, moduleId: string): string {
    const places = (error.stack ?? "")
      .split("\n")
      .flatMap((line) => /(\/[^():]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? []);
    const parsed = (error.stacks ?? []).map(
      ({ file, line, column }) => `${file}:${line}:${column}`,
    );
    const all = parsed.length > 0 ? parsed : places;
    const place = all.find((one) => one.startsWith(`${moduleId}:`)) ?? all[0];
    const lines = stripVTControlCharacters(
      [error.message, ...causesOf(error), error.diff ?? ""].join("\n").trim(),
    ).split("\n");
    const shortened = lines.slice(0, maxLines);
    if (lines.length > maxLines) shortened.push("…");
    if (place !== undefined)
      shortened.push(`at ${path.relative(this.#root, place)}`);
    return shortened.map((line) => `  ${line}`).join("\n");
  }
}

function lineOf({ file, title, error }: FlakyTest): string {
  return `FLAKY ${file} > ${title} (passed on its retry)\n${error}`;
}

/** Errors of all attempts, starting with the first attempt. */
function errorsOf(test: TestCase): readonly TestError[] {
  return test.result().errors ?? [];
}

/** "fetch failed" alone is not enough: its causes are added. */
function causesOf({ cause }: Pick<TestError, "cause">): readonly string[] {
  if (!cause) return [];
  const { code } = cause;
  const named = typeof code === "string" ? ` (${code})` : "";
  return [`because: ${cause.message}${named}`, ...causesOf(cause)];
}

/** A pipe accepts a limited amount at a time. */
function writeAll(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(process.stdout.fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
