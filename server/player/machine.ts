// How the machine fares: load, memory, disk and addresses, told without waiting for any of them.

import { readFile, statfs } from "node:fs/promises";
import os from "node:os";

export interface Machine {
  /** Free and whole bytes of the disk with the store, as last seen; a moment's wait for a disk that sleeps. */
  disk(): Promise<DiskSpace>;
  memory(): Promise<MachineMemory>;
  model(): string;
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** In bytes; what the system does not tell is 0. */
export interface MachineMemory {
  readonly total: number;
  readonly used: number;
  readonly free: number;
  readonly shared: number;
  readonly buff: number;
  readonly available: number;
}

/** A network disk may never answer; whoever asks gets the last figure instead. */
const maxWaitMs = 20;

export function createMachine(dataDir: string): Machine {
  let lastDisk: DiskSpace = { freeBytes: 0, totalBytes: 0 };
  let pendingRead: Promise<void> | null = null;
  // The first look is done before anybody asks.
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
    // Read once: asking every processor takes a while.
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

/** Linux keeps a table of it in memory; elsewhere there is none. */
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
