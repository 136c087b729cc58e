// Whether a place takes what is written to it, and where something may lie for one run when it does not.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
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
/** A full disk takes an empty file still: as much as SQLite needs to open a journalled database, and nothing that shrinks. */
const probeBytes = 64 * 1024;

/** Why a folder takes nothing; null where it does. By trying: rights, mounts, full and worn disks all say no in their own way. */
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

/** The system's temporary folder, and the memory: the disk that takes nothing may be the only one. */
export function placesForARun(): readonly string[] {
  const memory = process.platform === "linux" ? ["/dev/shm"] : [];
  return [tmpdir(), ...memory].filter((place) => refusalOf(place) === null);
}

/** A new folder in such a place; those of runs that nobody ended go. */
export function makeForThisRun(place: string): string {
  for (const name of readdirSync(place)) {
    const pid = /^vitrine-run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      removed(path.join(place, name));
  }
  return mkdtempSync(path.join(place, `vitrine-run-${process.pid}-`));
}

/** What cannot be removed stays. */
function removed(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // It is another user's, or on the disk that takes nothing.
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
