// Keeps a data folder readable by its owner alone; other users of the PC can read neither its names nor its bytes.

import { chmodSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { othersInAccessList, restrictToOwner } from "./access-list.ts";
import type { Log } from "../log.ts";
import { diskRefusalOf } from "../outside-error.ts";
import { makeFolder } from "./writable-folder.ts";

/** Permissions of group and others. */
const othersBits = 0o077;
/** What the owner needs of a file, and of a folder. */
const ownerBits = { file: 0o600, folder: 0o700 };
const stickyBit = 0o1000;
/** A folder with one of these, or an empty one, is a data folder; any other may also be used by others. */
const storeFileNames = new Set([
  "vitrine.db",
  "content.db",
  "machine.json",
  "provision.json",
  "files",
]);

/**
 * Creates the folder, removes permissions that an earlier version left to others, and restores those of the owner: on the folder and
 * its direct content, since nothing deeper can be reached then. SQLite gives a journal the mode of its database: one created while
 * the database was read-only would keep every later start from writing (V4-339). Everything that this process creates from now on,
 * anywhere, is its owner's alone. On Windows the folder gets its access list when it is created or still empty; later the list is the owner's
 * business, and only checked (`warnOfOthers`). Throws the system's error when the folder cannot be created.
 */
export function makePrivateFolder(
  dir: string,
  { platform = process.platform, giveAccessList = restrictToOwner } = {},
): void {
  if (process.platform !== "win32") process.umask(othersBits);
  makeFolder(dir);
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
  giveToOwner(dir, ownerBits.folder);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const place = path.join(dir, entry.name);
    if (entry.isDirectory()) giveToOwner(place, ownerBits.folder);
    if (entry.isFile()) giveToOwner(place, ownerBits.file);
  }
}

/** The same for a program that runs even where the disk rejects that (V2-753); returns whether it accepted it. */
export function tryMakePrivateFolder(dir: string): boolean {
  try {
    makePrivateFolder(dir);
    return true;
  } catch (error) {
    if (diskRefusalOf(error) === null) throw error;
    return false;
  }
}

function giveTo(dir: string, giveAccessList: (dir: string) => void): void {
  try {
    giveAccessList(dir);
  } catch {
    // A disk without access lists: the check that follows reports it, and the program runs all the same.
  }
}

/** Users other than the owner who can read the folder, by the system's names; rejects when that cannot be determined. */
export async function othersWhoMayRead(
  dir: string,
  { platform = process.platform, inAccessList = othersInAccessList } = {},
): Promise<readonly string[]> {
  if (platform === "win32") return inAccessList(dir);
  const { mode } = statSync(dir);
  return (mode & othersBits) === 0 ? [] : ["other users"];
}

/** Logs a warning at start, where an operator looks; returns whether the folder is known to be readable by its owner alone. */
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

function giveToOwner(place: string, needed: number): void {
  try {
    const mode = statSync(place).mode & 0o7777;
    const right = (mode & ~othersBits) | needed;
    if (mode !== right) chmodSync(place, right);
  } catch {
    // Owned by another user, on a read-only disk, or removed meanwhile: the player runs all the same.
  }
}
