// The player as a process of its own, without Electron, as the command line runs it.

import {
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
} from "node:child_process";
import { afterThisTest } from "../after-this-test.ts";
import { outcomeOf, type Outcome } from "../outcome.ts";
import { programWords } from "../program-words.ts";

export interface ServedPlayer {
  readonly process: ChildProcess;
  /** e.g. `http://127.0.0.1:40123` */
  readonly address: string;
}

function spawnPlayer(words: readonly string[]): ChildProcessWithoutNullStreams {
  const [node, script] = programWords("player");
  return spawn(node, [script, ...words]);
}

/** Runs the command line until it ends by itself. */
export const runPlayer = (...words: string[]): Promise<Outcome> =>
  outcomeOf(spawnPlayer(words));

/** The same with this standard input. */
export function runPlayerWith(
  input: string,
  ...words: string[]
): Promise<Outcome> {
  const child = spawnPlayer(words);
  child.stdin.end(input);
  return outcomeOf(child);
}

/** Starts it on a free port and waits until it listens; it ends with the test. */
export async function servePlayer(
  dataDir: string,
  ...flags: string[]
): Promise<ServedPlayer> {
  const words = ["serve", "--data-dir", dataDir, "--api-port", "0", ...flags];
  const child = spawnPlayer(words);
  afterThisTest(async () => child.kill("SIGKILL"));
  let output = "";
  const address = await new Promise<string>((resolve, reject) => {
    const receive = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = /API (https?:\S+)\s/.exec(output)?.[1];
      if (match) resolve(match);
    };
    child.stdout.on("data", receive);
    child.stderr.on("data", receive);
    child.once("exit", () =>
      reject(new Error(`the player ended instead of starting: ${output}`)),
    );
  });
  return { process: child, address };
}
