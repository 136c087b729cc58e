// Keeps a data folder readable by its owner alone; other users of the PC get neither its names nor its bytes.

import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { othersInAccessList, restrictToOwner } from "./access-list.ts";
import type { Log } from "../log.ts";

/** What group and others may do. */
const othersBits = 0o077;
const stickyBit = 0o1000;
/** A folder with one of these, or with nothing in it, is a data folder; any other may be somebody else's, too. */
const storeFileNames = new Set([
  "vitrine.db",
  "content.db",
  "machine.json",
  "files",
]);

/**
 * Makes the folder, and takes from others what an earlier version left to them: the folder and what lies directly in
 * it, since nobody reaches deeper. Whatever this process creates from now on, anywhere, is its owner's alone. On Windows
 * it gets its access list where it is made or still empty; later one is its owner's affair, and only looked at
 * (`warnOfOthers`). Throws the system's error when the folder cannot be made.
 */
export function makePrivateFolder(
  dir: string,
  { platform = process.platform, giveAccessList = restrictToOwner } = {},
): void {
  if (process.platform !== "win32") process.umask(othersBits);
  mkdirSync(dir, { recursive: true });
  const names = readdirSync(dir);
  if (platform === "win32") {
    if (names.length === 0) giveTo(dir, giveAccessList);
    return;
  }
  const isDataFolder =
    names.length === 0 || names.some((name) => storeFileNames.has(name));
  // Meant for several users, as the system's folder for temporary files is.
  const isShared = (statSync(dir).mode & stickyBit) !== 0;
  if (!isDataFolder || isShared) return;
  restrict(dir);
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile())
      restrict(path.join(dir, entry.name));
}

function giveTo(dir: string, giveAccessList: (dir: string) => void): void {
  try {
    giveAccessList(dir);
  } catch {
    // A disk that knows none: what follows says so, and it runs all the same.
  }
}

/** Who else may read the folder: names as the system has them; rejects where that cannot be found out. */
export async function othersWhoMayRead(
  dir: string,
  { platform = process.platform, inAccessList = othersInAccessList } = {},
): Promise<readonly string[]> {
  if (platform === "win32") return inAccessList(dir);
  const { mode } = statSync(dir);
  return (mode & othersBits) === 0 ? [] : ["other users"];
}

/** At a start, so that it is known where an operator looks; answers whether the folder is known to be its owner's alone. */
export async function warnOfOthers(
  dir: string,
  log: Log,
  listOthers: (dir: string) => Promise<readonly string[]> = othersWhoMayRead,
): Promise<boolean> {
  try {
    const others = await listOthers(dir);
    if (others.length === 0) return true;
    log.warn("data-folder.permissions-too-open", { dataDir: dir, others });
  } catch (error) {
    log.warn("data-folder.check-failed", { dataDir: dir, error });
  }
  return false;
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
