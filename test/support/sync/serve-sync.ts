// The sync's own command line as a process, without a manager.

import { spawn, type ChildProcess } from "node:child_process";
import { afterThisTest } from "../after-this-test.ts";
import { outcomeOf, type Outcome } from "../outcome.ts";
import { programWords } from "../program-words.ts";

export function spawnSync(
  words: readonly string[],
  token: string,
  env: Readonly<Record<string, string>> = {},
  [node, script] = programWords("sync"),
): ChildProcess {
  const child = spawn(node, [script, ...words], {
    env: { ...process.env, ...env, VITRINE_SYNC_TOKEN: token },
  });
  afterThisTest(async () => child.kill("SIGKILL"));
  return child;
}

/** Runs until it ends by itself; `input` is its standard input. */
export async function runSync(
  words: readonly string[],
  { token = "", input = "", program = programWords("sync") } = {},
): Promise<Outcome> {
  const child = spawnSync(words, token, {}, program);
  const outcome = outcomeOf(child);
  child.stdin?.end(input);
  return outcome;
}
