// Writes the result of each test file as it ends, as one line of JSON, for tools that follow the run from outside.

import { appendFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

export interface NotedTest {
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly error: string;
  readonly isFlaky: boolean;
}

export interface NotedFile {
  /** e.g. `test/server/core/asset.test.ts` */
  readonly file: string;
  /** Failures outside of any test. */
  readonly errors: readonly string[];
  readonly tests: readonly NotedTest[];
}

export class TestNotes implements Reporter {
  readonly #file: string;
  #root = "";
  /** By file and title. */
  readonly #failed = new Set<string>();

  constructor(file: string) {
    this.#file = file;
  }

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestModuleEnd(module: TestModule): void {
    const suites = [...module.children.allSuites()];
    const file = path
      .relative(this.#root, module.moduleId)
      .replaceAll(path.sep, "/");
    const noted: NotedFile = {
      file,
      errors: [module, ...suites]
        .flatMap((one) => one.errors())
        .map((error) => error.stack ?? error.message),
      tests: [...module.children.allTests()].map((test) => {
        const { state, errors } = test.result();
        const key = `${file} ${test.fullName}`;
        const hasFailed = this.#failed.has(key);
        if (state === "failed") this.#failed.add(key);
        return {
          title: test.fullName,
          state: state === "pending" ? "skipped" : state,
          error: errors?.map(({ message, stack }) => stack ?? message)[0] ?? "",
          isFlaky: state === "passed" && hasFailed,
        };
      }),
    };
    appendFileSync(this.#file, `${JSON.stringify(noted)}\n`);
  }
}
