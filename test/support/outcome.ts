// Outcome of a process that ends by itself: its exit code and what it printed.

import type { ChildProcess } from "node:child_process";

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly complained: string;
}

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let output = "";
  let complained = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (complained += chunk.toString()));
  const code = await new Promise<number | null>((resolve) =>
    child.once("close", resolve),
  );
  return { code, output, complained };
}
