// Readiness and liveness of the service: whether its database and its files can be read and written, found out cheaply (V4-320).

import type { RequestHandler } from "express";
import type { DatabaseClock } from "../platform/database/database-clock.ts";
import type { Database, DatabaseKind } from "../platform/database/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { ContentTables } from "./tables.ts";

export interface HealthOptions {
  readonly database: Pick<Database<ContentTables>, "kind" | "read">;
  readonly store: Pick<FileStore, "check">;
  readonly clock: Pick<DatabaseClock, "machineAheadMs">;
  /** Why the database is to be opened anew, as part of a sentence; null where it is not. */
  readonly whyReopen: () => string | null;
  /** What there is to say of the database: restored from a backup, or not backed up. */
  readonly storeHealth: () => Readonly<Record<string, string | null>>;
  /** Steady milliseconds. */
  readonly monotonic: () => number;
}

/** A little is the time that an answer takes. */
export const maxClockOffMs = 2_000;

/** Many that ask are answered from one look. */
const freshMs = 1_000;
/** A check that takes longer is not waited for: the one before it answers. */
const maxWaitMs = 80;
/** The first check has none before it. */
const maxFirstWaitMs = 1_000;
/** So long a busy database may take; behind it nobody is sent here. */
const staleMs = 5_000;
/** One that never ends is forgotten. */
const maxCheckMs = 30_000;
const againAfterSeconds = 5;

interface HealthStatus {
  /** Why requests cannot be answered; null where they can. */
  readonly fault: string | null;
  /** Why nothing can be written, though reads are answered. */
  readonly problem: string | null;
}

/** Only what opens it anew writes into it. */
const ofNewStart = (why: string): string => `the database ${why}: start anew`;
const silent: HealthStatus = {
  fault: "the database does not answer",
  problem: null,
};

/** Of a table, since a constant needs none; a standby of PostgreSQL answers reads alone. */
const healthQueries: Readonly<Record<DatabaseKind, string>> = {
  sqlite: "SELECT 0 AS is_read_only, (SELECT 1 FROM assets LIMIT 1) AS here",
  postgres: `SELECT (current_setting('transaction_read_only') = 'on')::int AS is_read_only,
    (SELECT 1 FROM assets LIMIT 1) AS here`,
};

export function createHealth(options: HealthOptions): {
  /** Whether requests can be answered here. */
  readonly ready: RequestHandler;
  /** Whether the process answers, and needs no new start; a database that is away is not mended by one. */
  readonly live: RequestHandler;
} {
  const { database, store, clock, storeHealth, whyReopen, monotonic } = options;
  let isFirst = true;
  // The database was read at the start, just before this.
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
    return { fault: null, problem: whose && `${whose} cannot be written` };
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

  /** The newest that is to be had at once. */
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
