// Measures the processes of the app: private memory and file descriptors.

import { readdir, readFile } from "node:fs/promises";
import { processTree } from "../../support/machine/process-tree.ts";

export interface ProcessSample {
  readonly pid: number;
  /** `main`, `renderer`, `gpu-process`, `utility`, `zygote`. */
  readonly type: string;
  /** Memory shared with no other process; includes pages of the program's file that no other process maps at the moment. */
  readonly ownKiB: number;
  /** Memory it has allocated itself: independent of other processes that run the same program. */
  readonly madeKiB: number;
  readonly descriptors: number;
}

/** Samples the process and all its descendants; one that ends meanwhile is left out. */
export async function sampleProcesses(
  ancestor: number,
): Promise<readonly ProcessSample[]> {
  const samples = await Promise.all(processTree(ancestor).map(sampleProcess));
  return samples.filter((each) => each !== null);
}

async function sampleProcess(pid: number): Promise<ProcessSample | null> {
  try {
    const [command, memory, descriptors] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, "utf8"),
      readFile(`/proc/${pid}/smaps_rollup`, "utf8"),
      readdir(`/proc/${pid}/fd`),
    ]);
    const kibOf = (fields: string): number =>
      [...memory.matchAll(new RegExp(`^(?:${fields}):\\s+(\\d+) kB`, "gm"))]
        .map(([, kib]) => Number(kib))
        .reduce((total, kib) => total + kib, 0);
    return {
      pid,
      type: /--type=([\w-]+)/.exec(command)?.[1] ?? "main",
      ownKiB: kibOf("Private_(?:Clean|Dirty)"),
      // For shared memory, its proportional share.
      madeKiB: kibOf("Anonymous|Pss_Shmem|Swap"),
      descriptors: descriptors.length,
    };
  } catch {
    return null;
  }
}
