// Keeps a data folder readable by its owner alone; other users of the PC get neither its names nor its bytes.

import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

/** What group and others may do. */
const othersBits = 0o077;
const stickyBit = 0o1000;
/** A folder with one of these, or with nothing in it, is a data folder; any other may be somebody else's, too. */
const ownNames = new Set(["vitrine.db", "content.db", "machine.json", "files"]);

/**
 * Makes the folder, and takes from others what an earlier version left to them: the folder and what lies directly in
 * it, since nobody reaches deeper. Whatever this process creates from now on, anywhere, is its owner's alone. Windows
 * keeps what a folder inherits. Throws the system's error when the folder cannot be made.
 */
export function makePrivateFolder(dir: string): void {
  process.umask(othersBits);
  mkdirSync(dir, { recursive: true });
  const names = readdirSync(dir);
  const isDataFolder =
    names.length === 0 || names.some((name) => ownNames.has(name));
  // Meant for several users, as the system's folder for temporary files is.
  const isShared = (statSync(dir).mode & stickyBit) !== 0;
  if (!isDataFolder || isShared) return;
  restrict(dir);
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile())
      restrict(path.join(dir, entry.name));
}

function restrict(place: string): void {
  try {
    const { mode } = statSync(place);
    if ((mode & othersBits) !== 0)
      chmodSync(place, mode & 0o7777 & ~othersBits);
  } catch {
    // Another's, on a read-only disk, or gone meanwhile: the player runs all the same.
  }
}
