// Size in bytes of a file, or of everything below a folder.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export function sizeOf(path: string): number {
  const about = lstatSync(path);
  if (!about.isDirectory()) return about.size;
  return readdirSync(path)
    .map((name) => sizeOf(join(path, name)))
    .reduce((sum, size) => sum + size, 0);
}
