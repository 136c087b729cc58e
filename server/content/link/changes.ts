// When a team's content has changed: one count for all instances, and those who wait for it are woken (L-9, L-10).

import { sql } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import {
  DatabaseError,
  type Database,
} from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";

export interface Changes {
  /** Every revision told before this start is an old one from now on; on a full disk, once there is room (V4-325). */
  start(): Promise<void>;
  /** Something may have been written: it is announced soon, many writes together. */
  announceSoon(): void;
  markOf(teamId: string): Promise<Mark>;
  /** Until the mark is another one, by whatever instance, or the time is over, or nobody listens any more. */
  wait(mark: Mark, ms: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** How far a team has come. */
export interface Mark {
  readonly teamId: string;
  readonly revision: string;
  readonly calls: string;
}

export interface ChangesOptions {
  readonly database: Database<ContentTables>;
  readonly log: Log;
}

/** A hundred writes in a row are announced as one. */
const togetherMs = 50;
/** What another instance wrote or announced is noticed within this time. */
const pollIntervalMs = 500;
/** While announcing fails it is tried again after growing pauses. */
const pausesMs = { first: 100, longest: 5_000 };

export function createChanges({ database, log }: ChangesOptions): Changes {
  const { kysely } = database;
  const waiters = new Set<Waiter>();
  const stopped = new AbortController();
  let announcing: Promise<void> = Promise.resolve();
  let isPlanned = false;
  let isStarted = false;

  function announceSoon(): void {
    if (isPlanned || stopped.signal.aborted) return;
    isPlanned = true;
    setTimeout(() => {
      announcing = announcing.then(() => {
        isPlanned = false;
        return announce();
      });
    }, togetherMs).unref();
  }

  /** Until it is done: nobody may ever write again and make up for it. */
  async function announce(): Promise<void> {
    let pauseMs = pausesMs.first;
    while (!stopped.signal.aborted)
      try {
        if (!isStarted) await ageAll();
        await countPending(database);
        await wakeWaiters();
        return;
      } catch (error) {
        log.error("changes.announce-failed", { error });
        await pause(pauseMs, undefined, stopped).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, pausesMs.longest);
      }
  }

  /** Of every team, whatever was told of it. */
  async function ageAll(): Promise<void> {
    await kysely
      .insertInto("team_changes")
      .columns(["team_id", "revision", "calls"])
      .expression((eb) =>
        eb
          .selectFrom("teams")
          .select(["id", sql.lit(0).as("revision"), sql.lit(0).as("calls")])
          // SQLite takes ON for a join without it.
          .where(sql<boolean>`TRUE`),
      )
      .onConflict((on) =>
        on.column("team_id").doUpdateSet({
          revision: sql<number>`team_changes.revision + 1`,
        }),
      )
      .execute();
    isStarted = true;
  }

  /** Whatever instance wrote it, and has perhaps ended before it announced it. */
  async function poll(): Promise<void> {
    const [pending] = await database.read({
      text: "SELECT 1 AS one FROM pending_changes LIMIT 1",
      values: [],
    });
    if (pending) announceSoon();
    await wakeWaiters();
  }

  /** Each waiter is compared with what it knows itself, so that nothing is missed before it began to wait. */
  async function wakeWaiters(): Promise<void> {
    if (waiters.size === 0) return;
    const teams = [...new Set([...waiters].map(({ mark }) => mark.teamId))];
    const rows = await kysely
      .selectFrom("team_changes")
      .selectAll()
      .where("team_id", "in", teams)
      .execute();
    const now = new Map(rows.map((row) => [row.team_id, markFrom(row)]));
    for (const { mark, wake } of [...waiters]) {
      const { revision, calls } = now.get(mark.teamId) ?? mark;
      if (revision !== mark.revision || calls !== mark.calls) wake();
    }
  }

  const timer = setInterval(() => {
    poll().catch((error: unknown) => {
      log.error("changes.poll-failed", { error });
    });
  }, pollIntervalMs);
  timer.unref();

  return {
    start: async () => {
      try {
        await ageAll();
      } catch (error) {
        if (!(error instanceof DatabaseError && error.sqlState === "53100"))
          throw error;
        announceSoon();
      }
    },
    announceSoon,
    markOf: async (teamId) => {
      const row = await kysely
        .selectFrom("team_changes")
        .selectAll()
        .where("team_id", "=", teamId)
        .executeTakeFirst();
      return markFrom(row ?? { team_id: teamId, revision: 0, calls: 0 });
    },
    wait: (mark, ms, signal) =>
      new Promise((resolve) => {
        const waiter = { mark, wake };
        function wake(): void {
          clearTimeout(late);
          signal.removeEventListener("abort", wake);
          waiters.delete(waiter);
          resolve();
        }
        const late = setTimeout(wake, ms);
        signal.addEventListener("abort", wake);
        if (signal.aborted) wake();
        else waiters.add(waiter);
      }),
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      for (const { wake } of [...waiters]) wake();
      await announcing;
    },
  };
}

interface Waiter {
  readonly mark: Mark;
  readonly wake: () => void;
}

function markFrom(row: ContentTables["team_changes"]): Mark {
  const { team_id: teamId, revision, calls } = row;
  return { teamId, revision: String(revision), calls: String(calls) };
}

/** Once for each team however often it was noted; what others are counting at this moment is theirs. */
async function countPending({
  kind,
  write,
  writeOne,
}: Database<ContentTables>): Promise<void> {
  const count = `INSERT INTO team_changes (team_id, revision, calls)
    SELECT team_id, max(CASE WHEN is_call THEN 0 ELSE 1 END), max(CASE WHEN is_call THEN 1 ELSE 0 END)
    FROM taken JOIN teams ON teams.id = taken.team_id GROUP BY team_id ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE SET
      revision = team_changes.revision + excluded.revision, calls = team_changes.calls + excluded.calls`;
  if (kind === "postgres")
    await writeOne({
      text: `WITH taken AS (DELETE FROM pending_changes WHERE id IN (
        SELECT id FROM pending_changes FOR UPDATE SKIP LOCKED) RETURNING team_id, is_call) ${count}`,
      values: [],
    });
  else
    await write(async (run) => {
      const text = count.replace("FROM taken", "FROM pending_changes AS taken");
      await run({ text, values: [] });
      await run({ text: "DELETE FROM pending_changes", values: [] });
    });
}
