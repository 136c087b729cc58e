// A process of ours is told to end, as a service manager does it here: by SIGTERM, which only kills on Windows, and by an order there.

import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";
import {
  orderEnd,
  type RunningProgram,
} from "../../../server/platform/process/end-orders.ts";

/** It may still be ending when this answers. */
export async function requestEnd(
  child: ChildProcess,
  dataDir: string,
  program: RunningProgram,
): Promise<void> {
  if (process.platform !== "win32") child.kill("SIGTERM");
  else expect(await orderEnd(dataDir, program)).toBe("ended");
}
