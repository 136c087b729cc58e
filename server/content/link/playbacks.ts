// Stores the playback log entries of players, exactly once however often they are sent, and adds them up by day (L-12, L-52).

import type { LinkPlayback } from "../../contract/link/link.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";
import { addPlaybackDays } from "./playback-days.ts";

/** The player, screen and team they belong to. */
export interface PlaybackOwner {
  readonly playerId: string;
  readonly teamId: string;
  readonly screenId: string;
}

/** A SQLite statement takes at most 32,766 values. */
const rowsAtOnce = 500;

/** Returns how many are new. */
export async function keepPlaybacks(
  database: Database<ContentTables>,
  { playerId, teamId, screenId }: PlaybackOwner,
  playbacks: readonly LinkPlayback[],
  makeId: () => string,
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
    }));
  if (rows.length === 0) return 0;
  return database.transaction(async (transaction) => {
    const stored: Parameters<typeof addPlaybackDays>[1][number][] = [];
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const fresh = await transaction
        .insertInto("playbacks")
        .values(rows.slice(from, from + rowsAtOnce))
        .onConflict((on) =>
          on.columns(["player_id", "playback_id"]).doNothing(),
        )
        .returning(["team_id", "screen_id", "asset_id", "playlist_id"])
        .returning(["started_at", "ended_at"])
        .execute();
      stored.push(...fresh);
    }
    await addPlaybackDays(transaction, stored);
    return stored.length;
  });
}
