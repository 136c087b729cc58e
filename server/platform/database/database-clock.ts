// The time of the database, for all instances that share it: asked now and then, counted on in between by a clock that nobody sets.

import type { Database, Statement } from "./database.ts";

export interface DatabaseClock {
  /** Milliseconds since 1970, as the database has them. */
  now(): number;
  /** How far the clock of this machine is ahead; behind is negative. */
  machineAheadMs(): number;
  stop(): void;
}

export interface DatabaseClockOptions {
  readonly database: Pick<Database<unknown>, "kind" | "read">;
  /** The machine's clock, which may be wrong and be set at any moment. */
  readonly machineNow: () => number;
  /** Steady milliseconds. */
  readonly monotonic: () => number;
  readonly onFailed: (error: unknown) => void;
}

/** A steady clock is off by less than a millisecond in this time. */
const sampleIntervalMs = 10_000;
const maxTries = 3;
const quickMs = 20;
/** The machine slept, or its clock was set: the steady clock may have stood still. */
const jumpMs = 500;

const clockQueries: Readonly<Record<Database<unknown>["kind"], Statement>> = {
  sqlite: { text: "SELECT unixepoch('subsec') * 1000 AS ms", values: [] },
  postgres: {
    text: "SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms",
    values: [],
  },
};

/** What the database said, and when that was by the other two clocks. */
interface Sample {
  readonly databaseMs: number;
  readonly machineMs: number;
  readonly steadyMs: number;
}

/** Throws what the database throws when it is asked for the first time. */
export async function startDatabaseClock(
  options: DatabaseClockOptions,
): Promise<DatabaseClock> {
  const { database, machineNow, monotonic, onFailed } = options;

  /** Of a few answers the quickest: that is the nearest to the moment it tells. */
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
    if (best === undefined) throw new Error("The database was not asked.");
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
