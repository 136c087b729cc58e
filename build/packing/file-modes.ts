// File modes in a package: readable by every user, however strict the umask of the build was.

import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const specialBits = 0o7000;
const anyExecute = 0o111;

/** Folders and programs become 0755, other files 0644; links stay, and so do setuid and similar bits. */
export async function makeReadableByAll(place: string): Promise<void> {
  const entry = await lstat(place);
  if (entry.isSymbolicLink()) return;
  const isOpen = entry.isDirectory() || (entry.mode & anyExecute) !== 0;
  const mode = (entry.mode & specialBits) | (isOpen ? 0o755 : 0o644);
  if ((entry.mode & 0o7777) !== mode) await chmod(place, mode);
  if (!entry.isDirectory()) return;
  for (const name of await readdir(place))
    await makeReadableByAll(join(place, name));
}
