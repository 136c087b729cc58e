// Benchmark of the version 2 interface over loopback, compared with its limit in the same run: bare HTTP, Express and SQLite.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { measurePairs, type Pace } from "./api/pairs.ts";
import { startClients } from "./api/processes.ts";
import { measureStreams } from "./api/streams.ts";

/** Pairs, measured one after the other, so that a slow period of the machine affects both. */
export async function run(): Promise<readonly Row[]> {
  const isShort = process.env.VITRINE_BENCH_SHORT === "1";
  const pace: Pace = isShort
    ? { rounds: 1, ms: 200, warmMs: 100, wakeMs: 100, streamShare: 0.05 }
    : { rounds: 3, ms: 500, warmMs: 300, wakeMs: 2500, streamShare: 1 };
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  const clients = startClients();
  try {
    return [
      ...(await measurePairs(dir, clients, pace)),
      ...(await measureStreams(dir, clients, pace)),
    ];
  } finally {
    await clients.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
