// How tests start the programs of this project as child processes: bundled once per run, or from their sources.

import path from "node:path";
import { fileURLToPath } from "node:url";

const sources = {
  content: "server/content/main.ts",
  /** The same as a child of the app. */
  hosted: "server/content/hosted-main.ts",
  cli: "server/cli/main.ts",
  player: "server/player/main.ts",
  sync: "server/player/sync/command-line/main.ts",
  start: "build/start.ts",
};

type ProgramName = keyof typeof sources;
/** Node and the script. */
export type ProgramWords = readonly [node: string, script: string];

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Folder of the bundles (build/bundle/test-programs.ts); without it, everything runs from its sources. */
const bundles = process.env.VITRINE_TEST_PROGRAMS;

export function programWords(name: ProgramName): ProgramWords {
  if (!bundles) return sourceWords(name);
  return [process.execPath, path.join(bundles, `${name}.mjs`)];
}

export function sourceWords(name: ProgramName): ProgramWords {
  return [process.execPath, path.join(root, sources[name])];
}
