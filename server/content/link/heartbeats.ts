// Status of screens: stores their heartbeats and marks screens without one as offline (L-6, L-7, L-33).

import type { HeartbeatLink } from "../../contract/link/link.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";

/** How often a screen is to send one. */
export const heartbeatSeconds = 30;

export interface Heartbeats {
  note(screenId: string, ip: string, body: HeartbeatLink): Promise<void>;
  /** The player is waiting for news at this moment, which also counts as a heartbeat. */
  listens(screenId: string): Promise<void>;
  /** Marks screens without a recent heartbeat as offline. */
  noteSilence(): Promise<void>;
}

export interface HeartbeatsOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly offlineAfterMs: number;
}

const statusOf: Readonly<Record<HeartbeatLink["sync"], string>> = {
  "in-sync": "In Sync",
  syncing: "Syncing",
  "out-of-sync": "Out Of Sync",
};

export function createHeartbeats(options: HeartbeatsOptions): Heartbeats {
  const { database, now, offlineAfterMs } = options;
  const { kysely } = database;
  return {
    note: async (screenId, ip, body) => {
      const { facts = {}, item_counts: counts } = body;
      const { name: _, ...reportedFacts } = facts;
      const sync = syncOf(body);
      const moment = now();
      const row = await kysely
        .updateTable("screens")
        .set({
          ...definedOf(reportedFacts),
          ...{ status: statusOf[sync], in_sync: sync === "in-sync" },
          item_counts: counts === undefined ? null : JSON.stringify(counts),
          last_ping: moment,
          // IPv4 in its usual notation, even on an IPv6 socket.
          last_ip: ip.replace(/^::ffff:(?=\d+\.)/i, ""),
        })
        .where("id", "=", screenId)
        .returning("team_id")
        .executeTakeFirst();
      if (row && facts.software_version !== undefined)
        await report(screenId, row.team_id, facts.software_version, moment);
    },
    listens: async (screenId) => {
      await kysely
        .updateTable("screens")
        .set({ ws_open: true, last_ping: now() })
        .where("id", "=", screenId)
        .execute();
    },
    noteSilence: async () => {
      await kysely
        .updateTable("screens")
        .set({ status: "Offline", in_sync: false, ws_open: false })
        .where((eb) =>
          eb.or([eb("status", "<>", "Offline"), eb("ws_open", "=", true)]),
        )
        .where((eb) =>
          eb.or([
            eb("last_ping", "<=", now() - offlineAfterMs),
            // The database's clock has been set back since (L-36).
            eb("last_ping", ">", now() + offlineAfterMs),
          ]),
        )
        .execute();
    },
  };

  async function report(
    screen_id: string,
    team_id: string,
    client_version: string,
    reported_at: number,
  ): Promise<void> {
    await kysely
      .insertInto("screen_reports")
      .values({ screen_id, team_id, client_version, reported_at })
      .onConflict((on) =>
        on.column("screen_id").doUpdateSet({ client_version, reported_at }),
      )
      .execute();
  }
}

/** A screen that lacks an item is not in sync, whatever it reports (L-34). */
function syncOf({
  sync,
  item_counts: counts,
}: HeartbeatLink): HeartbeatLink["sync"] {
  const isIncomplete =
    counts !== undefined && (counts.failed > 0 || counts.here < counts.wanted);
  return isIncomplete && sync === "in-sync" ? "out-of-sync" : sync;
}

function definedOf<T extends object>(facts: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
