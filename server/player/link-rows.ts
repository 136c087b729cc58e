// The rows of a link in SQLite: who waits to be claimed, how far each screen's plays are told, and those plays.

import type { Sqlite } from "../platform/sqlite.ts";
import { jsonFrom } from "./sync-json.ts";

interface PlayRow {
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
  const accounts = database
    .prepare<[], string>("SELECT account_id FROM links")
    .pluck();
  const forget = database.prepare("DELETE FROM links WHERE account_id = ?");
  const newest = database
    .prepare<[], number | null>("SELECT max(number) FROM plays")
    .pluck();
  // A range instead of LIKE: an identifier holds no wildcards, but the planner need not know.
  const plays = database.prepare<
    [number, string, string, number, number, number],
    PlayRow
  >(
    `SELECT number, id, asset_id, playlist_id, started_at, ended_at FROM plays
     WHERE number > ? AND asset_id >= ? AND asset_id < ?
       AND (number < ? OR ended_at < ?)
     ORDER BY number LIMIT ?`,
  );
  const countPlays = database
    .prepare<[number, string, string], number>(
      "SELECT count(*) FROM plays WHERE number > ? AND asset_id >= ? AND asset_id < ?",
    )
    .pluck();

  /** Everything that begins with the account's identifier and a dash: the dot is the letter behind it. */
  const ofAccount = (id: string): readonly [string, string] => [
    `${id}-`,
    `${id}.`,
  ];

  return {
    pairing: (): unknown => {
      const text = pairing.get();
      return text === undefined ? null : jsonFrom(text);
    },
    savePairing: (value: object | null): void => {
      if (value) savePairing.run(JSON.stringify(value));
      else dropPairing.run();
    },
    memory: (accountId: string): unknown => {
      const text = memory.get(accountId);
      return text === undefined ? null : jsonFrom(text);
    },
    saveMemory: (accountId: string, value: object): void => {
      saveMemory.run(accountId, JSON.stringify(value));
    },
    accounts: (): readonly string[] => accounts.all(),
    forget: (accountId: string): void => {
      forget.run(accountId);
    },
    plays: (
      accountId: string,
      after: number,
      limit: number,
      settled: number,
    ) => {
      const last = newest.get() ?? 0;
      const found = plays.all(
        ...([after, ...ofAccount(accountId), last, settled, limit] as const),
      );
      const end = found.at(-1)?.number ?? after;
      // What is not the newest of all is over: the next one began behind it (V2-305).
      const isAll = found.length < limit;
      return {
        plays: found.map((row) => ({
          ...{ number: row.number, id: row.id, assetId: row.asset_id },
          playlistId: row.playlist_id,
          ...{ startedAt: row.started_at, endedAt: row.ended_at },
        })),
        upTo: isAll ? Math.max(end, after, last - 1) : end,
      };
    },
    playsAfter: (accountId: string, after: number): number =>
      countPlays.get(after, ...ofAccount(accountId)) ?? 0,
  };
}
