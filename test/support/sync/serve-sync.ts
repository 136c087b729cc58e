// The sync's own command line as a process, without a manager.

import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterThisTest } from "../after-this-test.ts";
import { outcomeOf, type Outcome } from "../outcome.ts";

const entry = fileURLToPath(
  new URL("../../../server/player/sync/command-line/main.ts", import.meta.url),
);

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
): Promise<Outcome> {
  const child = spawnSync(words, token);
  const outcome = outcomeOf(child);
  child.stdin?.end(input);
  return outcome;
}
