// Secrets on standard input: what is taken of it.

import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { passwordLength } from "../../../../server/core/password.ts";
import { newPasswordPrompt } from "../../../../server/platform/process/secret-from-input.ts";
import { outcomeOf } from "../../../support/outcome.ts";

const source = new URL(
  "../../../../server/platform/process/secret-from-input.ts",
  import.meta.url,
);
const script = `import { readSecret } from ${JSON.stringify(source.href)};
console.log(JSON.stringify(readSecret("Secret: ")));`;

describe("a secret from standard input", () => {
  it.each([
    ["\uFEFF from a file \r\n", "from a file"],
    ["the first\nthe second\n", "the first"],
    ["", ""],
  ])("[V2-782] of %j is %j, without a prompt", async (input, secret) => {
    const words = ["--input-type=module", "--eval", script];
    const child = spawn(process.execPath, words);
    child.stdin.end(input);
    expect(await outcomeOf(child)).toEqual({
      ...{ code: 0, complained: "" },
      output: `${JSON.stringify(secret)}\n`,
    });
  });

  it("[V2-779] is asked for with the length that a password must have", () => {
    expect(newPasswordPrompt).toContain(`${passwordLength.least} characters`);
  });
});
