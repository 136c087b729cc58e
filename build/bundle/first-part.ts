// What of a bundle in parts a page loads first.

import { basename } from "node:path";
import type { Metafile } from "esbuild";

export interface FirstPart {
  readonly script: string;
  /** Of all parts. */
  readonly style: string;
  /** Names of the scripts that are loaded with it, itself included. */
  readonly scripts: ReadonlySet<string>;
}

export function firstPartOf({ outputs }: Metafile): FirstPart {
  const script = Object.keys(outputs).find((path) =>
    /^main-[A-Z0-9]{8}\.js$/.test(basename(path)),
  );
  const style = script && outputs[script]?.cssBundle;
  if (script === undefined || style === undefined)
    throw new Error("The bundle has no main script, or no styles.");
  const scripts = new Set<string>();
  const collect = (path: string): void => {
    if (scripts.has(path)) return;
    scripts.add(path);
    for (const { kind, path: imported } of outputs[path]?.imports ?? [])
      if (kind === "import-statement") collect(imported);
  };
  collect(script);
  return {
    ...{ script: basename(script), style: basename(style) },
    scripts: new Set([...scripts].map((path) => basename(path))),
  };
}
