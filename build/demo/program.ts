// One of the demo's programs: started on this Node, followed by what it prints, and ended with the demo.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Program {
  /** The first group of the first match in its output; throws when it ends before. */
  printed(pattern: RegExp): Promise<string>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
/** What is waited for is printed at the start. */
const maxOutput = 100_000;

export function startProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Program {
  signal.throwIfAborted();
  const child = spawn(process.execPath, args, {
    ...{ cwd: root, env, stdio: ["ignore", "pipe", "inherit"] },
  });
  const exit = once(child, "exit");
  const end = (): void => {
    if (child.exitCode === null && child.signalCode === null)
      child.kill("SIGTERM");
  };
  signal.addEventListener("abort", end);
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (output.length < maxOutput) output += chunk.toString();
  });
  return {
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const [, found] = pattern.exec(output) ?? [];
          if (found !== undefined) resolve(found);
        };
        child.stdout?.on("data", check);
        check();
        exit.then(
          () => reject(new Error(`A program of the demo stopped. ${output}`)),
          reject,
        );
      }),
    ended: exit.then(() => undefined),
    stop: async () => {
      end();
      await exit;
    },
  };
}
