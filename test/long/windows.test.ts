// Runs the tests and the servers under Node for Windows, through npm run windows.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The exit code on a machine that cannot run it. */
const cannotRunHere = 3;

/** Builds a separate Debian and runs half an hour of tests, so only on request: npm run long. */
it.runIf(process.env.VITRINE_LONG === "1")(
  "passes all tests and serves external clients under Node for Windows",
  async ({ skip }) => {
    const child = spawn("npm", ["run", "--silent", "windows"], {
      ...{ cwd: root, stdio: ["ignore", "pipe", "pipe"] },
      env: { ...process.env, VITRINE_LONG: "" },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    if (code === cannotRunHere) skip(printed.trim());
    expect(printed).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
    expect(code).toBe(0);
  },
);
