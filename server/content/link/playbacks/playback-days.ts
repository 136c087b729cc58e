// Playbacks added up by day, screen, asset and playlist, in the transaction that stores them (L-52).

import { sql, type Kysely } from "kysely";
import { dayMs, wallClockOf } from "../../../core/wall-clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ContentTables } from "../../tables.ts";

type PlaybackRow = Pick<
  ContentTables["playbacks"],
  "team_id" | "screen_id" | "asset_id" | "playlist_id"
> & { readonly started_at: unknown; readonly ended_at: unknown };

/** A SQLite statement takes at most 32,766 values. */
const rowsAtOnce = 500;
/** A player sends one every ten minutes while it lasts (V2-286); a clock may have been set meanwhile. */
const maxDurationMs = 7 * dayMs;

/** Each of these once: only those that this transaction stored. */
export async function addPlaybackDays(
  transaction: Kysely<ContentTables>,
  playbacks: readonly PlaybackRow[],
): Promise<void> {
  if (playbacks.length === 0) return;
  const zoneOf = await zonesOf(transaction, playbacks);
  const days = new Map<string, ContentTables["playback_days"]>();
  for (const { started_at, ended_at, playlist_id, ...row } of playbacks) {
    const startedMs = Number(started_at);
    const durationMs = Number(ended_at) - startedMs;
    const day = dayIn(zoneOf(row.screen_id), startedMs);
    const place = { ...row, day, playlist_id: playlist_id ?? "" };
    const { team_id, screen_id, asset_id } = place;
    const key = JSON.stringify([
      ...[team_id, day, screen_id, asset_id, place.playlist_id],
    ]);
    const before = days.get(key);
    days.set(key, {
      ...{ team_id, day, screen_id, asset_id },
      playlist_id: place.playlist_id,
      playbacks: (before?.playbacks ?? 0) + 1,
      duration_ms:
        (before?.duration_ms ?? 0) +
        Math.min(Math.max(0, durationMs), maxDurationMs),
    });
  }
  // Always in one order, so that two transactions never deadlock.
  const rows = [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await transaction
      .insertInto("playback_days")
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((on) =>
        on
          .columns(["team_id", "day", "screen_id", "asset_id", "playlist_id"])
          .doUpdateSet({
            playbacks: sql`playback_days.playbacks + excluded.playbacks`,
            duration_ms: sql`playback_days.duration_ms + excluded.duration_ms`,
          }),
      )
      .execute();
}

/** Of playbacks stored before there were days, or by an instance of an earlier version; returns whether any were left. */
export async function addEarlierPlaybacks(
  database: Database<ContentTables>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    // The condition is there twice: another instance may have added them while this one waited for their rows.
    const { rows } = await sql<PlaybackRow>`
      UPDATE playbacks SET is_counted = TRUE
      WHERE NOT is_counted AND id IN (SELECT id FROM playbacks WHERE NOT is_counted ORDER BY id LIMIT ${sql.lit(rowsAtOnce)})
      RETURNING team_id, screen_id, asset_id, playlist_id, started_at, ended_at`.execute(
      transaction,
    );
    await addPlaybackDays(transaction, rows);
    return rows.length > 0;
  });
}

async function zonesOf(
  transaction: Kysely<ContentTables>,
  playbacks: readonly PlaybackRow[],
): Promise<(screenId: string) => string> {
  const ids = [...new Set(playbacks.map(({ screen_id }) => screen_id))];
  const zones = new Map<string, string>();
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const screens = await transaction
      .selectFrom("screens")
      .select(["id", "timezone"])
      .where("id", "in", ids.slice(from, from + rowsAtOnce))
      .execute();
    for (const { id, timezone } of screens) zones.set(id, timezone);
  }
  // An unknown zone is UTC.
  return (id) => zones.get(id) || "UTC";
}

/** Days outside of four-digit years are the first or the last of them. */
const firstDay = Date.UTC(1000, 0, 1) / dayMs;
const lastDay = Date.UTC(9999, 11, 31) / dayMs;

/** `2026-05-01` */
function dayIn(zone: string, moment: number): string {
  const { day } = wallClockOf(zone).wallTimeAt(moment);
  const within = Math.min(lastDay, Math.max(firstDay, day));
  return new Date(within * dayMs).toISOString().slice(0, 10);
}
