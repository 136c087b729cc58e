// One player per data folder: a second copy hands over to the first and ends.

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import {
  makeForThisRun,
  placesForARun,
  refusalOf,
} from "../../server/platform/files/taking.ts";
import { putTemporaryFilesIn } from "../config.ts";

/**
 * False when another copy runs on this data folder; `onSecondCopy` is called in the first one, unless the second is a
 * supervisor's, which only looks whether there is a player.
 */
export function becomeOnlyCopy(
  dataDir: string,
  isWatched: boolean,
  onSecondCopy: () => void,
): boolean {
  const profileDir = profileOf(dataDir);
  app.setPath("userData", profileDir);
  forgetLockOfAnotherName(profileDir);
  if (!app.requestSingleInstanceLock({ isWatched })) {
    // A refusal alone says no more than that the lock was not to be had; other systems keep it elsewhere.
    if (isHeld(profileDir) || process.platform !== "linux") return false;
    throw new Error("Its lock cannot be taken, and no other copy has it.");
  }
  app.on("second-instance", (_event, _words, _folder, second) => {
    if (!(second as { isWatched?: boolean } | null)?.isWatched) onSecondCopy();
  });
  return true;
}

/**
 * Chromium's own files and the lock live beside the store, so each data folder is a player of its own.
 * Where that takes nothing and there is something to show, they last for this run (V2-330).
 */
function profileOf(dataDir: string): string {
  const dir = join(dataDir, "chromium");
  const refusal = refusalToMake(dir);
  if (refusal === null || isHeld(dir)) return dir;
  const [place] = placesForARun();
  if (place === undefined || !existsSync(join(dataDir, "vitrine.db")))
    throw refusal;
  // The socket behind the lock is made where temporary files are.
  putTemporaryFilesIn(place);
  return makeForThisRun(place);
}

function refusalToMake(dir: string): Error | null {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    return error as Error;
  }
  return refusalOf(dir);
}

/**
 * The lock of a copy that was cut off is taken over only under the same host name: a machine
 * renamed after a power cut would never start again. Of one renamed while its copy runs, the lock stays.
 */
function forgetLockOfAnotherName(profileDir: string): void {
  const lock = join(profileDir, "SingletonLock");
  const name = /^(.*)-\d+$/.exec(linkAt(lock) ?? "")?.[1];
  if (name === undefined || name === hostname() || isHeld(profileDir)) return;
  try {
    rmSync(lock);
  } catch {
    // It went by itself.
  }
}

/**
 * Whether anybody listens behind the lock. Its number says less: it may be another's by now, and a copy that was
 * installed bears another name than one that runs from the sources.
 */
function isHeld(profileDir: string): boolean {
  const socket = linkAt(join(profileDir, "SingletonSocket"));
  if (socket === null) return false;
  try {
    return readFileSync("/proc/net/unix", "utf8")
      .split("\n")
      .some((line) => isListening.test(line) && line.endsWith(` ${socket}`));
  } catch {
    // A system that keeps it elsewhere.
    return false;
  }
}

/** Number, references, protocol, and the flag of a socket that takes connections. */
const isListening = /^\S+ \S+ \S+ 00010000 /;

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
