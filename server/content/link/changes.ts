// When a team's content has changed: one count for all instances, and those who wait for it are woken (L-9, L-10).

import { sql } from "kysely";
import type { Database } from "../../platform/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";
import { named, sql as text, statementOf } from "../v4/sql.ts";

export interface Changes {
  /** Every revision told before this start is an old one from now on. */
  start(): Promise<void>;
  /** Something of this team was written; told soon, many writes together. */
  note(teamId: string): void;
  /** A screen of this team is to look at its news; the content is the same. */
  call(teamId: string): void;
  markOf(teamId: string): Promise<Mark>;
  /** Until the mark is another one, by whatever instance, or the time is over, or nobody listens any more. */
  wait(mark: Mark, ms: number, signal: AbortSignal): Promise<void>;
  waiting(): number;
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

/** A hundred writes in a row are told as one. */
const togetherMs = 50;
/** Another instance's changes are heard of within this time. */
const lookEveryMs = 500;

export function createChanges({ database, log }: ChangesOptions): Changes {
  const { kysely } = database;
  const noted = { revision: new Set<string>(), calls: new Set<string>() };
  const waiters = new Set<Waiter>();
  let telling: Promise<void> = Promise.resolve();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      telling = telling.then(tell).catch((error: unknown) => {
        log.error("changes.tell-failed", { error });
      });
    }, togetherMs).unref();
  }

  async function tell(): Promise<void> {
    for (const column of ["revision", "calls"] as const) {
      for (const team of [...noted[column]]) {
        noted[column].delete(team);
        await count(team, column).catch((error: unknown) => {
          // Told with the next change, or by the next start.
          noted[column].add(team);
          throw error;
        });
      }
    }
    await look();
  }

  async function count(
    teamId: string,
    column: "revision" | "calls",
  ): Promise<void> {
    const counted = named(column);
    // Beside the writes it tells of, so that they share a flush of the disk.
    await database.writeOne(
      statementOf(
        text`INSERT INTO team_changes (team_id, revision, calls)
          VALUES (${teamId}, ${column === "revision" ? 1 : 0}, ${column === "calls" ? 1 : 0})
          ON CONFLICT (team_id) DO UPDATE SET ${counted} = team_changes.${counted} + 1`,
        database.kind,
      ),
    );
  }

  /** Each waiter is compared with what it knows itself, so that nothing is missed before it began to wait. */
  async function look(): Promise<void> {
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
    look().catch((error: unknown) => {
      log.error("changes.look-failed", { error });
    });
  }, lookEveryMs);
  timer.unref();

  return {
    start: async () => {
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
    },
    note: (teamId) => {
      noted.revision.add(teamId);
      plan();
    },
    call: (teamId) => {
      noted.calls.add(teamId);
      plan();
    },
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
    waiting: () => waiters.size,
    stop: async () => {
      clearInterval(timer);
      for (const { wake } of [...waiters]) wake();
      await telling;
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
