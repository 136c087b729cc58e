// Reads a secret from standard input, so that it appears in no process list: from a pipe or a file, or typed after a prompt.

import { spawnSync } from "node:child_process";
import { readFileSync, readSync } from "node:fs";
import { isatty } from "node:tty";

export const newPasswordPrompt =
  "New password, 10 characters or more (empty removes it): ";

const input = 0;
/** Far longer than any secret. */
const maxBytes = 65_536;

/**
 * The first line, without the spaces at its ends; it may be empty. Synchronous: a command of the app has to be done before Chromium
 * starts.
 */
export function readSecret(prompt: string): string {
  const text = isatty(input) ? typedAfter(prompt) : readFileSync(input, "utf8");
  const [line = ""] = text.replace(/^\uFEFF/, "").split("\n", 1);
  return line.trim();
}

function typedAfter(prompt: string): string {
  process.stderr.write(prompt);
  const isHidden = setEcho("-echo");
  try {
    return readLine();
  } finally {
    // The person's Enter was not shown either.
    if (isHidden) {
      setEcho("echo");
      process.stderr.write("\n");
    }
  }
}

/** Windows has no such program: there it is shown while it is typed. */
function setEcho(mode: "echo" | "-echo"): boolean {
  if (process.platform === "win32") return false;
  return spawnSync("stty", [mode], { stdio: "inherit" }).status === 0;
}

function readLine(): string {
  const line = Buffer.alloc(maxBytes);
  let length = 0;
  while (length < maxBytes) {
    const count = readSync(input, line, length, 1, null);
    if (count === 0 || line[length] === 0x0a) break;
    length += count;
  }
  return line.toString("utf8", 0, length);
}
