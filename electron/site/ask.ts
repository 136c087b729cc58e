// What a program of the system says; null where there is none, or where it says nothing.

import { execFile } from "node:child_process";

const patienceMs = 5000;

export function outputOf(
  program: string,
  args: readonly string[],
): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { timeout: patienceMs, windowsHide: true },
      // Some say the truth and end with a code all the same.
      (_error, stdout) => resolve(stdout === "" ? null : stdout),
    );
  });
}
