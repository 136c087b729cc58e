// Files put in the place of others: the old one or the new one is there, also after a power cut, and also where Windows lets nobody touch one for a moment.

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

/** What Windows answers while a virus scanner or an indexer has a file open, as they have every new one. */
const heldCodes = new Set(["EPERM", "EACCES", "EBUSY"]);
const pausesMs = [10, 20, 40, 80, 150, 200];

/** Whether another process may have the file open: of no meaning on other systems than Windows. */
export function isHeldByAnother(error: unknown): boolean {
  return heldCodes.has(systemCode(error) ?? "");
}

/** Elsewhere these errors last, and nobody waits for them. */
const defaultPauses = process.platform === "win32" ? pausesMs : [];

/** Tries again for half a second while another process has the file open. */
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

/** The same for who cannot wait in any other way: the thread stands still meanwhile. */
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

/** As `rename`, in the place of whatever is there. */
export function moveFile(from: string, to: string): Promise<void> {
  return insist(() => rename(from, to));
}

/** A file that is written already: on disk first, then in its place. */
export async function putInPlace(from: string, to: string): Promise<void> {
  const handle = await open(from, "r+");
  await handle.sync().finally(() => handle.close());
  await moveFile(from, to);
  await flushFolder(path.dirname(to));
}

/** Readable by its owner alone. Throws what the disk throws, and leaves what was there before. */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  const part = `${file}.part`;
  try {
    const handle = await open(part, "w", 0o600);
    await handle
      .writeFile(content)
      .then(() => handle.sync())
      .finally(() => handle.close());
    await moveFile(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushFolder(path.dirname(file));
}

/** The same where nothing may come in between. */
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
    insistSync(() => renameSync(part, file));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

const flush = promisify(fsync);

/** The names in it; Windows keeps them by itself. */
export async function flushFolder(dir: string): Promise<void> {
  if (process.platform === "win32") return;
  // At hand, as something was just put there: to open it takes less than to wait for somebody who does.
  const folder = openSync(dir, "r");
  try {
    await flush(folder);
  } finally {
    closeSync(folder);
  }
}
