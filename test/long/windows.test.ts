// The tests and the servers under Windows' own Node, as npm run windows does it: all of it passes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a machine that cannot do it ends with. */
const cannotRunHere = 3;

/** Makes a whole Debian aside and runs half an hour of tests: npm run long. */
it.runIf(process.env.VITRINE_LONG === "1")(
  "passes all tests and serves clients outside under Windows' own Node",
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
