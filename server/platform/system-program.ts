// Programs of the operating system, by their full path where a name alone is not safe.

import path from "node:path";

/** `whoami` … By its name alone, Windows would run a program of this name from the current folder. */
export function systemProgram(name: string): string {
  return process.platform === "win32"
    ? path.join(
        process.env.SystemRoot ?? "C:\\Windows",
        "System32",
        `${name}.exe`,
      )
    : name;
}
