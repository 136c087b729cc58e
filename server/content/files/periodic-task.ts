// Work that recurs and that one of all instances does at a time, by a lease in the database (V4-334).

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import { moment } from "../../platform/database/database-now.ts";
import type { ContentTables } from "../tables.ts";

export interface PeriodicTask {
  /** Where to continue, when the work is due and no other instance does it; otherwise null. */
  take(): Promise<string | null>;
  /** Notes the progress at most every third of a lease; false when another instance took over. */
  hold(progress: string): Promise<boolean>;
  /** Due again after the pause. */
  finish(): Promise<void>;
  /** Any instance may continue. */
  release(): Promise<void>;
}

export interface PeriodicTaskOptions {
  readonly database: Database<ContentTables>;
  readonly name: string;
  readonly pauseMs: number;
  readonly leaseMs: number;
}

export function createPeriodicTask(options: PeriodicTaskOptions): PeriodicTask {
  const { database, name, pauseMs, leaseMs } = options;
  const { kysely, kind } = database;
  const owner = randomUUID();
  const now = moment(kind);
  const after = (ms: number) => sql<number>`${now} + ${sql.lit(ms)}`;
  /** Further ahead than ever set: written before the database's clock was set back. */
  const isOver = (column: "due_at" | "lease_until", longestMs: number) =>
    sql<boolean>`(${sql.ref(column)} <= ${now} OR ${sql.ref(column)} > ${after(2 * longestMs)})`;
  let heldAt = 0;

  const ours = () =>
    kysely
      .updateTable("periodic_tasks")
      .where("name", "=", name)
      .where("owner", "=", owner);

  return {
    take: async () => {
      await kysely
        .insertInto("periodic_tasks")
        .values({ name, due_at: after(pauseMs) })
        .onConflict((on) => on.doNothing())
        .execute();
      const taken = await kysely
        .updateTable("periodic_tasks")
        .set({ owner, lease_until: after(leaseMs) })
        .where("name", "=", name)
        .where(isOver("due_at", pauseMs))
        .where(isOver("lease_until", leaseMs))
        .returning("progress")
        .executeTakeFirst();
      heldAt = performance.now();
      return taken?.progress ?? null;
    },
    hold: async (progress) => {
      if (performance.now() - heldAt < leaseMs / 3) return true;
      heldAt = performance.now();
      const held = await ours()
        .set({ lease_until: after(leaseMs), progress })
        .returning("name")
        .execute();
      return held.length > 0;
    },
    finish: async () => {
      await ours()
        .set({
          owner: "",
          lease_until: 0,
          progress: "",
          due_at: after(pauseMs),
        })
        .execute();
    },
    release: async () => {
      await ours().set({ owner: "", lease_until: 0 }).execute();
    },
  };
}
