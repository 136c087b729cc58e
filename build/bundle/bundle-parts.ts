// What of a bundle in parts a page loads first, and which parts it loads later.

import { basename, extname } from "node:path";
import type { Metafile } from "esbuild";

/** What is loaded by one dynamic import. */
export interface LaterPart {
  /** Its module's file, without extension: `LibraryPage`. */
  readonly name: string;
  /** Names of its scripts, without those that the page has loaded first. */
  readonly scripts: ReadonlySet<string>;
}

export interface BundleParts {
  /** What the page names itself; the styles are those of all parts. */
  readonly entry: { readonly script: string; readonly style: string };
  /** Names of the scripts that are loaded first, with the entry. */
  readonly first: ReadonlySet<string>;
  /** Sorted by their names. */
  readonly later: readonly LaterPart[];
}

export function partsOf({ outputs }: Metafile): BundleParts {
  const entryPath = Object.keys(outputs).find((path) =>
    /^main-[A-Z0-9]{8}\.js$/.test(basename(path)),
  );
  const style = entryPath && outputs[entryPath]?.cssBundle;
  if (entryPath === undefined || style === undefined)
    throw new Error("The bundle has no main script, or no styles.");
  const first = new Set<string>();
  collect(entryPath, first);
  const found = new Map<string, LaterPart>();
  const queue = [...first];
  for (const path of queue)
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import" || found.has(imported)) continue;
      const output = outputs[imported];
      if (output?.entryPoint === undefined) continue;
      const scripts = new Set<string>();
      collect(imported, scripts);
      queue.push(...scripts);
      const { entryPoint } = output;
      found.set(imported, {
        name: basename(entryPoint, extname(entryPoint)),
        scripts: namesOf([...scripts].filter((one) => !first.has(one))),
      });
    }

  /** With everything that is loaded along with it. */
  function collect(path: string, into: Set<string>): void {
    if (into.has(path)) return;
    into.add(path);
    for (const { kind, path: imported } of outputs[path]?.imports ?? [])
      if (kind === "import-statement") collect(imported, into);
  }

  return {
    entry: { script: basename(entryPath), style: basename(style) },
    first: namesOf([...first]),
    later: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function namesOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.map((path) => basename(path)));
}
