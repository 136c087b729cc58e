// Readiness and liveness checks: whether database and files can be read and written, at low cost (V4-320).

import type { RequestHandler } from "express";
import type { DatabaseClock } from "../platform/database/database-clock.ts";
import type { Database, DatabaseKind } from "../platform/database/database.ts";
import type { ContentTables } from "./tables.ts";
import type { StoredFiles } from "./files/stored-files.ts";

export interface HealthOptions {
  readonly database: Pick<Database<ContentTables>, "kind" | "read">;
  readonly store: Pick<StoredFiles, "check">;
  readonly clock: Pick<DatabaseClock, "machineAheadMs">;
  /** Why the database has to be reopened, as part of a sentence; otherwise null. */
  readonly whyReopen: () => string | null;
  /** Reports on the database: restored from a backup, or not backed up. */
  readonly storeHealth: () => Readonly<Record<string, string | null>>;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
}

/** Allows for the time that an answer takes. */
export const maxClockOffMs = 2_000;

/** Many requests share the result of one check. */
const freshMs = 1_000;
/** A check that takes longer is not awaited: the previous result is returned. */
const maxWaitMs = 80;
/** Wait for the first check, which has no previous result. */
const maxFirstWaitMs = 1_000;
/** How long a database may be busy; after that, load balancers send no traffic here. */
const staleMs = 5_000;
/** A check that never ends is abandoned. */
const maxCheckMs = 30_000;
const againAfterSeconds = 5;

interface HealthStatus {
  /** Why requests cannot be answered; otherwise null. */
  readonly fault: string | null;
  /** Why nothing can be written although reads work. */
  readonly problem: string | null;
}

/** Only reopening the database allows writes again. */
const ofNewStart = (why: string): string =>
  `the database ${why}: restart the service`;
const silent: HealthStatus = {
  fault: "the database does not respond",
  problem: null,
};

/** Reads a table, since a constant would not touch the disk; a PostgreSQL standby answers reads only. */
const healthQueries: Readonly<Record<DatabaseKind, string>> = {
  sqlite: "SELECT 0 AS is_read_only, (SELECT 1 FROM assets LIMIT 1) AS here",
  postgres: `SELECT (current_setting('transaction_read_only') = 'on')::int AS is_read_only,
    (SELECT 1 FROM assets LIMIT 1) AS here`,
};

export function createHealth(options: HealthOptions): {
  /** Readiness: whether requests can be answered here. */
  readonly ready: RequestHandler;
  /** Liveness: whether the process answers. A restart does not help when the database is unavailable. */
  readonly live: RequestHandler;
} {
  const { database, store, clock, storeHealth, whyReopen, monotonic } = options;
  let isFirst = true;
  // The database was read at start-up, just before this.
  let last = {
    ...({ fault: null, problem: null } as HealthStatus),
    at: monotonic() - freshMs,
  };
  let underWay: { readonly check: Promise<void>; readonly at: number } | null =
    null;

  async function check(): Promise<HealthStatus> {
    const [ofDatabase, ofFiles] = await Promise.all([
      database.read({ text: healthQueries[database.kind], values: [] }).then(
        ([row]) => ({
          fault: null,
          problem: row?.["is_read_only"] === 1 ? "the database" : null,
        }),
        () => silent,
      ),
      store.check(),
    ]);
    if (ofDatabase.fault !== null) return ofDatabase;
    if (!ofFiles.canRead)
      return { fault: "the files cannot be read", problem: null };
    const whose = ofDatabase.problem ?? (ofFiles.canWrite ? null : "the disk");
    return { fault: null, problem: whose && `${whose} cannot be written to` };
  }

  function begin(): NonNullable<typeof underWay> {
    const begun = {
      at: monotonic(),
      check: check()
        .catch(() => silent)
        .then((found) => {
          last = { ...found, at: monotonic() };
          isFirst = false;
          if (underWay === begun) underWay = null;
        }),
    };
    return begun;
  }

  /** The latest result that is available immediately. */
  async function newest(): Promise<HealthStatus> {
    const why = whyReopen();
    if (why !== null) return { fault: ofNewStart(why), problem: null };
    if (monotonic() - last.at < freshMs) return last;
    if (underWay === null || monotonic() - underWay.at > maxCheckMs)
      underWay = begin();
    let late: NodeJS.Timeout | undefined;
    await Promise.race([
      underWay.check,
      new Promise((resolve) => {
        late = setTimeout(resolve, isFirst ? maxFirstWaitMs : maxWaitMs);
      }),
    ]);
    clearTimeout(late);
    return monotonic() - last.at < staleMs ? last : silent;
  }

  return {
    ready: async (_request, response) => {
      const { fault, problem } = await newest();
      const aheadMs = clock.machineAheadMs();
      if (fault !== null) response.setHeader("Retry-After", againAfterSeconds);
      response
        .status(fault === null ? 200 : 503)
        .setHeader("Cache-Control", "no-store")
        .json({
          status: fault ?? (problem === null ? "ok" : "read-only"),
          ...(problem !== null && { problem }),
          ...(Math.abs(aheadMs) > maxClockOffMs && {
            clock_ahead_seconds: Math.round(aheadMs / 1000),
          }),
          ...storeHealth(),
        });
    },
    live: (_request, response) => {
      const why = whyReopen();
      response
        .status(why === null ? 200 : 503)
        .setHeader("Cache-Control", "no-store")
        .json({ status: why === null ? "ok" : ofNewStart(why) });
    },
  };
}
