// The end-to-end tests on a package that differs from the shipped one by a single fuse: a test driver may attach.

import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { offendingFuses } from "../../build/packing/fuses.ts";
import { makeDrivable, makePackage } from "../support/app/package.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const inFull = process.env.VITRINE_LONG === "1";

describe.runIf(process.platform === "linux" && inFull)("the package", () => {
  it("passes every end-to-end test", async () => {
    const program = await makeDrivable(await makePackage());
    expect(await offendingFuses(program)).toEqual([
      "EnableNodeCliInspectArguments",
    ]);
    const { stdout } = await run(
      process.execPath,
      [
        path.join(root, "node_modules/vitest/vitest.mjs"),
        ...["run", "--config", "build/vitest.config.ts", "test/e2e"],
        // It builds the package, and checks that no driver can attach.
        ...["--exclude", "test/e2e/package.test.ts"],
      ],
      {
        cwd: root,
        env: { ...process.env, VITRINE_PACKAGE: program, VITRINE_LONG: "" },
        maxBuffer: 2 ** 26,
      },
    );
    expect(stdout).toMatch(/\d+ passed, 0 failed/);
  });
});
