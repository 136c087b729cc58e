// Lists our source files, which every check must have examined.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const floors = ["server", "electron", "renderer", "build", "test"];

/** Matches the same files as `sourceFiles`. */
export const sourceGlob = `{${floors.join()}}/**/*.{ts,tsx,js,mjs,cjs}`;

/** Every source file in the top-level source folders, relative to the root and with forward slashes. */
export function sourceFiles(
  root: string,
  kind = /\.([cm]?js|tsx?)$/,
): readonly string[] {
  return floors
    .filter((floor) => existsSync(join(root, floor)))
    .flatMap((floor) => filesBelow(root, floor))
    .filter((file) => kind.test(file))
    .sort();
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && !name.startsWith("."))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    });
}
