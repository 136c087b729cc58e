// Summary of a test run: flaky tests by name, failures with their assertions, then N passed, N failed, N skipped.

import { mkdirSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { SerializedError, TestError } from "vitest";
import type { Reporter, TestModule, Vitest } from "vitest/node";

interface TestReporterOptions {
  /** JSON file that lists the flaky tests of the run. */
  readonly flakyFile: string;
}

/** A test that failed and passed on its second attempt. */
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
export const maxFlaky = 3;
/** Maximum lines per message: a diff of two large values is clear from its first lines. */
const maxLines = 20;

export class TestReporter implements Reporter {
  readonly #flakyFile: string;
  #root = process.cwd();
  #count = { passed: 0, failed: 0, skipped: 0 };
  #lines: string[] = [];
  /** Both attempts of each file, by its path. */
  readonly #attempts = new Map<string, TestModule[]>();
  readonly #unhandled: SerializedError[] = [];

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

  /** Called for each attempt: the last one of a file counts. */
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
  ): void {
    for (const module of modules)
      this.#attempts.set(module.moduleId, [
        ...(this.#attempts.get(module.moduleId) ?? []),
        module,
      ]);
    this.#unhandled.push(...unhandled);
    const count = { passed: 0, failed: 0, skipped: 0 };
    const flaky: FlakyTest[] = [];
    const failures: string[] = [];
    for (const attempts of this.#attempts.values()) {
      const module = attempts[attempts.length - 1]!;
      const earlier = new Map(attempts.slice(0, -1).flatMap(failuresOf));
      const file = path.relative(this.#root, module.moduleId);
      const messageOf = (errors: readonly ReportedError[]): string[] => [
        // A second attempt mostly fails with the same message.
        ...new Set(errors.map((error) => this.#told(error, module.moduleId))),
      ];
      const failed = new Map(failuresOf(module));
      for (const [title, errors] of failed) {
        const place = `FAILED ${file}${title === "" ? "" : ` > ${title}`}`;
        const all = [...(earlier.get(title) ?? []), ...errors];
        failures.push([place, ...messageOf(all)].join("\n"));
      }
      let failedTests = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "skipped" : state]++;
        if (state === "failed") failedTests++;
      }
      // A file that fails to load, or whose set-up fails, has no failed test to count.
      if (!module.ok() && failedTests === 0) count.failed++;
      for (const [title, errors] of earlier)
        if (!failed.has(title))
          flaky.push({
            ...{ file, title },
            error: messageOf(errors.slice(0, 1)).join("\n"),
          });
    }
    for (const error of this.#unhandled)
      failures.push(
        `FAILED outside of any test${this.#running(error)}\n${this.#told(error, "")}`,
      );
    count.failed += this.#unhandled.length;
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
  const place = title === "" ? file : `${file} > ${title}`;
  return `FLAKY ${place} (passed on its second attempt)\n${error}`;
}

/** Each failed test or group with its errors; "" is the file itself. */
function failuresOf(
  module: TestModule,
): readonly [title: string, errors: readonly ReportedError[]][] {
  const tests = [...module.children.allTests()]
    .filter((test) => test.result().state === "failed")
    .map((test) => [test.fullName, test.result().errors ?? []] as const);
  const suites = [...module.children.allSuites()].map(
    (suite) => [suite.fullName, suite.errors()] as const,
  );
  const outside = [...suites, ["", module.errors()] as const].filter(
    ([, errors]) => errors.length > 0,
  );
  return [...tests, ...outside].map(([title, errors]) => [title, errors]);
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
