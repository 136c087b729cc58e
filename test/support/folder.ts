// A folder of its own for one test, gone afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-test-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
