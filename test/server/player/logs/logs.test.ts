// Retention of activity and playback logs, with the row counts of a busy screen after years.

import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { createHistory } from "../../../../server/player/logs/logs.ts";
import { playerMigrations } from "../../../../server/player/migrations.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 5, 15);
const allTime = { from: null, to: null, before: null, limit: 10 };

/** Closed before its folder is removed, which Windows requires. */
async function openDatabase(): Promise<Sqlite> {
  const database = openSqlite(path.join(await temporaryFolder(), "player.db"));
  onTestFinished(() => {
    database.close();
  });
  migrateSqlite(database, playerMigrations);
  return database;
}

it("[V2-285] prunes by age past entries that are dated in the future", async () => {
  const database = await openDatabase();
  const history = createHistory({
    ...{ database, now: () => now, zone: () => "UTC" },
    writes: { put: (write) => write() },
  });
  const happen = database.prepare(
    "INSERT INTO activity (number, at, kind, what, name, says) VALUES (?, ?, 'asset', 'added', '', '')",
  );
  const yearMs = 366 * dayMs;
  // For weeks, the clock was ten years ahead.
  for (let number = 1; number <= 300; number += 1)
    happen.run(number, now + 10 * yearMs);
  happen.run(301, now - 2 * yearMs);
  happen.run(302, now - dayMs);
  happen.run(303, now + dayMs);
  happen.run(349, now - dayMs);
  history.note({ kind: "asset", what: "added", name: "New" });
  const filter = { ...allTime, kind: null, actor: null, search: null };
  const rows = await history.activity({ ...filter, limit: 1000 });
  const ahead = Array.from({ length: 300 }, (_, place) => 300 - place);
  expect(rows.map(({ number }) => number)).toEqual([
    ...[350, 349, 303, 302],
    ...ahead,
  ]);
});

it("[V2-285] keeps correct entries although the clock is years behind now, and once was at its epoch", async () => {
  const database = await openDatabase();
  const history = createHistory({
    ...{ database, now: () => now - 6 * 366 * dayMs, zone: () => "UTC" },
    writes: { put: (write) => write() },
  });
  const happen = database.prepare(
    "INSERT INTO activity (number, at, kind, what, name, says) VALUES (?, ?, 'asset', 'added', '', '')",
  );
  for (let number = 1; number <= 40; number += 1) happen.run(number, now);
  happen.run(49, 0);
  for (let count = 0; count < 100; count += 1)
    history.note({ kind: "asset", what: "added", name: "New" });
  const { kept } = database
    .prepare<[number], { kept: number }>(
      "SELECT count(*) AS kept FROM activity WHERE at = ?",
    )
    .get(now) ?? { kept: 0 };
  expect(kept).toBe(40);
});

it("[V2-794] searches what people see of an entry, values of changes included, and not how they are stored", async () => {
  const database = await openDatabase();
  const history = createHistory({
    ...{ database, now: () => now, zone: () => "UTC" },
    writes: { put: (write) => write() },
  });
  const change = (before: string | number | boolean, after: string) =>
    history.note({
      ...{ kind: "asset", what: "changed", name: "Menu" },
      changes: [{ field: "description", before, after }],
    });
  change('Soup "of the day"', "Line one\nline two");
  change(4711, "Bread");
  change(true, "Cake");
  const found = async (search: string) =>
    (
      await history.activity({ ...allTime, kind: null, actor: null, search })
    ).map(({ number }) => number);
  expect(await found('soup "OF')).toEqual([1]);
  expect(await found("one\nLINE")).toEqual([1]);
  expect(await found("4711")).toEqual([2]);
  expect(await found("menu")).toEqual([3, 2, 1]);
  for (const stored of ["before", "field", "description", "\\n", '":"', "1"])
    expect([stored, await found(stored)]).toEqual([
      stored,
      stored === "1" ? [2] : [],
    ]);
});

it("[V2-815] keeps no secrets of names that are addresses", async () => {
  const database = await openDatabase();
  const history = createHistory({
    ...{ database, now: () => now, zone: () => "UTC" },
    writes: { put: (write) => write() },
  });
  const names = {
    "anna:secret@example.org/menu?token=secret": "…@example.org/menu?…",
    "example.org/#secret": "example.org/?…",
    "https://example.org#secret": "https://example.org?…",
    "secret@example.org/": "…@example.org/",
    "rtsp://anna:secret@10.0.0.1:554/live": "rtsp://…@10.0.0.1:554/live",
    "localhost:8080/?key=secret": "localhost:8080/?…",
    ...Object.fromEntries(
      [
        ...["logo@2x.png", "Sale? 50%!", "Why? Because.", "Menu #2.1 @ noon"],
        ...["C#", "example.org/a", "v1.2", "Menu.v2#1", "Lunch"],
      ].map((name) => [name, name]),
    ),
  };
  for (const [id, name] of Object.keys(names).entries()) {
    history.note({ kind: "asset", what: "added", name });
    history.noteShown({
      ...{ id: `${id}`, assetId: `${id}`, name, playlist: null, reason: "" },
      ...{ startedAt: 0, endedAt: 10 },
    });
  }
  const all = { ...allTime, limit: 100 };
  const named = (rows: readonly { readonly name: string }[]) =>
    rows.map(({ name }) => name).toReversed();
  const filter = { ...all, kind: null, actor: null, search: null };
  const expected = Object.values(names);
  expect(named(await history.activity(filter))).toEqual(expected);
  const playbacks = await history.playbacks({ ...all, assetId: null });
  expect(named(playbacks)).toEqual(expected);
  expect(
    JSON.stringify(history.days("1970-01-01", "1970-01-01")),
  ).not.toContain("secret");
});

it("[V2-285] keeps events for a year, the newest 2,000,000 playback entries, and the daily counts for ever", async () => {
  const database = await openDatabase();
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
  const database = await openDatabase();
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
});
