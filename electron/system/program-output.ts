// What a program of the system says; null where there is none, or where it says nothing.

import { execFile } from "node:child_process";
import { systemProgram } from "../config.ts";

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
      // Some say the truth and end with a code all the same.
      (_error, stdout) => resolve(stdout === "" ? null : stdout),
    );
  });
}

const setupTimeoutMs = 60_000;

/** The same to its end, with its exit code and all it prints. */
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
