// Link rows in SQLite: the pending pairing, how far the playback log of each screen was sent, and the entries to send.

import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import { jsonFrom } from "../store/sync-rows.ts";

/** One playback of content that belongs to a connection. */
export interface LoggedPlayback {
  readonly number: number;
  readonly id: string;
  /** Local identifiers of the player. */
  readonly assetId: string;
  readonly playlistId: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface LoggedPlaybacks {
  readonly playbacks: readonly LoggedPlayback[];
  /** Number of the last row that was examined. */
  readonly upTo: number;
  /** No finished playback is left after `upTo`. */
  readonly isAll: boolean;
}

export type LinkRows = ReturnType<typeof createLinkRows>;

interface PlaybackRow {
  readonly number: number;
  readonly id: string;
  readonly asset_id: string;
  readonly playlist_id: string | null;
  readonly started_at: number;
  readonly ended_at: number;
}

export function createLinkRows(database: Sqlite) {
  const pairing = database
    .prepare<[], string>("SELECT value FROM link_pairing")
    .pluck();
  const savePairing = database.prepare(
    `INSERT INTO link_pairing (one, value) VALUES (1, ?)
     ON CONFLICT (one) DO UPDATE SET value = excluded.value`,
  );
  const dropPairing = database.prepare("DELETE FROM link_pairing");
  const memory = database
    .prepare<[string], string>("SELECT value FROM links WHERE account_id = ?")
    .pluck();
  const saveMemory = database.prepare(
    `INSERT INTO links (account_id, value) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET value = excluded.value`,
  );
  const connections = database
    .prepare<[], string>("SELECT account_id FROM links")
    .pluck();
  const forget = database.prepare("DELETE FROM links WHERE account_id = ?");
  const newest = database
    .prepare<[], number | null>("SELECT max(number) FROM plays")
    .pluck();
  // A range instead of LIKE: identifiers contain no wildcards, but the query planner cannot know that.
  const playbacks = database.prepare<
    [number, number, string, string, number, number, number],
    PlaybackRow
  >(
    `SELECT number, id, asset_id, playlist_id, started_at, ended_at FROM plays
     WHERE number > ? AND number <= ? AND asset_id >= ? AND asset_id < ?
       AND (number < ? OR ended_at < ?)
     ORDER BY number LIMIT ?`,
  );
  const countPlaybacks = database
    .prepare<[number, number, string, string], number>(
      "SELECT count(*) FROM plays WHERE number > ? AND number <= ? AND asset_id >= ? AND asset_id < ?",
    )
    .pluck();
  /** For each connection the number of playbacks after `after`, as far as they have been counted. */
  const counted = new Map<string, Counted>();

  /** Range of everything that starts with the connection's identifier and a dash: the dot is the character after the dash. */
  const ofConnection = (id: string): readonly [string, string] => [
    `${id}-`,
    `${id}.`,
  ];

  return {
    /** As it was saved: the caller validates it. Null: no pairing is pending. */
    pairing: (): unknown => {
      const text = pairing.get();
      return text === undefined ? null : jsonFrom(text);
    },
    savePairing: (value: object | null): void => {
      if (value) savePairing.run(JSON.stringify(value));
      else dropPairing.run();
    },
    /** What the link stores for this connection, as it was saved. */
    memory: (connectionId: string): unknown => {
      const text = memory.get(connectionId);
      return text === undefined ? null : jsonFrom(text);
    },
    saveMemory: (connectionId: string, value: object): void => {
      saveMemory.run(connectionId, JSON.stringify(value));
    },
    connections: (): readonly string[] => connections.all(),
    forget: (connectionId: string): void => {
      forget.run(connectionId);
    },
    /**
     * Finished playbacks of this connection after that number, oldest first; one that ended before `endedBefore` will not be
     * extended any more (V2-305). Examines a bounded number of rows: there may be more after `upTo` even if it returns fewer than
     * `limit`, or none (V2-510).
     */
    playbacks: (
      connectionId: string,
      after: number,
      limit: number,
      endedBefore: number,
    ): LoggedPlaybacks => {
      const last = newest.get() ?? 0;
      const end = after + rowsAtOnce;
      const range = [after, end, ...ofConnection(connectionId)] as const;
      const rows = playbacks.all(...range, last, endedBefore, limit);
      const lastFound = rows.at(-1)?.number ?? after;
      const isFull = rows.length >= limit;
      const isAll = !isFull && end >= last;
      return {
        isAll,
        playbacks: rows.map((row) => ({
          ...{ number: row.number, id: row.id, assetId: row.asset_id },
          playlistId: row.playlist_id,
          ...{ startedAt: row.started_at, endedAt: row.ended_at },
        })),
        // All but the newest are finished: another playback has started after them (V2-305).
        upTo: isFull ? lastFound : Math.max(lastFound, Math.min(end, last - 1)),
      };
    },
    /**
     * Each call counts a bounded number of rows and the rest follows in the background: a year of playbacks is counted within
     * moments.
     */
    playbacksAfter: (connectionId: string, after: number): number => {
      const count = countOn(connectionId, after);
      countRest(connectionId);
      return count;
    },
  };

  function countOn(connectionId: string, after: number): number {
    const before = counted.get(connectionId);
    const isBehind = before && after >= before.after && after <= before.upTo;
    const { upTo, count } = isBehind
      ? {
          upTo: before.upTo,
          count: before.count - countReported(before.after, after),
        }
      : { upTo: after, count: 0 };
    const end = Math.min(Math.max(newest.get() ?? 0, upTo), upTo + rowsAtOnce);
    const more =
      countPlaybacks.get(upTo, end, ...ofConnection(connectionId)) ?? 0;
    counted.set(connectionId, { after, upTo: end, count: count + more });
    return count + more;

    /** Playbacks sent in the meantime, a few hundred at a time. */
    function countReported(from: number, to: number): number {
      return countPlaybacks.get(from, to, ...ofConnection(connectionId)) ?? 0;
    }
  }

  function countRest(connectionId: string): void {
    const before = counted.get(connectionId);
    if (!before || before.isOnItsWay) return;
    if ((newest.get() ?? 0) <= before.upTo) return;
    counted.set(connectionId, { ...before, isOnItsWay: true });
    setImmediate(() => {
      if (!database.open) return;
      const now = counted.get(connectionId);
      if (!now) return;
      countOn(connectionId, now.after);
      countRest(connectionId);
    });
  }
}

interface Counted {
  readonly after: number;
  /** The last row counted. */
  readonly upTo: number;
  readonly count: number;
  readonly isOnItsWay?: boolean;
}

/** Takes a few milliseconds if the rows are in memory. */
const rowsAtOnce = 20_000;
