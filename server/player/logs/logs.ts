// Activity log and playback log: what happened to the player, and what it showed, when and for how long (V2-284 to V2-288).

import { setImmediate } from "node:timers/promises";
import type {
  ActivityActor,
  ActivityActorKind,
  ActivityChange,
  ActivityKind,
} from "../../contract/v2/v2-logs.ts";
import { dayMs, wallClockOf } from "../../core/wall-clock.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { WriteQueue } from "../playback/write-queue.ts";
import { actorScope } from "./actor.ts";
import { shownName } from "../../core/log-values.ts";

export interface ActivityNote {
  readonly kind: ActivityKind;
  /** In one word: `added`, `failed` … */
  readonly what: string;
  readonly name: string;
  readonly assetId?: string | null;
  readonly says?: string;
  /** The one of this moment unless given; null for the player itself. */
  readonly actor?: ActivityActor | null;
  readonly changes?: readonly ActivityChange[];
}

export interface Activity extends Required<ActivityNote> {
  readonly number: number;
  readonly at: number;
}

export interface Shown {
  /** Identifies this showing; a later note with the same id updates the same entry. */
  readonly id: string;
  readonly assetId: string;
  readonly name: string;
  readonly playlist: { readonly id: string; readonly name: string } | null;
  readonly reason: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Playback extends Shown {
  readonly number: number;
}

export interface PlaybackDay {
  readonly day: string;
  readonly assetId: string;
  readonly name: string;
  readonly playbacks: number;
  readonly milliseconds: number;
}

export interface ActivityFilter {
  readonly kind: ActivityKind | null;
  readonly actor: ActivityActorKind | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly search: string | null;
  /** Only entries with a lower number. */
  readonly before: number | null;
  readonly limit: number;
}

export interface PlaybacksFilter {
  readonly assetId: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly before: number | null;
  readonly limit: number;
}

export interface History {
  /** All of them in one transaction. */
  note(...happened: readonly ActivityNote[]): void;
  noteShown(shown: Shown): void;
  /** Newest first. */
  activity(filter: ActivityFilter): Promise<readonly Activity[]>;
  playbacks(filter: PlaybacksFilter): Promise<readonly Playback[]>;
  /** From the first to the last of these days, both included. */
  days(from: string, to: string): readonly PlaybackDay[];
}

export interface HistoryOptions {
  readonly database: Sqlite;
  readonly now: () => number;
  readonly zone: () => string;
  /** The screen never waits for its logs to be written. */
  readonly writes: Pick<WriteQueue, "put">;
}

/** A year of a busy screen; the daily totals are kept permanently, as there are few of them. */
const maxPlaybacks = 2_000_000;
/** Some hundred megabytes at most: many times what a year of a busy player has (V2-285). */
const maxActivity = 1_000_000;
const activityKeptMs = 366 * dayMs;
/** Counting the rows costs more than writing one. */
const pruneEvery = 1000;
const pruneActivityEvery = 50;
/** Twice as many as are written meanwhile, and half a millisecond of work. */
const prunedAtOnce = 100;

interface ActivityRow {
  readonly number: number;
  readonly at: number;
  readonly kind: ActivityKind;
  readonly what: string;
  readonly name: string;
  readonly asset_id: string | null;
  readonly says: string;
  readonly actor_kind: ActivityActorKind | null;
  readonly actor_name: string;
  readonly actor_address: string | null;
  /** JSON; empty for none. */
  readonly changes: string;
}

interface PlaybackRow {
  readonly number: number;
  readonly id: string;
  readonly asset_id: string;
  readonly name: string;
  readonly playlist_id: string | null;
  readonly playlist_name: string | null;
  readonly reason: string;
  readonly started_at: number;
  readonly ended_at: number;
}

export function createHistory(options: HistoryOptions): History {
  const { database, now, zone, writes } = options;
  const insertActivity = database.prepare(
    `INSERT INTO activity (at, kind, what, name, asset_id, says, actor_kind, actor_name, actor_address, changes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertPlayback = database.prepare(
    `INSERT INTO plays (id, asset_id, name, playlist_id, playlist_name, reason, started_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const countDay = database.prepare(
    `INSERT INTO play_days (day, asset_id, name, plays, milliseconds) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (day, asset_id) DO UPDATE SET plays = plays + excluded.plays,
       milliseconds = milliseconds + excluded.milliseconds, name = excluded.name`,
  );
  const endOf = database
    .prepare<[string], number>("SELECT ended_at FROM plays WHERE id = ?")
    .pluck();
  const prolong = database.prepare(
    "UPDATE plays SET ended_at = ? WHERE id = ?",
  );
  // The oldest entries only: one from after the clock was set back waits behind those from before. One that is dated in the future keeps
  // no others, and stays: it may be the clock of now that is wrong.
  const pruneAged = database.prepare(
    `DELETE FROM activity WHERE at < @oldest AND number <= (SELECT max(number) FROM
       (SELECT number, at FROM activity WHERE at <= @now ORDER BY number LIMIT ${prunedAtOnce}) WHERE at < @oldest)`,
  );
  const pruneSurplus = database.prepare(
    `DELETE FROM activity WHERE number IN (SELECT number FROM activity ORDER BY number LIMIT ${prunedAtOnce})
       AND number <= (SELECT max(number) FROM activity) - ?`,
  );
  const prunePlaybacks = database.prepare(
    "DELETE FROM plays WHERE number <= (SELECT max(number) FROM plays) - ?",
  );
  const selectDays = database.prepare<
    [string, string],
    Omit<PlaybackDay, "assetId" | "playbacks"> & {
      readonly asset_id: string;
      readonly plays: number;
    }
  >(
    "SELECT * FROM play_days WHERE day >= ? AND day <= ? ORDER BY day, name, asset_id",
  );

  const recordActivity = database.transaction(
    (at: number, happened: readonly ActivityNote[]): void => {
      for (const each of happened) {
        const { kind, what, assetId = null, says = "" } = each;
        const { actor = null, changes = [] } = each;
        const name = shownName(each.name).slice(0, maxLength);
        const { lastInsertRowid } = insertActivity.run(
          ...[at, kind, what, name],
          ...[assetId, says.slice(0, maxLength)],
          ...[actor?.kind ?? null, actor?.name ?? "", actor?.address ?? null],
          changes.length === 0 ? "" : JSON.stringify(changes),
        );
        if (Number(lastInsertRowid) % pruneActivityEvery !== 0) continue;
        pruneAged.run({ now: at, oldest: at - activityKeptMs });
        pruneSurplus.run(maxActivity);
      }
    },
  );

  const recordPlayback = database.transaction((shown: Shown): void => {
    const { id, playlist, assetId, startedAt, endedAt } = shown;
    const name = shownName(shown.name);
    const day = dayOf(startedAt, zone());
    const known = endOf.get(id);
    if (known !== undefined) {
      prolong.run(endedAt, id);
      countDay.run(day, assetId, name, 0, Math.max(0, endedAt - known));
      return;
    }
    const { lastInsertRowid } = insertPlayback.run(
      ...[id, assetId, name],
      ...[
        playlist?.id ?? null,
        playlist?.name ?? null,
        storedReason(shown.reason),
      ],
      ...[startedAt, endedAt],
    );
    countDay.run(day, assetId, name, 1, Math.max(0, endedAt - startedAt));
    if (Number(lastInsertRowid) % pruneEvery === 0)
      prunePlaybacks.run(maxPlaybacks);
  });

  return {
    note: (...happened) => {
      const at = now();
      const actor = actorScope.current();
      const notes = happened.map((each) => ({ actor, ...each }));
      if (notes.length > 0)
        writes.put(() => recordActivity.immediate(at, notes));
    },
    // Noted again while the showing lasts: only its length differs.
    noteShown: (shown) =>
      writes.put(() => recordPlayback.immediate(shown), `play ${shown.id}`),
    activity: async (filter) => {
      const conditions: Condition[] = [
        ["kind = ?", filter.kind],
        ["actor_kind = ?", filter.actor],
        ["at >= ?", filter.from],
        ["at < ?", filter.to],
        [searched, filter.search],
      ];
      const rows = await select<ActivityRow>("activity", conditions, filter);
      return rows.map(activityFromRow);
    },
    playbacks: async (filter) => {
      const conditions: Condition[] = [
        ["asset_id = ?", filter.assetId],
        ["started_at >= ?", filter.from],
        ["started_at < ?", filter.to],
      ];
      const rows = await select<PlaybackRow>("plays", conditions, filter);
      return rows.map(playbackFromRow);
    },
    days: (from, to) =>
      selectDays
        .all(from, to)
        .map(({ asset_id: assetId, plays: playbacks, ...day }) => ({
          ...day,
          ...{ assetId, playbacks },
        })),
  };

  /**
   * From the newest backwards, one batch at a time. An index would find rare, old entries at once, but would read a year of a busy
   * screen many times slower than this scan, which blocks nothing for longer than one batch.
   */
  async function select<Found>(
    table: "activity" | "plays",
    conditions: readonly Condition[],
    { before, limit }: { readonly before: number | null; limit: number },
  ): Promise<readonly Found[]> {
    const active = conditions.filter(([, value]) => value !== null);
    const where = active.map(([text]) => `AND ${text}`).join(" ");
    const piece = database.prepare<(string | number | null)[], Found>(
      `SELECT * FROM ${table} WHERE number < ? AND number >= ? ${where} ORDER BY number DESC LIMIT ?`,
    );
    const { first, last } = database
      .prepare<[], Ends>(
        `SELECT (SELECT min(number) FROM ${table}) AS first, (SELECT max(number) FROM ${table}) AS last`,
      )
      .get() as Ends;
    const values = active.map(([, value]) => value);
    const rows: Found[] = [];
    let end = Math.min(before ?? Infinity, (last ?? 0) + 1);
    for (;;) {
      const begin = end - rowsAtOnce;
      rows.push(...piece.all(end, begin, ...values, limit - rows.length));
      if (rows.length >= limit || begin <= (first ?? 0)) return rows;
      end = begin;
      await setImmediate();
    }
  }
}

/** A few milliseconds when the rows are in memory, somewhat more on a slow disk. */
const rowsAtOnce = 20_000;

interface Ends {
  readonly first: number | null;
  readonly last: number | null;
}

/** No name is longer than this anywhere; a reason is a sentence. */
const maxLength = 1000;

type Condition = readonly [string, string | number | null];

/**
 * In what people see of an entry, the values of its changes included (V2-794), and not in the JSON that they are stored as. That
 * is only read where its text has the words at all.
 */
const searched = `EXISTS (SELECT 1 FROM (
    SELECT text, substr(json_quote(text), 2, length(json_quote(text)) - 2) AS quoted FROM (SELECT lower(?) AS text)
  ) WHERE
  instr(lower(name || ' ' || says || ' ' || actor_name || ' ' || coalesce(actor_address, '')), text) > 0 OR
  (instr(lower(changes), quoted) > 0 AND EXISTS (SELECT 1 FROM json_tree(changes) WHERE key IN ('before', 'after')
    AND type IN ('text', 'integer', 'real') AND instr(lower(atom), text) > 0)))`;

/** How the table stores the reason `schedule`. */
const storedSchedule = "turn";

function storedReason(reason: string): string {
  return reason === "schedule" ? storedSchedule : reason;
}

function activityFromRow(row: ActivityRow): Activity {
  const { asset_id: assetId, actor_kind: kind, changes, ...others } = row;
  const { actor_name: name, actor_address: address } = row;
  return {
    ...others,
    assetId,
    actor: kind === null ? null : { kind, name, address },
    changes:
      changes === "" ? [] : (JSON.parse(changes) as readonly ActivityChange[]),
  };
}

function playbackFromRow(row: PlaybackRow): Playback {
  const { playlist_id: playlistId, playlist_name: playlistName } = row;
  return {
    number: row.number,
    id: row.id,
    assetId: row.asset_id,
    name: row.name,
    playlist:
      playlistId === null ? null : { id: playlistId, name: playlistName ?? "" },
    reason: row.reason === storedSchedule ? "schedule" : row.reason,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

/** `2026-01-31`: the calendar day by the wall clock of this zone. */
export function dayOf(moment: number, zone: string): string {
  const { day } = wallClockOf(zone).wallTimeAt(moment);
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
