// What the processes of the app hold: memory of their own, and descriptors.

import { readdir, readFile } from "node:fs/promises";

export interface ProcessSample {
  readonly pid: number;
  /** `main`, `renderer`, `gpu-process`, `utility`, `zygote`. */
  readonly type: string;
  /** Not shared with any other process; of a program's file that is what no other runs just now. */
  readonly ownKiB: number;
  /** What it has made itself: the same whoever else on the machine runs the same program, or ceases to. */
  readonly madeKiB: number;
  readonly descriptors: number;
}

/** The process and all below it; one that ends while it is looked at is left out. */
export async function sampleProcesses(
  ancestor: number,
): Promise<readonly ProcessSample[]> {
  const parents = await parentsOfAll();
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1;)
      if (at === ancestor) return true;
      else at = parents.get(at);
    return false;
  };
  const samples = await Promise.all(
    [...parents.keys()].filter(isBelow).map(sampleProcess),
  );
  return samples.filter((each) => each !== null);
}

async function parentsOfAll(): Promise<Map<number, number>> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const pairs = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      const parent = stat.slice(stat.lastIndexOf(")") + 4).split(" ")[0];
      return [Number(pid), Number(parent)] as const;
    }),
  );
  return new Map(pairs);
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
      // Of memory that several share, its part of it.
      madeKiB: kibOf("Anonymous|Pss_Shmem|Swap"),
      descriptors: descriptors.length,
    };
  } catch {
    return null;
  }
}
