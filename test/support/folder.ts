// Temporary folder for one test or one file of tests, deleted afterwards.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Registers how something is ended. */
export type AtEnd = (end: () => Promise<void>) => void;

export async function temporaryFolder(
  atEnd: AtEnd = onTestFinished,
  parent = os.tmpdir(),
): Promise<string> {
  const dir = await mkdtemp(path.join(parent, "vitrine-test-"));
  atEnd(() => removeFolder(dir));
  return dir;
}

/** In memory where the system has such a place: thousands of commits need not wait for a disk there. */
export function folderInMemory(): Promise<string> {
  const parent = existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();
  return temporaryFolder(onTestFinished, parent);
}

/** A process that is ending may still write into it. */
export function removeFolder(dir: string): Promise<void> {
  return rm(dir, { recursive: true, force: true, maxRetries: 10 });
}

/** For a `beforeAll`: what is started in it ends, the last first, when the file's tests have run. */
export async function untilAllHaveRun(
  start: (atEnd: AtEnd) => Promise<void>,
): Promise<() => Promise<void>> {
  const ends: (() => Promise<void>)[] = [];
  await start((end) => ends.unshift(end));
  return async () => {
    for (const end of ends) await end();
  };
}
