// Playbacks of all screens added up, against random playbacks counted again by hand, on both databases.

import fc from "fast-check";
import { expect, it } from "vitest";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { addEarlierPlaybacks } from "../../../../server/content/link/playbacks/playback-days.ts";
import { createPartitions } from "../../../../server/content/link/playbacks/playback-partitions.ts";
import { keepPlaybacks } from "../../../../server/content/link/playbacks/playbacks.ts";
import {
  playbackGroupings,
  playbackTotalV3,
  type PlaybackGrouping,
  type PlaybackTotalV3,
} from "../../../../server/contract/v3/v3-playback-report.ts";
import { eachV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  playbackOf,
} from "../../../support/content/linked-player.ts";
import { v3Alone } from "../../../support/content/v3-alone.ts";
import {
  eachDatabase,
  makeUlid,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";
import { assertEnded } from "../../../support/fuzz/assert-ended.ts";
import { runSettings } from "../../../support/fuzz/run-settings.ts";
import { serveExpress } from "../../../support/http/serve-express.ts";

const now = Date.UTC(2026, 4, 20);
const screens = ["S1", "S2", "S3", "GONE"];
const groups: Readonly<Record<string, readonly string[]>> = {
  ...{ G1: ["S1", "S2"], G2: ["S2"] },
};
/** Of what is still there. */
const names: Readonly<Record<string, string>> = {
  ...{ S1: "Lobby", S2: "Canteen", S3: "Hall", G1: "Group 1", G2: "Group 2" },
  ...{ A: "Menu", B: "Soup", P: "Lunch" },
};
const zones = [
  ...["UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati"],
  ...["", "Mars/Base"],
];

async function serve(any: AnyDatabase) {
  const database = await any.open();
  const { kysely } = database;
  const team = makeUlid(0);
  const other = makeUlid(0);
  for (const id of [team, other])
    await addTeam(kysely, {
      ...{ id, name: id, labelId: `ALL${id}`, moment: 0 },
    });
  const row = (id: string) => ({
    ...{ id, team_id: team, created_at: 0 },
  });
  const nameOf = (id: string): string => names[id] ?? "";
  for (const id of ["S1", "S2", "S3"])
    await kysely
      .insertInto("screens")
      .values({ ...row(id), name: nameOf(id) })
      .execute();
  for (const [id, members] of Object.entries(groups)) {
    await kysely
      .insertInto("labels")
      .values({ ...row(id), name: nameOf(id), human_name: "" })
      .execute();
    for (const screen_id of members)
      await kysely
        .insertInto("label_screen")
        .values({
          ...{ row_id: makeUlid(0), team_id: team, label_id: id, screen_id },
          created_at: 0,
        })
        .execute();
  }
  for (const id of ["A", "B"])
    await kysely
      .insertInto("assets")
      .values({ ...row(id), title: nameOf(id) })
      .execute();
  await kysely
    .insertInto("playlists")
    .values({ ...row("P"), title: nameOf("P") })
    .execute();
  const router = v3Alone({ database, now: () => now, makeId: () => "" });
  const url = `${await serveExpress(router, ({ headers }) => headers["x-team"] ?? team)}/v3`;
  const report = async (
    query: readonly (readonly [string, string])[],
    as = team,
  ): Promise<readonly PlaybackTotalV3[]> => {
    const search = new URLSearchParams(query.map(([a, b]) => [a, b]));
    const answer = await fetch(`${url}/playbacks/report?${search}`, {
      headers: { "X-Team": as },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return playbackTotalV3.array().parse(JSON.parse(text));
  };
  return { database, team, other, report };
}

interface Played {
  readonly id: string;
  readonly screen: string;
  readonly asset: string;
  readonly playlist: string | null;
  readonly startedMs: number;
  readonly durationMs: number;
}

/** One that was stored, in the time zone in which its day is counted. */
interface Counted extends Played {
  readonly zone: string;
}

const played: fc.Arbitrary<Played> = fc.record({
  // The same identifier is sent again, even for another playback.
  id: fc.integer({ min: 0, max: 30 }).map(String),
  screen: fc.constantFrom(...screens),
  asset: fc.constantFrom("A", "B", "DELETED"),
  playlist: fc.constantFrom("P", "Q", null),
  startedMs: fc.oneof(
    fc.integer({ min: now - 4 * 86_400_000, max: now }),
    // A clock that is years off.
    fc.constantFrom(0, Date.UTC(2019, 11, 31, 23, 59), Date.UTC(2199, 0, 1)),
  ),
  durationMs: fc.oneof(
    fc.constant(10_000),
    fc.integer({ min: 0, max: 20_000 }),
    // Of a clock that was set while it lasted.
    fc.constant(9 * 365 * 86_400_000),
  ),
});

type Step =
  | { readonly what: "batch"; readonly all: readonly Played[] }
  /** Stored before there were totals, or by an instance of an earlier version. */
  | { readonly what: "earlier"; readonly all: readonly Played[] }
  | { readonly what: "zone"; readonly screen: string; readonly zone: string }
  | { readonly what: "add-earlier" };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constant("batch" as const),
        all: fc.array(played, { maxLength: 12 }),
      }),
    },
    fc.record({
      what: fc.constant("earlier" as const),
      all: fc.array(played, { maxLength: 6 }),
    }),
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant("zone" as const),
        screen: fc.constantFrom("S1", "S2", "S3"),
        zone: fc.constantFrom(...zones),
      }),
    },
    fc.constant({ what: "add-earlier" as const }),
  ),
  { maxLength: 12 },
);

const some = <T extends string>(all: readonly T[]) =>
  fc.option(fc.subarray([...all], { minLength: 1 }), { nil: undefined });
const query = fc.record({
  by: fc.subarray([...playbackGroupings], { minLength: 1 }),
  screen: some(screens),
  group: some([...Object.keys(groups), "none"]),
  asset: some(["A", "DELETED"]),
  playlist: some(["P", "Q"]),
  days: fc.constantFrom(
    ...([
      ["2026-05-10", "2026-05-21"],
      ["2026-05-18", "2026-05-18"],
      ["1969-12-01", "1970-02-01"],
      ["2019-12-31", "2020-01-01"],
      ["2198-12-31", "2199-01-02"],
      ["2026-05-21", "2026-05-10"],
    ] as const),
  ),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

function dayOf({ startedMs, zone }: Counted): string {
  const isKnown = zone !== "" && zone !== "Mars/Base";
  return new Intl.DateTimeFormat("en-CA", {
    ...({ year: "numeric", month: "2-digit", day: "2-digit" } as const),
    timeZone: isKnown ? zone : "UTC",
  }).format(startedMs);
}

const weekMs = 7 * 86_400_000;

/** By the text of what it is grouped by. */
function byHand(
  all: readonly Counted[],
  { by, screen, group, asset, playlist, days: [from, to] }: Query,
): ReadonlyMap<string, { playbacks: number; ms: number }> {
  const isIn = (keys: readonly string[] | undefined, one: string | null) =>
    keys === undefined || (one !== null && keys.includes(one));
  const groupsOf = (one: string): readonly (string | null)[] => {
    const ids = Object.keys(groups).filter((id) => groups[id]?.includes(one));
    return ids.length === 0 ? [null] : ids;
  };
  const totals = new Map<string, { playbacks: number; ms: number }>();
  for (const each of all) {
    const day = dayOf(each);
    if (day < from || day > to) continue;
    if (!isIn(screen, each.screen) || !isIn(asset, each.asset)) continue;
    if (!isIn(playlist, each.playlist)) continue;
    if (group && !group.some((id) => groups[id]?.includes(each.screen)))
      continue;
    const places = by.includes("group") ? groupsOf(each.screen) : [null];
    for (const place of places) {
      const values: Readonly<Record<PlaybackGrouping, string | null>> = {
        ...{ day, screen: each.screen, group: place },
        ...{ asset: each.asset, playlist: each.playlist },
      };
      const key = JSON.stringify(by.map((one) => values[one]));
      const total = totals.get(key) ?? { playbacks: 0, ms: 0 };
      total.playbacks += 1;
      total.ms += Math.min(each.durationMs, weekMs);
      totals.set(key, total);
    }
  }
  return totals;
}

eachDatabase((any) => {
  it("[V3-87] [L-52] [V4-385] equals what is counted by hand, whatever is sent twice, late, before the totals, or in other time zones", async () => {
    const { database, team, other, report } = await serve(any);
    const { kysely } = database;
    const makeId = () => makeUlid(now);
    // Some of them are in a partition, the others are not.
    if (any.kind === "postgres") await createPartitions(database, now);
    await assertEnded(
      fc.asyncProperty(steps, query, async (all, asked) => {
        await kysely.deleteFrom("playbacks").execute();
        await kysely.deleteFrom("playback_days").execute();
        await kysely.updateTable("screens").set({ timezone: "UTC" }).execute();
        const zoneOf = new Map<string, string>();
        const known = new Set<string>();
        const counted: Counted[] = [];
        let earlier: Played[] = [];
        const count = (one: Played) =>
          counted.push({ ...one, zone: zoneOf.get(one.screen) ?? "UTC" });
        const isNew = ({ screen, id }: Played): boolean => {
          const key = `${screen} ${id}`;
          if (known.has(key)) return false;
          known.add(key);
          return true;
        };
        for (const step of [...all, { what: "add-earlier" } as const])
          if (step.what === "zone") {
            zoneOf.set(step.screen, step.zone);
            await kysely
              .updateTable("screens")
              .set({ timezone: step.zone })
              .where("id", "=", step.screen)
              .execute();
          } else if (step.what === "add-earlier") {
            await Promise.all([
              ...[addEarlierPlaybacks(database), addEarlierPlaybacks(database)],
            ]);
            for (const one of earlier) count(one);
            earlier = [];
          } else if (step.what === "earlier") {
            const fresh = step.all.filter(isNew);
            for (const one of fresh)
              await kysely
                .insertInto("playbacks")
                .values({
                  ...{ id: makeId(), team_id: team, player_id: one.screen },
                  ...{ playback_id: one.id, screen_id: one.screen },
                  ...{ asset_id: one.asset, playlist_id: one.playlist },
                  started_at: one.startedMs,
                  ended_at: one.startedMs + one.durationMs,
                })
                .execute();
            earlier.push(...fresh);
          } else
            for (const screenId of screens) {
              const own = step.all.filter(({ screen }) => screen === screenId);
              const owner = { playerId: screenId, teamId: team, screenId };
              const sent = own.map((one) => ({
                ...{ id: one.id, asset_id: one.asset },
                playlist_id: one.playlist,
                started_at: new Date(one.startedMs).toISOString(),
                ended_at: new Date(
                  one.startedMs + one.durationMs,
                ).toISOString(),
              }));
              // The same request twice at once.
              const stored = await Promise.all([
                keepPlaybacks(database, owner, sent, makeId),
                keepPlaybacks(database, owner, sent, makeId),
              ]);
              const fresh = own.filter(isNew);
              fresh.forEach(count);
              expect((stored[0] ?? 0) + (stored[1] ?? 0)).toBe(fresh.length);
            }
        const whole: Query = {
          ...{ by: ["day", "screen", "asset", "playlist"] },
          ...{ screen: undefined, group: undefined, asset: undefined },
          ...{ playlist: undefined, days: ["2026-05-10", "2026-05-21"] },
        };
        for (const each of [whole, asked]) await assertEqual(each, counted);
      }),
      { ...runSettings, numRuns: runSettings.numRuns / 3 },
    );
    expect(await report([["from", "2026-05-01"]], other)).toEqual([]);

    async function assertEqual(
      asked: Query,
      counted: readonly Counted[],
    ): Promise<void> {
      const { days, by, ...filters } = asked;
      const rows = await report([
        ...by.map((one) => ["by", one] as const),
        ...Object.entries(filters).flatMap(([name, values]) =>
          (values ?? []).map((value) => [name, value] as const),
        ),
        ...([
          ["from", days[0]],
          ["to", days[1]],
        ] as const),
      ]);
      const field = (row: PlaybackTotalV3, of: PlaybackGrouping) =>
        of === "day" ? row.day : row[`${of}_id`];
      const expected = byHand(counted, asked);
      expect(
        new Map(
          rows.map((row) => [
            JSON.stringify(by.map((one) => field(row, one))),
            {
              playbacks: row.playbacks,
              ms: Math.round(row.duration_seconds * 1000),
            },
          ]),
        ),
      ).toEqual(expected);
      expect(rows).toHaveLength(expected.size);
      for (const row of rows) {
        const shown = [
          [row.screen_id, row.screen_name],
          [row.group_id, row.group_name],
          [row.asset_id, row.asset_title],
          [row.playlist_id, row.playlist_title],
        ] as const;
        for (const [id, name] of shown)
          if (id !== undefined) expect(name).toBe(names[id ?? ""] ?? null);
      }
    }
  });

  it("[L-52] playbacks and their totals are stored together or not at all", async () => {
    const { database, team } = await serve(any);
    const { kysely } = database;
    const owner = { playerId: "S1", teamId: team, screenId: "S1" };
    await kysely.schema
      .alterTable("playback_days")
      .renameTo("playback_days_away")
      .execute();
    const send = () =>
      keepPlaybacks(database, owner, [playbackOf("A")], () => makeUlid(now));
    try {
      await expect(send()).rejects.toThrow();
    } finally {
      await kysely.schema
        .alterTable("playback_days_away")
        .renameTo("playback_days")
        .execute();
    }
    const stored = await kysely.selectFrom("playbacks").selectAll().execute();
    expect(stored).toEqual([]);
  });

  it("[L-52] earlier playbacks are added in parts, by several instances at once, each once", async () => {
    const { database, team, report } = await serve(any);
    const { kysely } = database;
    const count = 1300;
    for (let from = 0; from < count; from += 325)
      await kysely
        .insertInto("playbacks")
        .values(
          Array.from({ length: 325 }, (_, index) => ({
            ...{ id: makeUlid(now), team_id: team, player_id: "S1" },
            ...{ playback_id: String(from + index), screen_id: "S1" },
            ...{ asset_id: "A", playlist_id: null },
            ...{ started_at: now - 1000 * index, ended_at: now },
          })),
        )
        .execute();
    const addAll = async (): Promise<void> => {
      while (await addEarlierPlaybacks(database));
    };
    await Promise.all([addAll(), addAll(), addAll()]);
    expect(await report([])).toMatchObject([
      { asset_id: "A", playbacks: count },
    ]);
    expect(await addEarlierPlaybacks(database)).toBe(false);
  });
});

eachV3((service) => {
  it("[V3-87] is a report of the last 31 days by asset, or CSV, and long ones are complete", async () => {
    const client = await service.client();
    const player = await claimedPlayer(client, "=Lobby");
    const started_at = new Date().toISOString();
    await player.send([
      ...[playbackOf("A", { started_at }), playbackOf("A", { started_at })],
      playbackOf("A", { started_at: "2020-01-01T10:00:00Z" }),
    ]);
    expect(await client.get("/playbacks/report")).toEqual([
      ...[
        {
          asset_id: "A",
          asset_title: null,
          playbacks: 2,
          duration_seconds: 20,
        },
      ],
    ]);
    const csv = await client.call(
      ...([
        "GET",
        "/playbacks/report/?format=csv&by=screen&by=playlist",
      ] as const),
    );
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.text.split("\r\n")).toEqual([
      "screen_id,screen_name,playlist_id,playlist_title,playbacks,duration_seconds",
      `${player.screenId},'=Lobby,,,2,20`,
      "",
    ]);
    await player.send(
      Array.from({ length: 1000 }, (_, index) =>
        playbackOf(`Asset ${index}`, { started_at }),
      ),
    );
    expect(await client.get("/playbacks/report")).toHaveLength(1001);
    const long = await client.call("GET", "/playbacks/report?format=csv");
    expect(long.text.trimEnd().split("\r\n")).toHaveLength(1002);
  });

  it.each([
    ...["by=hour", "from=2026-02-30", "from=yesterday", "to=2026-5-1"],
    ...["asset=", "screen=", "format=xml", "from=2020-01-01"],
  ])("[V3-87] rejects ?%s", async (query) => {
    const client = await service.client();
    const answer = await client.call("GET", `/playbacks/report?${query}`);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([
      ...[400, [query.replace(/=.*/, "")]],
    ]);
  });
});
