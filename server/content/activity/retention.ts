// Deletes entries of the activity log that are older than a year, in small steps (V4-383).

import { setTimeout as pause } from "node:timers/promises";
import { ulidsFrom } from "../../core/ulid.ts";
import { dayMs } from "../../core/wall-clock.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";

export interface ActivityRetentionOptions {
  readonly database: Database<ContentTables>;
  readonly log: Pick<Log, "info" | "warn">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Delay between two checks; an hour by default. */
  readonly checkMs?: number | undefined;
}

const keptMs = 366 * dayMs;
const defaultCheckMs = 3_600_000;
/** Some milliseconds each, with as much time in between for everybody else. */
const rowsAtOnce = 500;
const stepPauseMs = 20;

/** Returns a function that stops it. */
export function startActivityRetention({
  database,
  log,
  now,
  checkMs = defaultCheckMs,
}: ActivityRetentionOptions): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const wait = (ms: number): Promise<void> =>
    pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

  async function run(): Promise<void> {
    // A clock that is corrected soon after the start deletes nothing: each check goes by what was old at the one before as well.
    let before = -Infinity;
    while (!signal.aborted) {
      const moment = now();
      await prune(Math.min(before, moment) - keptMs).catch((error: unknown) => {
        // The next check tries again.
        if (!signal.aborted) log.warn("activity.prune-failed", { error });
      });
      before = moment;
      await wait(checkMs);
    }
  }

  async function prune(oldest: number): Promise<void> {
    if (oldest <= 0) return;
    for (const { id } of await database.kysely
      .selectFrom("teams")
      .select("id")
      .execute())
      for (;;) {
        if (signal.aborted) return;
        const count = await deleteOldActivity(database, id, oldest);
        if (count > 0) log.info("activity.pruned", { team: id, count });
        if (count < rowsAtOnce) break;
        await wait(stepPauseMs);
      }
  }

  const running = run();
  return async () => {
    stopped.abort();
    await running;
  };
}

/**
 * Some of a team's entries from before this moment; returns how many. Identifiers are never older than their entries, also after the
 * clock was set back: those of old entries are found at one end of the index.
 */
export async function deleteOldActivity(
  { kysely }: Pick<Database<ContentTables>, "kysely">,
  team: string,
  oldest: number,
): Promise<number> {
  const deleted = await kysely
    .deleteFrom("service_activity")
    .where("team_id", "=", team)
    .where("id", "in", (eb) =>
      eb
        .selectFrom("service_activity")
        .select("id")
        .where("team_id", "=", team)
        .where("id", "<", ulidsFrom(oldest))
        .where("at", "<", oldest)
        .orderBy("id")
        .limit(rowsAtOnce),
    )
    .returning("id")
    .execute();
  return deleted.length;
}
