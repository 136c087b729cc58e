// Very many rows block nothing: lookups are immediate or work in slices.

import { describe, expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import { createLibrary } from "../../../server/player/library/library.ts";
import { createLinkRows } from "../../../server/player/sync/link-client/link-rows.ts";
import { playerMigrations } from "../../../server/player/migrations.ts";

/** Counts the statements executed by the callback. */
function statementsOf(statements: readonly string[], act: () => void): number {
  const before = statements.length;
  act();
  return statements.length - before;
}

function watched(): { database: Sqlite; statements: string[] } {
  const statements: string[] = [];
  const plain = openSqlite(":memory:");
  migrateSqlite(plain, playerMigrations);
  const prepare = plain.prepare.bind(plain) as (sql: string) => object;
  const prepareWatched = (sql: string): object => {
    const note = (): void => void statements.push(sql);
    const watching = (statement: object): object =>
      new Proxy(statement, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          return (...words: unknown[]): unknown => {
            if (["get", "all", "run"].includes(String(name))) note();
            const answer: unknown = Reflect.apply(value, target, words);
            return answer === target ? watching(target) : answer;
          };
        },
      });
    return watching(prepare(sql));
  };
  return {
    database: Object.assign(plain, { prepare: prepareWatched }),
    statements,
  };
}

/**
 * This many playback entries; the odd-numbered ones are of this connection's assets, from `first` on; the newest ends at its
 * number.
 */
function playbacksOf(connection: string, count: number, first = 1): Sqlite {
  const database = openSqlite(":memory:");
  migrateSqlite(database, playerMigrations);
  database
    .prepare(
      `WITH RECURSIVE counted (number) AS
         (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < ?)
       INSERT INTO plays (number, id, asset_id, name, reason, started_at, ended_at)
       SELECT number, 'p' || number, iif(number % 2 AND number >= ?, ? || '-x', 'other'), '', '', number, number FROM counted`,
    )
    .run(count, first, connection);
  return database;
}

describe("very many rows", () => {
  it("[V2-16] cost one query for a unique name, however many numbers are in use", () => {
    const { database, statements } = watched();
    let createdCount = 0;
    const library = createLibrary({
      ...{ database, now: () => 0 },
      makeId: () => String((createdCount += 1)).padStart(32, "0"),
    });
    const draft = {
      ...{ name: "Lobby", uri: "https://example.org/", mimetype: "webpage" },
      ...{ startsAt: 0, endsAt: 1, durationSeconds: 10, isEnabled: true },
    };
    const costs = Array.from({ length: 50 }, () =>
      statementsOf(statements, () => void library.create(draft)),
    );
    expect(costs.at(-1)).toBe(costs[1]);
    const names = library.assets().map(({ name }) => name);
    expect(names).toContain("Lobby-49");
  });

  it("[V2-305] are counted in slices until all are counted", async () => {
    const connection = "a".repeat(32);
    const database = playbacksOf(connection, 100_000);
    const rows = createLinkRows(database);
    expect(rows.playbacksAfter(connection, 0)).toBe(10_000);
    await expect.poll(() => rows.playbacksAfter(connection, 0)).toBe(50_000);
    expect(rows.playbacksAfter(connection, 300)).toBe(49_850);
    // A service that lost them receives them again.
    expect(rows.playbacksAfter(connection, 100)).toBeLessThan(49_950);
    await expect.poll(() => rows.playbacksAfter(connection, 100)).toBe(49_950);
    database.close();
  });

  it("[V2-510] of others are scanned in slices for the playback entries of one connection, and none of its own is skipped", () => {
    const connection = "a".repeat(32);
    const database = playbacksOf(connection, 50_000, 40_001);
    const rows = createLinkRows(database);
    const endedBefore = Number.MAX_SAFE_INTEGER;
    expect(rows.playbacks(connection, 0, 1000, endedBefore)).toEqual({
      ...{ playbacks: [], upTo: 20_000, isAll: false },
    });
    const collected: number[] = [];
    for (let [after, isAll] = [0, false]; !isAll;) {
      const next = rows.playbacks(connection, after, 1000, endedBefore);
      collected.push(...next.playbacks.map(({ number }) => number));
      expect(next.upTo).toBeGreaterThanOrEqual(after);
      ({ isAll, upTo: after } = next);
    }
    expect(collected).toEqual(
      Array.from({ length: 5000 }, (_, place) => 40_001 + 2 * place),
    );
    // The newest of all may still be playing: it is not reported, and is checked again.
    database.exec("DELETE FROM plays WHERE number > 49999");
    expect(rows.playbacks(connection, 49_990, 1000, 0)).toMatchObject({
      ...{ upTo: 49_998, isAll: true },
      playbacks: [{ number: 49_991 }, {}, {}, { number: 49_997 }],
    });
    database.close();
  });
});
