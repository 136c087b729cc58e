// Runs one check tool with the current Node and captures its output.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface ToolResult {
  readonly passed: boolean;
  readonly out: string;
  readonly all: string;
}

/** Runs `node_modules/<script>` in the root; `passed` is the tool's own verdict, before our coverage check. */
export async function runTool(
  root: string,
  script: string,
  args: readonly string[],
): Promise<ToolResult> {
  const child = spawn(
    process.execPath,
    [join(root, "node_modules", script), ...args],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { passed: code === 0, out, all: `${out}${err}`.trim() };
}
