// What Linux reports about a process: its state, its parent and its processor time.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  processorMsOf,
  readProcessStat,
} from "../../../../server/platform/process/process-stat.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { temporaryFolder } from "../../../support/folder.ts";

describe.skipIf(process.platform !== "linux")("a process of Linux", () => {
  it("has a state and a parent, whatever its name contains", async () => {
    const program = path.join(await temporaryFolder(), "a) Z 1 (b");
    await copyFile("/bin/sleep", program);
    const child = spawn(program, ["600"]);
    afterThisTest(async () => child.kill("SIGKILL"));
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    await expect.poll(() => readProcessStat(pid).state).toBe("S");
    expect(readProcessStat(pid).parent).toBe(process.pid);
    expect(readProcessStat(pid).startedAt).toBeGreaterThanOrEqual(
      readProcessStat(process.pid).startedAt,
    );
    child.kill("SIGSTOP");
    await expect.poll(() => readProcessStat(pid).state).toBe("T");
  });

  it("uses processor time, and its main thread a part of that", async () => {
    const before = processorMsOf(process.pid) ?? 0;
    // By processor time: another process may keep the processor for a while.
    while ((processorMsOf(process.pid) ?? 0) < before + 50);
    expect(processorMsOf(`self/task/${process.pid}`)).toBeLessThanOrEqual(
      processorMsOf(process.pid) ?? 0,
    );
  });

  it("reports nothing about a process that has ended", async () => {
    const child = spawn("/bin/true");
    await once(child, "exit");
    expect(processorMsOf(child.pid)).toBeNull();
    expect(() => readProcessStat(child.pid ?? 0)).toThrow(/ENOENT/);
    expect(processorMsOf(undefined)).toBeNull();
  });
});
