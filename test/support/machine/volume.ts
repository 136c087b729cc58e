// A disk of its own for one test, small and really full when it is; where nothing may be mounted, that is said.

import { execFileSync } from "node:child_process";
import { statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { systemCode } from "../../../server/platform/outside-error.ts";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";

/** Only the system's owner mounts. */
export const mayMount =
  process.platform === "linux" && process.getuid?.() === 0;
if (!mayMount)
  console.warn(
    "No disk is mounted here: tests with a really full one are left out.",
  );

/** A new disk in memory, so large. */
export async function smallDisk(megabytes: number): Promise<string> {
  const dir = await temporaryFolder();
  mount(dir, "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs");
  return dir;
}

/** From now on nothing is taken at this place; the answer ends that. */
export function readOnlyAt(dir: string): () => void {
  return mount(dir, "-t", "tmpfs", "-o", "ro,size=64m", "tmpfs");
}

/** The disk that is mounted here takes nothing from now on; the answer ends that. */
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
    // Lazily: who still has a file of it open keeps it.
    if (isThere) execFileSync("/bin/umount", ["-l", dir]);
    isThere = false;
  };
  afterThisTest(async () => end());
  return end;
}

/** Takes all that is free but so many bytes; answers the file that does. */
export async function fillUp(dir: string, leaving: number): Promise<string> {
  const { bavail, bsize } = await statfs(dir);
  const file = path.join(dir, `filler-${leaving}`);
  await writeFile(
    file,
    Buffer.alloc(Math.max(0, bavail * bsize - leaving)),
  ).catch((error: unknown) => {
    // Whoever else writes there took some of it meanwhile.
    if (systemCode(error) !== "ENOSPC") throw error;
  });
  return file;
}
