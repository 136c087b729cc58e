// Deletes playbacks that are older than configured, in small steps or a month at once, and creates the partitions of the coming
// months (V4-385, V4-386, V4-387). The totals of days stay.

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { dayMs } from "../../../core/wall-clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/log.ts";
import { createPeriodicTask } from "../../files/periodic-task.ts";
import type { ContentTables } from "../../tables.ts";
import { createPartitions, dropPartitions } from "./playback-partitions.ts";

export interface PlaybackRetentionOptions {
  readonly database: Database<ContentTables>;
  readonly log: Pick<Log, "info" | "warn">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Days after which a playback may be deleted; 0: never. */
  readonly playbackDaysKept: number;
  /** Delay between two checks. */
  readonly playbackCheckMs?: number | undefined;
}

export interface PlaybackRetention {
  /** Playbacks that began before this moment are not stored any more. */
  keptSince(): number;
  start(): void;
  stop(): Promise<void>;
}

const defaultCheckMs = 3_600_000;
/** Another instance continues after one that ended. */
const leaseMs = 120_000;
/** Some milliseconds each, with as much time in between for everybody else. */
const rowsAtOnce = 500;
const stepPauseMs = 20;
/**
 * What is sent again after it was deleted must not be stored again, even if the database's clock was set back by less than
 * this meanwhile.
 */
const marginMs = dayMs;

export function createPlaybackRetention(
  options: PlaybackRetentionOptions,
): PlaybackRetention {
  const { database, log, now, playbackDaysKept: days } = options;
  const { playbackCheckMs: checkMs = defaultCheckMs } = options;
  const isDivided = database.kind === "postgres";
  const stopped = new AbortController();
  const { signal } = stopped;
  const task = createPeriodicTask({
    ...{ database, name: "old-playbacks", pauseMs: checkMs, leaseMs },
  });
  let running: Promise<void> = Promise.resolve();

  const keptSince = (): number =>
    days === 0 ? -Infinity : now() - days * dayMs;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await check().catch((error: unknown) => {
        // The database is unavailable, or others hold the tables: the next check tries again.
        if (!signal.aborted) log.warn("playbacks.check-failed", { error });
      });
      await pause(checkMs, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  async function check(): Promise<void> {
    if (isDivided)
      for (const partition of await createPartitions(database, now()))
        log.info("playbacks.partition-created", { partition });
    if (days === 0 || (await task.take()) === null) return;
    try {
      if (await deleteOld(keptSince() - marginMs)) await task.finish();
    } finally {
      await task.release();
    }
  }

  /** False when another instance took over. */
  async function deleteOld(before: number): Promise<boolean> {
    if (isDivided)
      for (const partition of await dropPartitions(database, before))
        log.info("playbacks.partition-dropped", { partition });
    const teams = await database.kysely
      .selectFrom("teams")
      .select("id")
      .orderBy("id")
      .execute();
    for (const { id } of teams)
      for (;;) {
        if (signal.aborted || !(await task.hold(""))) return false;
        const deleted = await deleteSome(id, before);
        if (deleted > 0)
          log.info("playbacks.deleted", { team: id, count: deleted });
        if (deleted < rowsAtOnce) break;
        await pause(stepPauseMs, undefined, { signal, ref: false });
      }
    return true;
  }

  /** The oldest ones; on PostgreSQL only of those that are in no partition. Those that are not in the totals yet stay. */
  async function deleteSome(team: string, before: number): Promise<number> {
    const table = sql.raw(isDivided ? "ONLY playbacks" : "playbacks");
    const { rows } = await sql`
      DELETE FROM ${table} WHERE id IN (
        SELECT id FROM ${table} WHERE team_id = ${team} AND started_at < ${before} AND is_counted
        ORDER BY started_at, id LIMIT ${sql.lit(rowsAtOnce)})
      RETURNING id`.execute(database.kysely);
    return rows.length;
  }

  return {
    keptSince,
    start: () => {
      running = run();
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
