// The journeys once more, on a package that differs from the shipped one by a single fuse: a driver may come in.

import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { offendingFuses } from "../../build/packing/fuses.ts";
import { makeDrivable, makePackage } from "../support/package.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Each walks through other parts: the whole way, every kind, pages, apps, faults, looks at the glass. */
const journeys = [
  ...["post-plays", "kinds", "pages", "apps", "faults", "verified", "change"],
];
const inFull = process.env.VITRINE_LONG === "1";

describe.runIf(process.platform === "linux" && inFull)("the package", () => {
  it("goes every journey", async () => {
    const program = await makeDrivable(await makePackage());
    expect(await offendingFuses(program)).toEqual([
      "EnableNodeCliInspectArguments",
    ]);
    const files = journeys.map((name) => `test/e2e/${name}.test.ts`);
    const { stdout } = await run(
      process.execPath,
      [
        path.join(root, "node_modules/vitest/vitest.mjs"),
        ...["run", "--config", "build/vitest.config.ts", ...files],
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
