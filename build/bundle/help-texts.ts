// The guides and interface rules that the manager shows under Help, as they are in the repository.

import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export interface HelpText {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  /** Markdown. */
  readonly text: string;
}

/** Guides first, each group by path. */
const patterns = ["build/guides/*.md", "server/contract/*/**/*.md"];

export function helpTexts(root: string): readonly HelpText[] {
  return patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root })
      .map((file) => file.split(sep).join("/"))
      .sort()
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
  );
}
