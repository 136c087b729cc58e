// Stores the playback log entries of players, exactly once however often they are sent, and adds them up by day (L-12, L-52).

import { sql, type Insertable, type Kysely } from "kysely";
import type { LinkPlayback } from "../../../contract/link/link.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ContentTables } from "../../tables.ts";
import { addPlaybackDays } from "./playback-days.ts";
import {
  findPartitions,
  type Partitions,
  type PlaybackTable,
} from "./playback-partitions.ts";

/** The player, screen and team they belong to. */
export interface PlaybackOwner {
  readonly playerId: string;
  readonly teamId: string;
  readonly screenId: string;
}

/** A SQLite statement takes at most 32,766 values. */
const rowsAtOnce = 500;

const undivided: Partitions = { tableAt: () => "playbacks" };

/** Returns how many are new. Those that began before `keptSince` are ignored: they may have been stored and deleted (V4-387). */
export async function keepPlaybacks(
  database: Database<ContentTables>,
  { playerId, teamId, screenId }: PlaybackOwner,
  playbacks: readonly LinkPlayback[],
  makeId: () => string,
  keptSince = -Infinity,
): Promise<number> {
  const first = new Map<string, LinkPlayback>();
  for (const each of playbacks)
    if (!first.has(each.id)) first.set(each.id, each);
  const rows = [...first.values()]
    // Always in one order, so that two requests of the same player never deadlock.
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, asset_id, playlist_id, started_at, ended_at }) => ({
      ...{ id: makeId(), team_id: teamId, player_id: playerId },
      ...{ playback_id: id, screen_id: screenId, asset_id, playlist_id },
      is_counted: true,
      started_at: Date.parse(started_at),
      ended_at: Date.parse(ended_at),
    }))
    .filter(({ started_at }) => started_at >= keptSince);
  if (rows.length === 0) return 0;
  return database.transaction(async (transaction) => {
    const isDivided = database.kind === "postgres";
    // The same playback may be in another partition, if it is sent with another time.
    const known = isDivided
      ? await lockStored(transaction, playerId, rows)
      : new Set<string>();
    const partitions = isDivided
      ? await findPartitions(transaction)
      : undivided;
    const fresh = rows.filter(({ playback_id }) => !known.has(playback_id));
    const byTable = new Map<PlaybackTable, typeof fresh>();
    for (const row of fresh) {
      const table = partitions.tableAt(row.started_at);
      byTable.set(table, [...(byTable.get(table) ?? []), row]);
    }
    const stored: Parameters<typeof addPlaybackDays>[1][number][] = [];
    for (const [table, ofTable] of byTable)
      for (let from = 0; from < ofTable.length; from += rowsAtOnce)
        stored.push(
          ...(await insert(
            transaction,
            table,
            ofTable.slice(from, from + rowsAtOnce),
          )),
        );
    await addPlaybackDays(transaction, stored);
    return stored.length;
  });
}

function insert(
  transaction: Kysely<ContentTables>,
  table: PlaybackTable,
  rows: readonly Insertable<ContentTables["playbacks"]>[],
) {
  return transaction
    .insertInto(table)
    .values(rows)
    .onConflict((on) => on.columns(["player_id", "playback_id"]).doNothing())
    .returning(["team_id", "screen_id", "asset_id", "playlist_id"])
    .returning(["started_at", "ended_at"])
    .execute();
}

/** Which of them are stored, in any partition; until the transaction ends, no other request of the player stores any. */
async function lockStored(
  transaction: Kysely<ContentTables>,
  playerId: string,
  rows: readonly { readonly playback_id: string }[],
): Promise<ReadonlySet<string>> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`playbacks of ${playerId}`}, 0))`.execute(
    transaction,
  );
  const found = await transaction
    .selectFrom("playbacks")
    .select("playback_id")
    .where("player_id", "=", playerId)
    .where(
      "playback_id",
      "in",
      rows.map(({ playback_id }) => playback_id),
    )
    .execute();
  return new Set(found.map(({ playback_id }) => playback_id));
}
