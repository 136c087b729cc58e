// A small disk of its own for one test, which can really be full; where nothing may be mounted, a warning is printed.

import { execFileSync } from "node:child_process";
import { statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { systemCode } from "../../../server/platform/outside-error.ts";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";

/** Only root may mount. */
export const mayMount =
  process.platform === "linux" && process.getuid?.() === 0;
if (!mayMount)
  console.warn(
    "No disk is mounted here: tests with a really full one are left out.",
  );

/** A new disk in memory, of this size. */
export async function smallDisk(megabytes: number): Promise<string> {
  const dir = await temporaryFolder();
  mount(dir, "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs");
  return dir;
}

/** From now on this place is read-only; the returned function ends that. */
export function readOnlyAt(dir: string): () => void {
  return mount(dir, "-t", "tmpfs", "-o", "ro,size=64m", "tmpfs");
}

/** From now on this file is read-only, for root too. */
export function bindReadOnly(file: string): void {
  mount(file, "--bind", file);
  execFileSync("/bin/mount", ["-o", "remount,bind,ro", file]);
}

/** The disk that is mounted here is read-only from now on; the returned function ends that. */
export function remountReadOnly(dir: string): () => void {
  const remount = (how: string): void =>
    void execFileSync("/bin/mount", ["-o", `remount,${how}`, dir]);
  remount("ro");
  return () => remount("rw");
}

function mount(dir: string, ...words: string[]): () => void {
  execFileSync("/bin/mount", [...words, dir]);
  let isThere = true;
  const end = (): void => {
    // Lazily: a process that still has a file of it open keeps that file.
    if (isThere) execFileSync("/bin/umount", ["-l", dir]);
    isThere = false;
  };
  afterThisTest(async () => end());
  return end;
}

/** Fills the disk except for this many bytes; returns the file that does. */
export async function fillUp(dir: string, leaving: number): Promise<string> {
  const { bavail, bsize } = await statfs(dir);
  const file = path.join(dir, `filler-${leaving}`);
  await writeFile(
    file,
    Buffer.alloc(Math.max(0, bavail * bsize - leaving)),
  ).catch((error: unknown) => {
    // Another process has written there meanwhile.
    if (systemCode(error) !== "ENOSPC") throw error;
  });
  return file;
}
