// Output of system programs; null where the program does not exist or prints nothing.

import { execFile } from "node:child_process";
import { systemProgram } from "../../server/platform/system-program.ts";

const timeoutMs = 5000;

export function outputOf(
  program: string,
  args: readonly string[],
): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      systemProgram(program),
      [...args],
      { timeout: timeoutMs, windowsHide: true },
      // Some print a valid result and exit with an error code all the same.
      (_error, stdout) => resolve(stdout === "" ? null : stdout),
    );
  });
}

const setupTimeoutMs = 60_000;

/** The same to its end, with its exit code and everything it prints. */
export function runProgram(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly printed: string }> {
  return new Promise((resolve) => {
    execFile(
      systemProgram(program),
      [...args],
      { timeout: setupTimeoutMs, windowsHide: true },
      (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : Number(error.code) || 1,
          printed: `${stdout}${stderr}`,
        }),
    );
  });
}
