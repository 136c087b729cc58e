// A folder of its own for one test or one file of tests, gone afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Where something says how it is ended. */
export type AtEnd = (end: () => Promise<void>) => void;

export async function temporaryFolder(
  atEnd: AtEnd = onTestFinished,
): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-test-"));
  atEnd(() => removeFolder(dir));
  return dir;
}

/** What ends beside it may write its last word meanwhile. */
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
