// Replaces files atomically: the old one or the new one is there, also after a power cut, and also while Windows blocks a file for
// a moment. Deletes files in the same way.

import {
  closeSync,
  fsync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { systemCode } from "../outside-error.ts";

/** Errors on Windows while a virus scanner or an indexer has a file open, as they do with every new file. */
const heldCodes = new Set(["EPERM", "EACCES", "EBUSY"]);
const pausesMs = [10, 20, 40, 80, 150, 200];

/** Whether another process may have the file open; only meaningful on Windows. */
export function isHeldByAnother(error: unknown): boolean {
  return heldCodes.has(systemCode(error) ?? "");
}

/** On other systems these errors are permanent, and are not retried. */
const defaultPauses = process.platform === "win32" ? pausesMs : [];

/** Retries for half a second while another process has the file open. */
export async function insist<T>(
  act: () => Promise<T>,
  pauses: readonly number[] = defaultPauses,
): Promise<T> {
  for (const ms of pauses)
    try {
      return await act();
    } catch (error) {
      if (!isHeldByAnother(error)) throw error;
      await pause(ms);
    }
  return act();
}

/** The same for synchronous callers: it blocks the thread meanwhile. */
export function insistSync<T>(
  act: () => T,
  pauses: readonly number[] = defaultPauses,
): T {
  for (const ms of pauses)
    try {
      return act();
    } catch (error) {
      if (!isHeldByAnother(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  return act();
}

/** Like `rename`, replacing an existing file. */
export function moveFile(from: string, to: string): Promise<void> {
  return insist(() => rename(from, to));
}

/** The same where no other code may run in between. */
export function moveFileSync(from: string, to: string): void {
  insistSync(() => renameSync(from, to));
}

/** Deletes a file; does nothing where there is none. */
export function removeFile(file: string): Promise<void> {
  return insist(() => rm(file, { force: true }));
}

/** Moves a finished file: flushes it to disk first, then replaces the target. */
export async function putInPlace(from: string, to: string): Promise<void> {
  const handle = await open(from, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await moveFile(from, to);
  await flushFolder(path.dirname(to));
}

/** Readable by its owner alone. Throws the disk's error, and leaves the former file in place. */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  const part = `${file}.part`;
  try {
    const handle = await open(part, "w", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await moveFile(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushFolder(path.dirname(file));
}

/** The same where no other code may run in between. */
export function replaceFileSync(file: string, content: string): void {
  const part = `${file}.part`;
  try {
    const handle = openSync(part, "w", 0o600);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    moveFileSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

const flush = promisify(fsync);

/** Flushes the names in it; Windows does that by itself. */
export async function flushFolder(dir: string): Promise<void> {
  if (process.platform === "win32") return;
  // In the system's cache, as a file has just been put there: opening it takes less time than waiting for a thread that does.
  const folder = openSync(dir, "r");
  try {
    await flush(folder);
  } finally {
    closeSync(folder);
  }
}
