// Keeps a data folder readable by its owner alone; other users of the PC get neither its names nor its bytes.

import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";

const ownerOnly = { folder: 0o700, file: 0o600 };

/**
 * Makes the folder, and restricts one of an earlier version with what lies directly in it: nobody reaches deeper.
 * Whatever this process creates from now on, anywhere, is its owner's alone. Windows keeps what a folder inherits.
 * Throws the system's error when the folder cannot be made.
 */
export function makePrivateFolder(dir: string): void {
  process.umask(0o077);
  mkdirSync(dir, { recursive: true });
  restrict(dir, ownerOnly.folder);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const inside = path.join(dir, entry.name);
    if (entry.isDirectory()) restrict(inside, ownerOnly.folder);
    else if (entry.isFile()) restrict(inside, ownerOnly.file);
  }
}

function restrict(place: string, mode: number): void {
  try {
    chmodSync(place, mode);
  } catch {
    // Another's, on a read-only disk, or gone meanwhile: the player runs all the same.
  }
}
