// Reads lists from a read replica of PostgreSQL while it follows its primary closely and has everything that their team wrote;
// from the primary otherwise (V4-400, V4-401, V4-402).
//
// The lag is measured with rows: each instance writes a numbered one to the primary every second, and looks for it at the replica.
// Unlike the positions that both servers report, this also notices that they do not belong together any more.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import {
  DatabaseError,
  type Database,
} from "../../platform/database/database.ts";
import {
  logPosition,
  type PostgresReplica,
} from "../../platform/database/postgres-replica.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";

/** Where lists are read. */
export type Reads = Pick<
  Database<ContentTables>,
  "read" | "readHeavy" | "readTogether"
>;

export interface ReadReplicaOptions {
  readonly primary: Database<ContentTables>;
  readonly replica: PostgresReplica;
  /** The same server: lists never take the connection on which its lag is measured. */
  readonly observed: PostgresReplica;
  readonly log: Pick<Log, "info" | "warn">;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** How far behind its primary the replica may be. */
  readonly maxLagMs: number;
}

export interface ReadReplica {
  /** For a list of this team, that is requested now. */
  readsFor(team: string): Promise<Reads>;
  /** To be awaited before the response to a write of this team; never rejects. */
  noteWrite(team: string): Promise<void>;
  status(): ReplicaStatus;
  start(): void;
  stop(): Promise<void>;
}

export interface ReplicaStatus {
  /** Why the primary answers everything; null while the replica is used. */
  readonly problem: string | null;
  /** Null: not known, or longer than it may be. */
  readonly lagMs: number | null;
  /** How many reads of lists each has answered. */
  readonly answered: { readonly replica: number; readonly primary: number };
}

/** A numbered row that was written to the primary. */
interface Beat {
  readonly number: number;
  readonly writtenAt: number;
  readonly timeline: string;
}

const beatEveryMs = 1_000;
/** Far longer than the replica may be behind. */
const marksKeptMs = 24 * 3_600_000;
const cleanEveryMs = 3_600_000;
const closeMs = 1_000;

/** Changes when another server becomes the primary. */
const timeline = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";
const now = sql.raw("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");

const notReached = "it has not been reached yet";
const unreachable = "it cannot be reached";
const promoted = "it is no longer a replica";

export function createReadReplica(options: ReadReplicaOptions): ReadReplica {
  const { primary, replica, observed, log, monotonic, maxLagMs } = options;
  const instance = `instance ${randomUUID()}`;
  const stopped = new AbortController();
  const { signal } = stopped;
  const answered = { replica: 0, primary: 0 };
  /** Those that the replica may not have yet, in order. */
  let beats: readonly Beat[] = [];
  let lastNumber = 0;
  /** The latest that the replica has. */
  let seen: Beat | null = null;
  let fault: string | null = notReached;
  let wasUsed = false;
  let cleanedAt = -Infinity;
  /** Teams with a write whose position could not be noted. */
  const unnoted = new Set<string>();
  /** Ends the wait of each read for the replica. */
  const waiting = new Set<() => void>();

  const lagMs = (): number | null =>
    seen === null ? null : monotonic() - seen.writtenAt;
  const isClose = (): boolean => (lagMs() ?? Infinity) <= maxLagMs;

  function problem(): string | null {
    if (isClose()) return null;
    return fault ?? `it is more than ${maxLagMs / 1000} s behind`;
  }

  async function writeBeat(): Promise<void> {
    const writtenAt = monotonic();
    const number = lastNumber + 1;
    const { rows } = await sql<{ timeline: string }>`
      INSERT INTO write_marks (name, mark, noted_at) VALUES (${instance}, ${number}, ${now})
      ON CONFLICT (name) DO UPDATE SET mark = excluded.mark, noted_at = excluded.noted_at
      RETURNING ${sql.raw(timeline)} AS timeline`.execute(primary.kysely);
    lastNumber = number;
    const isRecent = (beat: Beat) => writtenAt - beat.writtenAt <= maxLagMs;
    beats = [
      ...beats.filter(isRecent),
      { number, writtenAt, timeline: rows[0]?.timeline ?? "" },
    ];
    for (const team of unnoted) await note(team);
    if (writtenAt - cleanedAt < cleanEveryMs) return;
    await sql`DELETE FROM write_marks WHERE noted_at < ${now} - ${sql.lit(marksKeptMs)}`.execute(
      primary.kysely,
    );
    cleanedAt = writtenAt;
  }

  async function checkHeartbeat(): Promise<void> {
    const found = await observed.readFrom(0, [
      {
        text: "SELECT mark FROM write_marks WHERE name = $1",
        values: [instance],
      },
    ]);
    if (found === null) {
      lose(promoted);
      return;
    }
    const number = Number(found[0]?.[0]?.["mark"] ?? 0);
    seen = beats.find((beat) => beat.number === number) ?? seen;
    beats = beats.filter((beat) => beat.number >= number);
    fault = null;
  }

  function lose(why: string): void {
    seen = null;
    fault = why;
    noteChange();
  }

  /** Ends the waits for a replica that is too late, or does not respond. */
  function noteChange(): void {
    const isUsed = isClose();
    if (!isUsed) for (const end of [...waiting]) end();
    if (isUsed === wasUsed) return;
    wasUsed = isUsed;
    if (isUsed) log.info("replica.used");
    else log.warn("replica.not-used", { reason: problem() });
  }

  /** Each is independent: a server that does not respond holds up only its own. */
  async function repeat(act: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await act();
      noteChange();
      await pause(Math.min(beatEveryMs, maxLagMs / 4), undefined, {
        ...{ signal, ref: false },
      }).catch(() => undefined);
    }
  }

  async function note(team: string): Promise<void> {
    const position = sql.raw(logPosition);
    // The second one is computed once the row is locked: a position never goes back.
    await sql`INSERT INTO write_marks (name, mark, noted_at) VALUES (${`team ${team}`}, ${position}, ${now})
      ON CONFLICT (name) DO UPDATE SET mark = ${position}, noted_at = ${now}`.execute(
      primary.kysely,
    );
    unnoted.delete(team);
  }

  /** What the replica must have applied; null: only the primary can answer. */
  async function positionFor(team: string): Promise<number | null> {
    if (!isClose() || unnoted.has(team)) return null;
    const [row] = await primary
      .read({
        text: `SELECT ${timeline} AS timeline, (SELECT mark FROM write_marks WHERE name = $1) AS mark`,
        values: [`team ${team}`],
      })
      // The read of the list reports it.
      .catch(() => []);
    const isSame = row !== undefined && row["timeline"] === seen?.timeline;
    return isSame ? Number(row["mark"] ?? 0) : null;
  }

  /** Null: the primary is to answer. */
  async function onReplica(
    position: number,
    statements: Parameters<Reads["readTogether"]>[0],
  ): ReturnType<PostgresReplica["readFrom"]> {
    let end = (): void => undefined;
    const ended = new Promise<null>((resolve) => {
      end = () => resolve(null);
      waiting.add(end);
    });
    const reading = replica
      .readFrom(position, statements)
      .catch((error: unknown) => {
        if (isOfStatement(error)) throw error;
        return null;
      });
    try {
      return await Promise.race([reading, ended]);
    } finally {
      waiting.delete(end);
      // Nobody waits for it any more.
      reading.catch(() => undefined);
    }
  }

  function readsFrom(position: number): Reads {
    const together: Reads["readTogether"] = async (statements) => {
      const rows = isClose() ? await onReplica(position, statements) : null;
      answered[rows ? "replica" : "primary"] += 1;
      return rows ?? primary.readTogether(statements);
    };
    const one =
      (read: Reads["read"]): Reads["read"] =>
      async (statement) => {
        const rows = isClose() ? await onReplica(position, [statement]) : null;
        answered[rows ? "replica" : "primary"] += 1;
        return rows ? (rows[0] ?? []) : read(statement);
      };
    return {
      read: one(primary.read),
      readHeavy: one(primary.readHeavy),
      readTogether: together,
    };
  }

  const onPrimary: Reads = {
    read: (statement) => {
      answered.primary += 1;
      return primary.read(statement);
    },
    readHeavy: (statement) => {
      answered.primary += 1;
      return primary.readHeavy(statement);
    },
    readTogether: (statements) => {
      answered.primary += 1;
      return primary.readTogether(statements);
    },
  };

  let running: Promise<unknown> = Promise.resolve();
  return {
    readsFor: async (team) => {
      const position = await positionFor(team);
      return position === null ? onPrimary : readsFrom(position);
    },
    noteWrite: async (team) => {
      unnoted.add(team);
      await note(team).catch((error: unknown) => {
        // Until it is noted, this instance reads the team's lists from the primary.
        log.warn("replica.write-not-noted", { team, error });
      });
    },
    status: () => ({
      problem: problem(),
      lagMs: isClose() ? lagMs() : null,
      answered: { ...answered },
    }),
    start: () => {
      running = Promise.all([
        // The lag grows until one is written.
        repeat(() => writeBeat().catch(() => undefined)),
        repeat(() => checkHeartbeat().catch(() => lose(unreachable))),
      ]);
    },
    stop: async () => {
      stopped.abort();
      for (const end of [...waiting]) end();
      // A server that does not respond does not take part in closing its connections.
      const closed = Promise.all([running, replica.close(), observed.close()]);
      await Promise.race([
        closed.catch(() => undefined),
        pause(closeMs, undefined, { ref: false }),
      ]);
      await sql`DELETE FROM write_marks WHERE name = ${instance}`
        .execute(primary.kysely)
        // It is deleted a day later.
        .catch(() => undefined);
    },
  };
}

/** The primary would reject the same statement, or also take too long. */
function isOfStatement(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return /^(22|23|54|57014)/.test(error.sqlState);
}
