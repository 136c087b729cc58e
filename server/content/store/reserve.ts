// Keeps a little of the disk for opening the SQLite database, which needs some even where it is only read (V4-325).

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";

export interface DiskReserve {
  /** Frees what is kept, where the disk has nothing else to give. */
  release(): void;
  /** Keeps as much again, or what there is. */
  take(): void;
}

/** SQLite's file of shared memory takes 32 KiB, the rest is for a disk that counts in large blocks. */
const reserveBytes = 512 * 1024;
const pieceBytes = 4 * 1024;
/** With more than this the database opens without it. */
const scarceBytes = 4 * 1024 ** 2;

/** It never throws: without a reserve the database is opened as well as can be. */
export function createDiskReserve(dir: string): DiskReserve {
  const file = path.join(dir, "content.reserve");

  function release(): void {
    const { bavail, bsize } = statfsSync(dir);
    if (bavail * bsize < scarceBytes) rmSync(file, { force: true });
  }

  function take(): void {
    const had = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (had >= reserveBytes) return;
    const opened = openSync(file, "a", 0o600);
    try {
      // By chance, so that no file system stores less than that.
      for (let size = had; size < reserveBytes; size += pieceBytes)
        writeSync(opened, randomBytes(pieceBytes));
    } finally {
      fsyncSync(opened);
      closeSync(opened);
    }
  }

  return { release: () => quietly(release), take: () => quietly(take) };
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // A disk that is full or cannot be written.
  }
}
