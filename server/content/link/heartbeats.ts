// Status and state of screens: stores their heartbeats and marks screens without one as offline (L-6, L-7, L-33, L-38, L-40, L-63).

import { sql, type Kysely } from "kysely";
import type { HeartbeatLink } from "../../contract/link/link.ts";
import {
  maxReportBytes,
  type ScreenReport,
} from "../../contract/link/screen-report.ts";
import { fieldFailure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";
import { noteResults } from "./screen-commands.ts";
import { stateOf } from "./screen-state.ts";
import { writeSilence, writeState, type StoredState } from "./state-changes.ts";

/** How often a screen is to send one. */
export const heartbeatSeconds = 30;

export interface Heartbeats {
  note(screenId: string, ip: string, body: HeartbeatLink): Promise<void>;
  /** These players open a socket at this instance; 500 at most. Returns those whose screens were not deleted. */
  beginListening(screenIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * This instance runs, and pings its sockets: all players with a socket here are in contact (L-63). What changes with time is stored
   * for the instance, not for each of its screens.
   */
  noteInstance(): Promise<void>;
  /** These players have sockets here at this moment, which also counts as a heartbeat; 500 at most. */
  listen(screenIds: readonly string[]): Promise<void>;
  /** This player polls: it has no socket. */
  listenWithoutSocket(screenId: string): Promise<void>;
  /**
   * These players no longer have a socket here, and were in contact until this long ago; one at another instance is left alone
   * (L-60); 500 at most.
   */
  endListening(screenIds: readonly string[], silentMs: number): Promise<void>;
  /** Marks screens without a recent heartbeat as offline. */
  noteSilence(): Promise<void>;
}

export interface HeartbeatsOptions {
  readonly database: Database<ContentTables>;
  readonly makeId: () => string;
  readonly now: () => number;
  readonly offlineAfterMs: number;
}

/** Longer than any screen stays online without contact. */
const instancesKeptMs = 24 * 3_600_000;

/** Of a screen with a socket, when the instance that has it last noted that it runs (L-63). */
const lastContact = sql<number>`CASE
  WHEN ws_open AND (SELECT seen_at FROM link_instances WHERE link_instances.id = ws_instance) > last_ping
  THEN (SELECT seen_at FROM link_instances WHERE link_instances.id = ws_instance) ELSE last_ping END`;

const statusOf: Readonly<Record<HeartbeatLink["sync"], string>> = {
  "in-sync": "In Sync",
  syncing: "Syncing",
  "out-of-sync": "Out Of Sync",
};

export function createHeartbeats(options: HeartbeatsOptions): Heartbeats {
  const { database, makeId, now, offlineAfterMs } = options;
  const { kysely } = database;
  const instance = makeId();
  return {
    note: async (screenId, ip, body) => {
      const report = reportTextOf(body);
      await database.transaction(async (transaction) => {
        const moment = now();
        const screen = await noteContact(transaction, {
          ...{ screenId, ip, body, moment },
        });
        if (!screen) return;
        // Before the state: a restart that was carried out is the cause of an outage (L-50).
        await noteResults(transaction, screenId, body, moment);
        await noteState(transaction, {
          screenId,
          body,
          report,
          moment,
          screen,
        });
        await noteVersion(transaction, screenId, screen.team_id, body, moment);
      });
    },
    beginListening: async (screenIds) => {
      const rows = await kysely
        .updateTable("screens")
        .set({ ws_open: true, ws_instance: instance, last_ping: now() })
        .where("id", "in", screenIds)
        .returning("id")
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
    listen: async (screenIds) => {
      await kysely
        .updateTable("screens")
        .set({ ws_open: true, last_ping: now() })
        .where("id", "in", screenIds)
        .execute();
    },
    noteInstance: async () => {
      const seen_at = now();
      await kysely
        .insertInto("link_instances")
        .values({ id: instance, seen_at })
        .onConflict((on) => on.column("id").doUpdateSet({ seen_at }))
        .execute();
    },
    listenWithoutSocket: async (screenId) => {
      await kysely
        .updateTable("screens")
        .set({ ws_open: true, ws_instance: null, last_ping: now() })
        .where("id", "=", screenId)
        .execute();
    },
    endListening: async (screenIds, silentMs) => {
      const contact = now() - silentMs;
      await kysely
        .updateTable("screens")
        .set({
          ws_open: false,
          last_ping: sql<number>`CASE WHEN last_ping > ${contact} THEN last_ping ELSE ${contact} END`,
        })
        .where("id", "in", screenIds)
        .where("ws_instance", "=", instance)
        .execute();
    },
    noteSilence: () =>
      database.transaction(async (transaction) => {
        const moment = now();
        const [earliest, latest] = [
          moment - offlineAfterMs,
          // A later one was stored before the database's clock was set back (L-36).
          moment + offlineAfterMs,
        ];
        const silent = await transaction
          .updateTable("screens")
          .set({
            ...{ status: "Offline", in_sync: false, ws_open: false },
            last_ping: lastContact,
          })
          .where((eb) =>
            eb.or([eb("status", "<>", "Offline"), eb("ws_open", "=", true)]),
          )
          .where((eb) =>
            eb.or([
              eb("last_ping", "<=", earliest),
              eb("last_ping", ">", latest),
            ]),
          )
          .where((eb) =>
            eb.not(
              eb.and([
                eb("ws_open", "=", true),
                eb.exists(
                  eb
                    .selectFrom("link_instances as i")
                    .select("i.id")
                    .whereRef("i.id", "=", "screens.ws_instance")
                    .where("i.seen_at", ">", earliest)
                    .where("i.seen_at", "<=", latest),
                ),
              ]),
            ),
          )
          .returning("id")
          .execute();
        const ids = silent.map(({ id }) => id);
        await writeSilence(transaction, makeId, ids, moment);
        await transaction
          .deleteFrom("link_instances")
          .where((eb) =>
            eb.or([
              eb("seen_at", "<=", moment - instancesKeptMs),
              eb("seen_at", ">", moment + instancesKeptMs),
            ]),
          )
          .execute();
      }),
  };

  async function noteState(
    transaction: Kysely<ContentTables>,
    noted: {
      readonly screenId: string;
      readonly body: HeartbeatLink;
      readonly report: string | null;
      readonly moment: number;
      readonly screen: ContactRow;
    },
  ): Promise<void> {
    const { screenId, body, screen, moment } = noted;
    const before = storedStateOf(screen);
    const { facts = {} } = body;
    const version = facts.software_version;
    // Another version may report nothing: what the one before reported would stay for ever.
    const isOtherVersion =
      version !== undefined && version !== screen.client_version;
    const kept = isOtherVersion ? null : (before?.report ?? null);
    const report = noted.report ?? kept;
    const isEnabled = Boolean(screen.is_enabled);
    const judged = stateOf({
      ...{ contact: "recent", isEnabled },
      ...{ sync: body.sync, counts: body.item_counts },
      report: report === null ? null : (JSON.parse(report) as ScreenReport),
    });
    await writeState(transaction, makeId, {
      ...{ screenId, teamId: screen.team_id, before, report, moment },
      ...{ ...judged, isEnabled, facts },
    });
  }
}

/** As it is stored; null when it was left out. Throws for one that is too large (L-38). */
function reportTextOf({ report }: HeartbeatLink): string | null {
  if (report === undefined) return null;
  const text = JSON.stringify(report);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxReportBytes) return text;
  throw fieldFailure(
    "report",
    `report must have at most ${maxReportBytes} bytes as JSON; got ${bytes}`,
  );
}

type ContactRow = NonNullable<Awaited<ReturnType<typeof noteContact>>>;

/**
 * Returns what was stored before, in the same statement: most heartbeats change no state and need no other. On PostgreSQL, of two
 * transactions that change one screen at once, the second may read the state from before the first; the next heartbeat corrects it.
 */
async function noteContact(
  transaction: Kysely<ContentTables>,
  contact: {
    readonly screenId: string;
    readonly ip: string;
    readonly body: HeartbeatLink;
    readonly moment: number;
  },
) {
  const { screenId, ip, body, moment } = contact;
  const { facts = {}, item_counts: counts } = body;
  const {
    name: _,
    machine_uptime: _machineUptime,
    last_run_end: _lastRunEnd,
    ...reportedFacts
  } = facts;
  const sync = syncOf(body);
  return transaction
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
    .returning((eb) => {
      const stored = eb
        .selectFrom("screen_states")
        .whereRef("screen_states.screen_id", "=", "screens.id");
      return [
        ...(["team_id", "is_enabled"] as const),
        stored.select("state").as("state"),
        stored.select("since").as("since"),
        stored.select("reason").as("reason"),
        stored.select("report").as("report"),
        stored.select("reported_at").as("reported_at"),
        eb
          .selectFrom("screen_reports")
          .whereRef("screen_reports.screen_id", "=", "screens.id")
          .select("client_version")
          .as("client_version"),
      ];
    })
    .executeTakeFirst();
}

function storedStateOf(row: ContactRow): StoredState | null {
  const { state, since, reason, report, reported_at } = row;
  if (state === null) return null;
  return {
    ...{ state, since: Number(since), reason, report },
    reportedAt: reported_at === null ? null : Number(reported_at),
  };
}

async function noteVersion(
  transaction: Kysely<ContentTables>,
  screen_id: string,
  team_id: string,
  { facts }: HeartbeatLink,
  reported_at: number,
): Promise<void> {
  const client_version = facts?.software_version;
  if (client_version === undefined) return;
  await transaction
    .insertInto("screen_reports")
    .values({ screen_id, team_id, client_version, reported_at })
    .onConflict((on) =>
      on.column("screen_id").doUpdateSet({ client_version, reported_at }),
    )
    .execute();
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
