// Ends a process of ours on request, as a service manager does: by SIGTERM, which on Windows would only kill, so there by an
// order.

import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";
import {
  orderEnd,
  type RunningProgram,
} from "../../../server/platform/process/end-requests.ts";

/** It may still be ending when this resolves. */
export async function requestEnd(
  child: ChildProcess,
  dataDir: string,
  program: RunningProgram,
): Promise<void> {
  if (process.platform !== "win32") child.kill("SIGTERM");
  else expect(await orderEnd(dataDir, program)).toBe("ended");
}
