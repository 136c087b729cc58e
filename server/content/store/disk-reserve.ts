// Reserves a little disk space for opening the SQLite database, which needs some even for reading (V4-325).

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
  /** Frees the reserve when the disk has no other space. */
  release(): void;
  /** Fills the reserve again, as far as there is space. */
  take(): void;
}

/** SQLite's shared-memory file takes 32 KiB, the rest is for file systems with large blocks. */
const reserveBytes = 512 * 1024;
const pieceBytes = 4 * 1024;
/** With more free space than this the database opens without the reserve. */
const scarceBytes = 4 * 1024 ** 2;

/** Never throws: without a reserve the database is opened as well as possible. */
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
      // Random, so that no file system compresses it.
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
    // The disk is full or not writable.
  }
}
