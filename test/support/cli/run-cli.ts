// Runs the command line in this process, and records what it prints.

import { run } from "../../../server/cli/run.ts";

export interface CliOutcome {
  readonly code: number;
  readonly output: string;
  readonly complained: string;
}

export async function runCli(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  now: () => number = Date.now,
): Promise<CliOutcome> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await run(words, {
    ...{ env, now },
    version: () => "0.0.0-test",
    print: (text) => printed.push(text),
    printError: (text) => complaints.push(text),
  });
  return {
    ...{ code, output: printed.join("\n") },
    complained: complaints.join("\n"),
  };
}

export interface CliClient {
  (...words: readonly string[]): Promise<CliOutcome>;
  /** Parsed output of `--json`; throws if the exit code isn't 0. */
  json(...words: readonly string[]): Promise<any>;
}

export function cliFor(
  env: Readonly<Record<string, string>>,
  now?: () => number,
): CliClient {
  const cli = (...words: readonly string[]) => runCli(words, env, now);
  return Object.assign(cli, {
    json: async (...words: readonly string[]) => {
      const { code, output, complained } = await cli(...words, "--json");
      if (code !== 0) throw new Error(`${code} ${complained}`);
      return JSON.parse(output) as unknown;
    },
  });
}
