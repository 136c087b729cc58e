// Database clock, shared by all instances: sampled periodically, and continued in between with the monotonic clock, which is never
// set.

import type { Database, Statement } from "./database.ts";

export interface DatabaseClock {
  /** Milliseconds since 1970, by the database's clock. */
  now(): number;
  /** How far this machine's clock is ahead; negative if it is behind. */
  machineAheadMs(): number;
  stop(): void;
}

export interface DatabaseClockOptions {
  readonly database: Pick<Database<unknown>, "kind" | "read">;
  /** The machine's clock, which may be wrong and be set at any moment. */
  readonly machineNow: () => number;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  readonly onFailed: (error: unknown) => void;
}

/** A monotonic clock drifts less than a millisecond in this time. */
const sampleIntervalMs = 10_000;
const maxTries = 3;
const quickMs = 20;
/** The machine slept, or its clock was set: the monotonic clock may have stopped meanwhile. */
const jumpMs = 500;

const clockQueries: Readonly<Record<Database<unknown>["kind"], Statement>> = {
  sqlite: { text: "SELECT unixepoch('subsec') * 1000 AS ms", values: [] },
  postgres: {
    text: "SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms",
    values: [],
  },
};

/** Time reported by the database, and the readings of the other two clocks at that moment. */
interface Sample {
  readonly databaseMs: number;
  readonly machineMs: number;
  readonly steadyMs: number;
}

/** Throws what the database throws on the first sample. */
export async function startDatabaseClock(
  options: DatabaseClockOptions,
): Promise<DatabaseClock> {
  const { database, machineNow, monotonic, onFailed } = options;

  /** The fastest of a few responses: it is closest to the moment it reports. */
  async function takeSample(): Promise<Sample> {
    let best: (Sample & { readonly tookMs: number }) | undefined;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = monotonic();
      const [row] = await database.read(clockQueries[database.kind]);
      const tookMs = monotonic() - before;
      if (best === undefined || tookMs < best.tookMs)
        best = {
          ...{ tookMs, databaseMs: Number(row?.["ms"]) },
          steadyMs: before + tookMs / 2,
          machineMs: machineNow() - tookMs / 2,
        };
      if (tookMs < quickMs) break;
    }
    if (best === undefined) throw new Error("The database was not queried.");
    return best;
  }

  let sample = await takeSample();
  let isSampling = false;

  function refetch(): void {
    if (isSampling) return;
    isSampling = true;
    takeSample()
      .then((fresh) => (sample = fresh), onFailed)
      .finally(() => (isSampling = false));
  }

  const timer = setInterval(refetch, sampleIntervalMs);
  timer.unref();

  return {
    now: () => {
      const passedMs = monotonic() - sample.steadyMs;
      const passedHereMs = machineNow() - sample.machineMs;
      if (Math.abs(passedHereMs - passedMs) > jumpMs) refetch();
      return Math.floor(sample.databaseMs + passedMs);
    },
    machineAheadMs: () => sample.machineMs - sample.databaseMs,
    stop: () => clearInterval(timer),
  };
}
