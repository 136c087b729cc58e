// Retention of activity and playback logs, with the row counts of a busy screen after years.

import path from "node:path";
import { expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { createHistory } from "../../../../server/player/logs/logs.ts";
import { playerMigrations } from "../../../../server/player/migrations.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 5, 15);
const allTime = { from: null, to: null, before: null, limit: 10 };

it("[V2-285] keeps events for a year, the newest 2,000,000 playback entries, and the daily counts for ever", async () => {
  const database = openSqlite(path.join(await temporaryFolder(), "player.db"));
  migrateSqlite(database, playerMigrations);
  const history = createHistory({
    ...{ database, now: () => now, zone: () => "UTC" },
    writes: { put: (write) => write() },
  });
  const happen = database.prepare(
    "INSERT INTO activity (number, at, kind, what, name, says) VALUES (?, ?, 'asset', 'added', ?, '')",
  );
  const show = database.prepare(
    `INSERT INTO plays (number, id, asset_id, name, reason, started_at, ended_at)
     VALUES (?, ?, 'a', 'Old', '', 0, 0)`,
  );
  database
    .prepare("INSERT INTO play_days VALUES ('1970-01-01', 'a', 'Old', 3, 30)")
    .run();
  // Expired rows are looked for at every fiftieth entry, and playbacks at every thousandth.
  for (const [number, days] of [
    ...([
      [900, 400],
      [901, 367],
      [902, 365],
      [100_999, 1],
    ] as const),
  ])
    happen.run(number, now - days * dayMs, "Old");
  for (const number of [1000, 1001, 2_000_999]) show.run(number, `p${number}`);

  history.note({ kind: "asset", what: "added", name: "New" });
  history.noteShown({
    ...{ id: "new", assetId: "b", name: "New", playlist: null, reason: "" },
    ...{ startedAt: 0, endedAt: 10 },
  });

  const numbers = (rows: readonly { readonly number: number }[]) =>
    rows.map(({ number }) => number);
  const activity = { ...allTime, kind: null, actor: null, search: null };
  expect(numbers(await history.activity(activity))).toEqual([
    ...[101_000, 100_999, 902],
  ]);
  expect(
    numbers(await history.playbacks({ ...allTime, assetId: null })),
  ).toEqual([...[2_001_000, 2_000_999, 1001]]);
  expect(
    history
      .days("1970-01-01", "1970-01-01")
      .map(({ name, playbacks }) => [name, playbacks]),
  ).toEqual([
    ["New", 1],
    ["Old", 3],
  ]);
  database.close();
});

it("[V2-357] finds rare entries among 100,000 playback entries without blocking", async () => {
  const database = openSqlite(":memory:");
  migrateSqlite(database, playerMigrations);
  const history = createHistory({
    ...{ database, now: () => 0, zone: () => "UTC" },
    writes: { put: (write) => write() },
  });
  database.exec(`
    WITH RECURSIVE counted (number) AS
      (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 100000)
    INSERT INTO plays (number, id, asset_id, name, reason, started_at, ended_at)
    SELECT number, 'p' || number, iif(number IN (5, 50000), 'rare', 'a'), '', '', number, number FROM counted`);
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    rounds += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const rare = await history.playbacks({ ...allTime, assetId: "rare" });
  isDone = true;
  expect(rare.map(({ number }) => number)).toEqual([50_000, 5]);
  expect(rounds).toBeGreaterThanOrEqual(4);
  const behind = { ...allTime, assetId: "rare", before: 50_000 };
  expect(await history.playbacks(behind)).toMatchObject([{ number: 5 }]);
  const long = { ...allTime, assetId: null, from: 3, to: 6 };
  const numbers = (await history.playbacks(long)).map(({ number }) => number);
  expect(numbers).toEqual([5, 4, 3]);
  database.close();
});

it("writes what is noted together in one transaction, in that order", async () => {
  const database = openSqlite(path.join(await temporaryFolder(), "player.db"));
  migrateSqlite(database, playerMigrations);
  let writes = 0;
  const history = createHistory({
    ...{ database, now: () => 0, zone: () => "UTC" },
    writes: {
      put: (write) => {
        writes += 1;
        write();
      },
    },
  });
  const added = ["One", "Two", "Three"].map(
    (name) => ({ kind: "asset", what: "added", name }) as const,
  );
  history.note(...added);
  history.note();
  expect(writes).toBe(1);
  const activity = { ...allTime, kind: null, actor: null, search: null };
  expect((await history.activity(activity)).map(({ name }) => name)).toEqual([
    ...["Three", "Two", "One"],
  ]);
  database.close();
});
