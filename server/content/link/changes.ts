// Change revisions of a team's content, counted across all instances, and waking of those that wait for one (L-9, L-10).

import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  DatabaseError,
  type Database,
  type ListenTiming,
} from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";
import { announcedOn } from "./announced-changes.ts";
import { beginNumbering } from "./screen-changes.ts";

export interface Changes {
  /** Outdates every revision sent before this start; on a full disk, once there is room (V4-325). */
  start(): Promise<void>;
  /** Called after a possible write: announced soon, many writes together. */
  announceSoon(): void;
  markOf(teamId: string): Promise<Mark>;
  /** Resolves when the mark changes through any instance, the time is over, or the signal aborts. */
  wait(mark: Mark, ms: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** The latest revision of a team. */
export interface Mark {
  readonly teamId: string;
  readonly revision: string;
  readonly calls: string;
  /** How many notifications had arrived before it was read. */
  readonly notifications: number;
}

export interface ChangesOptions {
  readonly database: Database<ContentTables>;
  readonly log: Log;
  readonly timing?: ChangesTiming | undefined;
}

export interface ChangesTiming {
  /** How often the tables are read while notifications of other instances arrive, and while they don't. */
  readonly pollMs: { readonly notified: number; readonly alone: number };
  readonly listen?: ListenTiming | undefined;
}

/** A hundred writes in a row are announced as one. */
const togetherMs = 50;
/**
 * SQLite has no notifications, and other processes may have the file open: there, writes and announcements of other instances are
 * noticed within the shorter time. With notifications (L-61), the longer one is for what an instance wrote that was killed before it
 * announced that.
 */
const usualTiming: ChangesTiming = { pollMs: { notified: 5_000, alone: 500 } };
/** While announcing fails it is retried after growing pauses. */
const pausesMs = { first: 100, longest: 5_000 };

export function createChanges(options: ChangesOptions): Changes {
  const { database, log, timing = usualTiming } = options;
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

  /** Retried until it succeeds: there may never be another write to make up for it. */
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

  /** Advances the revision of every team, whatever its players have received. */
  async function ageAll(): Promise<void> {
    await kysely
      .insertInto("team_changes")
      .columns(["team_id", "revision", "calls"])
      .expression((eb) =>
        eb
          .selectFrom("teams")
          .select(["id", sql.lit(0).as("revision"), sql.lit(0).as("calls")])
          // Without a WHERE, SQLite takes ON for the start of a join constraint.
          .where(sql<boolean>`TRUE`),
      )
      .onConflict((on) =>
        on.column("team_id").doUpdateSet({
          revision: sql<number>`team_changes.revision + 1`,
        }),
      )
      .execute();
    await beginNumbering(kysely, randomUUID());
    isStarted = true;
  }

  /** Covers writes of other instances, which may have ended before announcing them. */
  async function poll(): Promise<void> {
    const [pending] = await database.read({
      text: "SELECT 1 AS one FROM pending_changes LIMIT 1",
      values: [],
    });
    if (pending) announceSoon();
    await wakeWaiters();
  }

  /**
   * Each waiter is compared with its own mark, so that a change before it began to wait is not missed. Of all teams, unless some are
   * named.
   */
  async function wakeWaiters(named?: ReadonlySet<string>): Promise<void> {
    const waiting = new Set([...waiters].map(({ mark }) => mark.teamId));
    const teams = [...waiting].filter((id) => named?.has(id) ?? true);
    if (teams.length === 0) return;
    const rows = await kysely
      .selectFrom("team_changes")
      .selectAll()
      .where("team_id", "in", teams)
      .execute();
    const now = new Map(rows.map((row) => [row.team_id, countsOf(row)]));
    for (const { mark, wake } of [...waiters]) {
      const { revision, calls } = now.get(mark.teamId) ?? mark;
      if (revision !== mark.revision || calls !== mark.calls) wake();
    }
  }

  function pollNow(): void {
    poll().catch((error: unknown) => {
      log.error("changes.poll-failed", { error });
    });
  }

  let notifications = 0;
  /** The number of the latest notification about each team, and of the moment before which some may have been missed. */
  const latestOf = new Map<string, number>();
  let missedUntil = 0;

  let timer: NodeJS.Timeout | undefined;
  function pollEvery(ms: number): void {
    clearInterval(timer);
    timer = setInterval(pollNow, ms);
    timer.unref();
  }

  /** Teams with waiters that are to be compared. */
  const unread = new Set<string>();
  let isReading = false;
  async function readUnread(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (unread.size > 0) {
        const teams = new Set(unread);
        unread.clear();
        await wakeWaiters(teams);
      }
    } finally {
      isReading = false;
    }
  }

  function readSoon(teamId: string): void {
    unread.add(teamId);
    readUnread().catch((error: unknown) => {
      // The next poll reads all of them.
      log.error("changes.poll-failed", { error });
    });
  }

  pollEvery(timing.pollMs.alone);
  const listening = database.listen?.({
    channel: announcedOn,
    timing: timing.listen,
    onNotified: (teamId) => {
      notifications += 1;
      latestOf.set(teamId, notifications);
      readSoon(teamId);
    },
    onReceiving: () => {
      log.info("changes.notifications-received");
      notifications += 1;
      missedUntil = notifications;
      pollEvery(timing.pollMs.notified);
      pollNow();
    },
    onInterrupted: (error) => {
      log.warn("changes.notifications-interrupted", {
        error,
        advice:
          "Changes by other instances are read every half second until PostgreSQL's notifications arrive. Behind a connection pooler, they need its session mode.",
      });
      pollEvery(timing.pollMs.alone);
      pollNow();
    },
  });

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
      const before = notifications;
      const row = await kysely
        .selectFrom("team_changes")
        .selectAll()
        .where("team_id", "=", teamId)
        .executeTakeFirst();
      return {
        ...countsOf(row ?? { team_id: teamId, revision: 0, calls: 0 }),
        notifications: before,
      };
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
        if (signal.aborted) {
          wake();
          return;
        }
        waiters.add(waiter);
        // A change that was announced after the mark was read, and before there was somebody to wake.
        const latest = latestOf.get(mark.teamId) ?? 0;
        if (mark.notifications < Math.max(latest, missedUntil))
          readSoon(mark.teamId);
      }),
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      for (const { wake } of [...waiters]) wake();
      await listening?.stop();
      // It may have been interrupted meanwhile.
      clearInterval(timer);
      await announcing;
    },
  };
}

interface Waiter {
  readonly mark: Mark;
  readonly wake: () => void;
}

function countsOf(
  row: ContentTables["team_changes"],
): Omit<Mark, "notifications"> {
  const { team_id: teamId, revision, calls } = row;
  return { teamId, revision: String(revision), calls: String(calls) };
}

/** Once per team however often it was noted; rows that others are counting at this moment are left to them. */
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
