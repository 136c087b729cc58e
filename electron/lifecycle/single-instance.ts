// Single instance lock: one player per data folder; a second instance notifies the first and ends.

import {
  existsSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { app } from "electron";
import {
  makeFolder,
  makeForThisRun,
  placesForARun,
  refusalOf,
} from "../../server/platform/files/writable-folder.ts";
import { diskRefusalOf } from "../../server/platform/outside-error.ts";
import { putTemporaryFilesIn } from "../config.ts";

/**
 * False when another instance runs on this data folder; `onSecondCopy` is called in the first one, unless the second is a
 * supervisor's, which only checks whether there is a player.
 */
export function becomeOnlyCopy(
  dataDir: string,
  isWatched: boolean,
  onSecondCopy: () => void,
): boolean {
  const profileDir = profileOf(dataDir);
  app.setPath("userData", profileDir);
  forgetLockOfAnotherName(profileDir);
  const lastSocket = socketOf(profileDir);
  if (!app.requestSingleInstanceLock({ isWatched })) {
    // A refusal alone only means that the lock could not be taken; other systems keep the lock elsewhere.
    if (isHeld(profileDir) || process.platform !== "linux") return false;
    throw new Error(
      "The lock cannot be acquired, although no other instance holds it.",
    );
  }
  const socket = socketOf(profileDir);
  if (lastSocket !== null && lastSocket !== socket && !isListenedTo(lastSocket))
    removeSocket(lastSocket);
  ownSocket = socket;
  app.on("second-instance", (_event, _words, _folder, second) => {
    if (!(second as { isWatched?: boolean } | null)?.isWatched) onSecondCopy();
  });
  return true;
}

let ownSocket: string | null = null;

/** Right before this process exits: another instance can start as soon as nobody listens. */
export function removeOwnSocket(): void {
  if (ownSocket !== null) removeSocket(ownSocket);
}

/**
 * Chromium's own files and the lock are next to the store, so that each data folder is a player of its own. Where its disk rejects
 * them, they exist for this run only (V2-330, V2-753).
 */
function profileOf(dataDir: string): string {
  const dir = join(dataDir, "chromium");
  const refusal = refusalToMake(dir);
  if (refusal === null || isHeld(dir)) return dir;
  const [place] = placesForARun();
  const isOfDisk =
    existsSync(join(dataDir, "vitrine.db")) || diskRefusalOf(refusal) !== null;
  if (place === undefined || !isOfDisk) throw refusal;
  // The socket behind the lock is created in the folder for temporary files.
  putTemporaryFilesIn(place);
  return makeForThisRun(place);
}

function refusalToMake(dir: string): Error | null {
  try {
    makeFolder(dir);
  } catch (error) {
    return error as Error;
  }
  return refusalOf(dir);
}

/**
 * Chromium takes over the lock of an instance that crashed only under the same host name: a machine renamed after a power cut
 * would never start again. When the machine was renamed while its instance runs, the lock stays.
 */
function forgetLockOfAnotherName(profileDir: string): void {
  const lock = join(profileDir, "SingletonLock");
  const name = /^(.*)-\d+$/.exec(linkAt(lock) ?? "")?.[1];
  if (name === undefined || name === hostname() || isHeld(profileDir)) return;
  try {
    rmSync(lock);
  } catch {
    // It has been removed meanwhile.
  }
}

/**
 * Whether a process listens behind the lock. Its pid says less: it may have been reused, and an installed instance has another
 * program name than one that runs from the sources.
 */
function isHeld(profileDir: string): boolean {
  const socket = socketOf(profileDir);
  return socket !== null && isListenedTo(socket);
}

function isListenedTo(socket: string): boolean {
  try {
    return readFileSync("/proc/net/unix", "utf8")
      .split("\n")
      .some((line) => isListening.test(line) && line.endsWith(` ${socket}`));
  } catch {
    // A system that keeps it elsewhere.
    return false;
  }
}

/** Number, references, protocol, and the flag of a socket that accepts connections. */
const isListening = /^\S+ \S+ \S+ 00010000 /;

/** The socket behind the lock, in a folder of its own for temporary files; null without one. */
function socketOf(profileDir: string): string | null {
  return linkAt(join(profileDir, "SingletonSocket"));
}

/**
 * Chromium leaves socket and folder of each run behind, thousands on a PC that restarts often (V2-864). Only the folder to which
 * this profile's own link led is removed, and only when there is nothing else in it.
 */
function removeSocket(socket: string): void {
  const folder = dirname(socket);
  if (!isSocketFolder.test(folder)) return;
  try {
    for (const name of ["SingletonSocket", "SingletonCookie"])
      rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch {
    // It is another user's, or more than ours.
  }
}

/** As Chromium names it. */
const isSocketFolder =
  /^\/.+\/(scoped_dir|\.org\.chromium\.[^/]*)[A-Za-z0-9]{6}$/;

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
