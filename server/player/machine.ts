// State of the machine: load, memory, disk and addresses, reported without waiting for any of them.

import { readFile, statfs } from "node:fs/promises";
import os from "node:os";

export interface Machine {
  /** Free and total bytes of the disk with the store, as last read; waits only briefly for a sleeping disk. */
  disk(): Promise<DiskSpace>;
  memory(): Promise<MachineMemory>;
  model(): string;
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** In bytes; 0 for what the system does not report. */
export interface MachineMemory {
  readonly total: number;
  readonly used: number;
  readonly free: number;
  readonly shared: number;
  readonly buff: number;
  readonly available: number;
}

/** A network disk may never respond; the caller gets the last figures instead. */
const maxWaitMs = 20;

export function createMachine(dataDir: string): Machine {
  let lastDisk: DiskSpace = { freeBytes: 0, totalBytes: 0 };
  let pendingRead: Promise<void> | null = null;
  // The first reading is done before the first request.
  readDisk().catch(() => undefined);

  function readDisk(): Promise<void> {
    pendingRead ??= statfs(dataDir)
      .then(({ bavail, blocks, bsize }) => {
        lastDisk = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
      })
      .catch(() => undefined)
      .finally(() => {
        pendingRead = null;
      });
    return pendingRead;
  }

  let model: string | null = null;
  return {
    disk: async () => {
      await atMost(readDisk());
      return lastDisk;
    },
    memory: async () => memoryFrom(await readMemoryTable()),
    // Read once: querying every processor takes a while.
    model: () => (model ??= os.cpus()[0]?.model.trim() ?? os.machine()),
  };
}

async function atMost(waited: Promise<void>): Promise<void> {
  let stop = (): void => undefined;
  const timedOut = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxWaitMs);
    stop = () => clearTimeout(timer);
  });
  await Promise.race([waited, timedOut]);
  stop();
}

/** Linux keeps this table in memory; other systems have none. */
async function readMemoryTable(): Promise<ReadonlyMap<string, number>> {
  if (process.platform !== "linux") return new Map();
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  return new Map(
    [...text.matchAll(/^(\w+):\s+(\d+) kB$/gm)].map(([, name, kib]) => [
      name ?? "",
      Number(kib) * 1024,
    ]),
  );
}

function memoryFrom(table: ReadonlyMap<string, number>): MachineMemory {
  const total = os.totalmem();
  const free = table.get("MemFree") ?? os.freemem();
  const available = table.get("MemAvailable") ?? os.freemem();
  return {
    total,
    used: total - available,
    free,
    shared: table.get("Shmem") ?? 0,
    buff: table.get("Buffers") ?? 0,
    available,
  };
}
