// The sync's own command line as a process, without a manager.

import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterThisTest } from "../after-this-test.ts";

const entry = fileURLToPath(
  new URL("../../../server/player/sync/command-line/main.ts", import.meta.url),
);

export interface SyncOutcome {
  readonly code: number | null;
  readonly output: string;
  readonly complained: string;
}

export function spawnSync(
  words: readonly string[],
  token: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, [entry, ...words], {
    env: { ...process.env, ...env, VITRINE_SYNC_TOKEN: token },
  });
  afterThisTest(async () => child.kill("SIGKILL"));
  return child;
}

/** Runs until it ends by itself; `input` is its standard input. */
export async function runSync(
  words: readonly string[],
  { token = "", input = "" } = {},
): Promise<SyncOutcome> {
  const child = spawnSync(words, token);
  let output = "";
  let complained = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (complained += chunk.toString()));
  child.stdin?.end(input);
  const code = await new Promise<number | null>((resolve) =>
    child.once("close", resolve),
  );
  return { code, output, complained };
}
