// Runs the tests. The files that failed run a second time, one after the other: what fails on a busy machine only is flaky.

import { createVitest, parseCLI, TestsNotFoundError } from "vitest/node";
import type { TestModule } from "vitest/node";
import { pureProjects } from "./vitest/pure-projects.ts";
import { maxFlaky } from "./vitest/test-reporter.ts";

// As Vitest's own command line does.
process.env.NODE_ENV ??= "test";
Object.assign(process.env, { TEST: "true", VITEST: "true" });

const args = process.argv.slice(2);
const { filter, options } = parseCLI(["vitest", "run", ...args]);
const vitest = await createVitest(options);
try {
  const { testModules, unhandledErrors } = await vitest.start(filter);
  const failed = testModules.filter((module) => !module.ok());
  if (unhandledErrors.length === 0 && mayBeFlaky(failed)) {
    process.exitCode = undefined;
    for (const module of failed)
      await vitest.runTestSpecifications([module.toTestSpecification()]);
  }
} catch (error) {
  // Vitest has said so, and set the exit code.
  if (!(error instanceof TestsNotFoundError)) throw error;
} finally {
  await vitest.exit();
}

function mayBeFlaky(failed: readonly TestModule[]): boolean {
  const isPure = ({ project }: TestModule): boolean =>
    pureProjects.includes(project.name);
  const { length } = failed;
  const isRetryOn = options.retry !== 0 && options.bail === undefined;
  return isRetryOn && length > 0 && length <= maxFlaky && !failed.some(isPure);
}
