// A disk that fails under a process: reads, writes or flushes below one folder fail with EIO while a switch is on.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "../folder.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("failing-disk.c", import.meta.url));
const compiler = "/usr/bin/gcc";

/** The layer is for Linux, and built by its compiler. */
export const mayFail = process.platform === "linux" && existsSync(compiler);
if (!mayFail)
  console.warn(
    "There is no gcc of Linux here: tests with a disk that breaks are left out.",
  );

/** `read-late`: the beginning of a file can still be read. */
export type Fault = "read" | "read-late" | "write" | "flush";

export interface FailingDisk {
  /** The environment of the process whose disk it is. */
  readonly env: Readonly<Record<string, string>>;
  break(fault: Fault): Promise<void>;
  repair(fault: Fault): Promise<void>;
}

export async function failingDisk(folder: string): Promise<FailingDisk> {
  const dir = await temporaryFolder();
  const library = path.join(dir, "failing-disk.so");
  await run(compiler, [
    ...["-O2", "-fPIC", "-shared", "-o", library, source, "-ldl"],
  ]);
  const switches = path.join(dir, "switches");
  await mkdir(switches);
  return {
    env: {
      LD_PRELOAD: library,
      VITRINE_FAILING_BELOW: folder,
      VITRINE_FAILING_SWITCHES: switches,
    },
    break: (fault) => writeFile(path.join(switches, fault), ""),
    repair: (fault) => rm(path.join(switches, fault)),
  };
}
