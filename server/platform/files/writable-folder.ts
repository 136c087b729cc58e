// Checks whether a folder accepts writes, and finds a place for one run when it does not.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemCode } from "../outside-error.ts";

const refusals = /^(EROFS|EACCES|EPERM|ENOSPC|EDQUOT|EIO)$/;
/**
 * A full disk still accepts an empty file: the test write is as large as what SQLite needs to open a database with a journal, and
 * incompressible.
 */
const probeBytes = 64 * 1024;

/**
 * Why a folder rejects writes; null when it accepts them. By a test write: permissions, mounts, full and failing disks all fail in
 * different ways.
 */
export function refusalOf(dir: string): Error | null {
  const probe = path.join(dir, ".writable");
  try {
    const file = openSync(probe, "w");
    try {
      writeFileSync(file, randomBytes(probeBytes));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return null;
  } catch (error) {
    return refusals.test(systemCode(error) ?? "") ? (error as Error) : null;
  } finally {
    removed(probe);
  }
}

/** Creates the folder and those above it. Throws the system's error; Node itself reports a read-only disk as a missing folder. */
export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    let missing = dir;
    while (!existsSync(path.dirname(missing))) missing = path.dirname(missing);
    mkdirSync(missing);
    mkdirSync(dir, { recursive: true });
  }
}

/** The system's temporary folder, and memory: the disk that rejects writes may be the only one. */
export function placesForARun(): readonly string[] {
  const memory = process.platform === "linux" ? ["/dev/shm"] : [];
  return [tmpdir(), ...memory].filter((place) => refusalOf(place) === null);
}

/** A new folder in such a place; deletes those of runs that did not end cleanly. */
export function makeForThisRun(place: string): string {
  for (const name of readdirSync(place)) {
    const pid = /^vitrine-run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      removed(path.join(place, name));
  }
  return mkdtempSync(path.join(place, `vitrine-run-${process.pid}-`));
}

/** What cannot be deleted stays. */
function removed(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or is on the disk that rejects writes.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}
