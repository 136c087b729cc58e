// Partitions of the playback log and the deletion of old playbacks, on both databases.

import { expect, inject, it } from "vitest";
import { sql } from "kysely";
import { addTeam } from "../../../../server/content/access/teams.ts";
import {
  createPartitions,
  dropPartitions,
} from "../../../../server/content/link/playbacks/playback-partitions.ts";
import { createPlaybackRetention } from "../../../../server/content/link/playbacks/playback-retention.ts";
import { keepPlaybacks } from "../../../../server/content/link/playbacks/playbacks.ts";
import { readContentConfig } from "../../../../server/content/config.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import { dayMs } from "../../../../server/core/wall-clock.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  playbackOf,
} from "../../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";
import { makeUlid } from "../../../support/database/each-database.ts";
import { oneDatabase } from "../../../support/database/one-database.ts";

const now = Date.UTC(2026, 11, 24, 12);
const owner = { playerId: "P", teamId: "T", screenId: "S" };
const log = createLog({ toStandardOutput: false });
const isoOf = (moment: number): string => new Date(moment).toISOString();

async function withTeams(database: Database<ContentTables>) {
  for (const id of ["T", "U"])
    await addTeam(database.kysely, {
      ...{ id, name: id, labelId: `ALL${id}`, moment: 0 },
    });
  return database;
}

/** One playback per moment, with the moment as its identifier. */
function keep(
  database: Database<ContentTables>,
  moments: readonly number[],
  { as = owner, since = -Infinity } = {},
): Promise<number> {
  const sent = moments.map((moment) =>
    playbackOf("A", { id: String(moment), started_at: isoOf(moment) }),
  );
  return keepPlaybacks(database, as, sent, () => makeUlid(now), since);
}

/** When each began, in the table that holds it. */
async function storedIn(database: Database<ContentTables>) {
  const { rows } = await sql<{ name: string; at: number }>`
    SELECT tableoid::regclass::text AS name, started_at AS at FROM playbacks ORDER BY started_at`.execute(
    database.kysely,
  );
  return rows.map(({ name, at }) => [name, at] as const);
}

const startsOf = async (database: Database<ContentTables>) =>
  (
    await database.kysely
      .selectFrom("playbacks")
      .select("started_at")
      .orderBy("started_at")
      .execute()
  ).map(({ started_at }) => Number(started_at));

const countedDays = async (database: Database<ContentTables>) =>
  (
    await database.kysely
      .selectFrom("playback_days")
      .select(["day", "playbacks"])
      .orderBy("day")
      .execute()
  ).map(({ day, playbacks }) => [day, Number(playbacks)] as const);

/** As a service with this configuration: until it has found nothing more to delete. */
async function deleteOld(
  database: Database<ContentTables>,
  days: number,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const retention = createPlaybackRetention({
    ...{ database, log, now: () => now, playbackDaysKept: days },
    playbackCheckMs: 20,
  });
  retention.start();
  try {
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true);
  } finally {
    await retention.stop();
  }
}

it("[V4-387] playbacks are kept for 31 days or more, or all of them", () => {
  const read = (days: string) =>
    readContentConfig(["--data-dir", "x", "--playback-days-kept", days], {});
  expect(["0", "31", "400"].map((days) => read(days).ok)).toEqual([
    ...[true, true, true],
  ]);
  expect(["30", "-1", "all", "36501"].map((days) => read(days).ok)).toEqual([
    ...[false, false, false, false],
  ]);
  const usual = readContentConfig(["--data-dir", "x"], {});
  expect(usual.ok && usual.value.playbackDaysKept).toBe(0);
});

it.skipIf(inject("postgresUrl") === "")(
  "[V4-385] several instances create each month once; earlier and odd ones stay where they are, and nothing is stored twice",
  async () => {
    const open = await oneDatabase("postgres");
    const database = await withTeams(open());
    const november = Date.UTC(2026, 10, 30);
    const moments = [
      ...[0, november, now, Date.UTC(2027, 0, 1), Date.UTC(2027, 1, 28)],
      Date.UTC(2199, 5, 1),
    ];
    // Before the update, without partitions: the first three.
    expect(await keep(database, moments.slice(0, 3))).toBe(3);
    const created = await Promise.all(
      [database, open(), open()].map((each) => createPartitions(each, now)),
    );
    expect(created.flat().sort()).toEqual([
      ...["playbacks_2026_12", "playbacks_2027_01", "playbacks_2027_02"],
    ]);
    expect(await createPartitions(database, now)).toEqual([]);
    // All of them once more, each twice at once, and one with another time.
    const stored = await Promise.all([
      ...[keep(database, moments), keep(open(), moments)],
      keepPlaybacks(
        database,
        owner,
        [
          playbackOf("A", {
            ...{ id: String(moments[0]), started_at: isoOf(now) },
          }),
        ],
        () => makeUlid(now),
      ),
    ]);
    expect(stored.reduce((a, b) => a + b)).toBe(3);
    expect(await storedIn(database)).toEqual([
      ...[["playbacks", 0] as const, ["playbacks", november] as const],
      ...[["playbacks", now] as const],
      ["playbacks_2027_01", moments[3]],
      ["playbacks_2027_02", moments[4]],
      ["playbacks", moments[5]],
    ]);
    // Of another player, this month's is in its partition. Both are deleted with their teams.
    const other = { playerId: "Q", teamId: "U", screenId: "R" };
    await keep(database, [now, 0], { as: other });
    expect(await storedIn(database)).toContainEqual(["playbacks_2026_12", now]);
    await database.kysely.deleteFrom("teams").where("id", "=", "U").execute();
    expect(await startsOf(database)).toEqual(moments);
    await database.kysely.deleteFrom("teams").execute();
    expect(await startsOf(database)).toEqual([]);
  },
);

it.skipIf(inject("postgresUrl") === "")(
  "[V4-386] drops months that are old as a whole, once all of it is in the totals, and waits for nobody for long",
  async () => {
    const open = await oneDatabase("postgres");
    const database = await withTeams(open());
    await createPartitions(database, Date.UTC(2026, 3, 10));
    const [april, may, june] = [3, 4, 5].map((month) =>
      Date.UTC(2026, month, 1),
    ) as [number, number, number];
    await keep(database, [april, may, june - 1, june]);
    await sql`UPDATE playbacks SET is_counted = FALSE WHERE started_at = ${may}`.execute(
      database.kysely,
    );
    // May is not over, and then it is not counted.
    expect(await dropPartitions(database, june - 1)).toEqual([
      "playbacks_2026_04",
    ]);
    expect(await dropPartitions(database, june)).toEqual([]);
    await sql`UPDATE playbacks SET is_counted = TRUE`.execute(database.kysely);
    // A long list reads the table: it is dropped later.
    const reading = open().readInPieces(
      [{ text: "SELECT id FROM playbacks", values: [] }],
      1,
    );
    await reading.next();
    await expect(dropPartitions(database, june)).rejects.toMatchObject({
      sqlState: "55P03",
    });
    await reading.return(undefined);
    const dropped = await Promise.all(
      [database, open()].map((each) => dropPartitions(each, june)),
    );
    expect(dropped.flat()).toEqual(["playbacks_2026_05"]);
    expect(await startsOf(database)).toEqual([june]);
  },
);

it.each(["sqlite", ...(inject("postgresUrl") === "" ? [] : ["postgres"])] as (
  | "sqlite"
  | "postgres"
)[])(
  "[V4-386] [V4-387] deletes what is old in steps and never stores it again; totals stay, on %s",
  async (kind) => {
    const open = await oneDatabase(kind);
    const database = await withTeams(open());
    const lately = [now - 398 * dayMs, now - dayMs, Date.UTC(2199, 5, 1)];
    const old = Array.from(
      { length: 1200 },
      (_, at) => now - 500 * dayMs + at * 1000,
    );
    await keep(database, [...old, ...lately]);
    const days = await countedDays(database);
    // Not in the totals yet: deleted only after that.
    const uncounted = { ...{ id: "U", team_id: "U", player_id: "Q" } };
    await database.kysely
      .insertInto("playbacks")
      .values({
        ...{ ...uncounted, playback_id: "1", screen_id: "S", asset_id: "A" },
        ...{ playlist_id: null, started_at: 1, ended_at: 2 },
      })
      .execute();
    await deleteOld(
      database,
      400,
      async () => (await startsOf(database)).length === lately.length + 1,
    );
    expect(await startsOf(database)).toEqual([1, ...lately]);
    expect(await countedDays(database)).toEqual(days);
    // The player sends everything again.
    const since = now - 400 * dayMs;
    expect(await keep(database, [...old, ...lately], { since })).toBe(0);
    expect(await countedDays(database)).toEqual(days);
  },
);

eachContent(({ kind, ground }) => {
  it("[V4-385] [V4-387] a service stores this month in its partition, and nothing that is too old", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, {
      ...{ databaseUrl, playbackDaysKept: 31 },
    });
    const client = clientV3(content.address, contentKey);
    const player = await claimedPlayer(client);
    const opened = await openedLike(kind, databaseUrl);
    if (opened)
      await expect
        .poll(async () => (await partitionsIn(opened)).length)
        .toBe(3);
    const started_at = new Date().toISOString();
    const recent = new Date(Date.now() - 30 * dayMs).toISOString();
    const answer = await player.send([
      ...[playbackOf("A", { started_at }), playbackOf("B"), playbackOf("B")],
      playbackOf("C", { started_at: recent }),
    ]);
    expect(await answer.json()).toEqual({ stored: 2 });
    const listed = (await client.get("/playbacks")) as { asset_id: string }[];
    expect(listed.map(({ asset_id }) => asset_id)).toEqual(["A", "C"]);
    if (opened)
      expect((await storedIn(opened)).map(([name]) => name)).toContain(
        `playbacks_${started_at.slice(0, 7).replace("-", "_")}`,
      );
  });
});

async function openedLike(kind: string, url: string | undefined) {
  if (kind !== "postgres" || url === undefined) return null;
  const database = openPostgres<ContentTables>(url, { connections: 1 });
  afterThisTest(() => database.close());
  return database;
}

async function partitionsIn({ kysely }: Database<ContentTables>) {
  const { rows } = await sql`
    SELECT inhrelid FROM pg_inherits WHERE inhparent = 'playbacks'::regclass`.execute(
    kysely,
  );
  return rows;
}
