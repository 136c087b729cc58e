// One player per data folder: a second copy hands over to the first and ends.

import { mkdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { app } from "electron";

/** False when another copy runs on this data folder; `onSecondCopy` is called in the first one. */
export function becomeOnlyCopy(
  dataDir: string,
  onSecondCopy: () => void,
): boolean {
  // Chromium's own files and the lock live beside the store, so each data folder is a player of its own.
  const profileDir = join(dataDir, "chromium");
  mkdirSync(profileDir, { recursive: true });
  app.setPath("userData", profileDir);
  forgetLockOfAnotherName(profileDir);
  if (!app.requestSingleInstanceLock()) return false;
  app.on("second-instance", onSecondCopy);
  return true;
}

/**
 * The lock of a copy that was cut off is taken over only under the same host name: a machine
 * renamed after a power cut would never start again. Of one renamed while its copy runs, the lock stays.
 */
function forgetLockOfAnotherName(profileDir: string): void {
  const lock = join(profileDir, "SingletonLock");
  try {
    const [, name, pid = ""] = /^(.*)-(\d+)$/.exec(readlinkSync(lock)) ?? [];
    if (name !== hostname() && !isRunning(pid)) rmSync(lock);
  } catch {
    // No lock, or a system that keeps it elsewhere.
  }
}

/** This very program under that number, not whatever has been given it since. */
function isRunning(pid: string): boolean {
  try {
    return readlinkSync(join("/proc", pid, "exe")) === process.execPath;
  } catch {
    return false;
  }
}
