// The ledger of outages and its totals against random outages, computed again by hand, on both databases.

import fc from "fast-check";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { addTeam } from "../../../../server/content/access/teams.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import {
  outageCauses,
  outageStates,
} from "../../../../server/contract/link/screen-report.ts";
import {
  outageTotalV3,
  screenOutageV3,
  type OutageTotalV3,
  type ScreenOutageV3,
} from "../../../../server/contract/v3/v3-outages.ts";
import type { StoredFiles } from "../../../../server/content/files/stored-files.ts";
import { offsetReader } from "../../../../server/core/wall-clock.ts";
import { v3Alone } from "../../../support/content/v3-alone.ts";
import { eachV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";
import {
  eachDatabase,
  makeUlid,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";
import { assertEnded } from "../../../support/fuzz/assert-ended.ts";
import { runSettings } from "../../../support/fuzz/run-settings.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { serveExpress } from "../../../support/http/serve-express.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 6, 15, 12, 30);
const screens = ["S1", "S2", "S3", "S4"];
/** By group; the third screen is in both, the fourth in none. */
const groups: Readonly<Record<string, readonly string[]>> = {
  ...{ G1: ["S1", "S3"], G2: ["S2", "S3"] },
};
const nameOf = (id: string): string => `Name of ${id}`;

type Outage = Omit<
  ContentTables["screen_outages"],
  "cause" | "team_id" | "last_contact_at" | "uptime_before"
> & { readonly cause: (typeof outageCauses)[number] };

async function serve(any: AnyDatabase) {
  const database = await any.open();
  const { kysely } = database;
  const team = makeUlid(0);
  await addTeam(kysely, {
    ...{ id: team, name: "Team", labelId: "ALL", moment: 0 },
  });
  for (const id of screens)
    await kysely
      .insertInto("screens")
      .values({ id, team_id: team, name: nameOf(id), created_at: 0 })
      .execute();
  for (const [id, members] of Object.entries(groups)) {
    await kysely
      .insertInto("labels")
      .values({
        ...{ id, team_id: team, name: nameOf(id), human_name: nameOf(id) },
        created_at: 0,
      })
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
  const folder = await temporaryFolder();
  const store = {
    newAside: () => path.join(folder, makeUlid(0)),
  } as StoredFiles;
  const router = v3Alone({
    ...{ database, now: () => now, makeId: () => "", store },
  });
  const url = `${await serveExpress(router, () => team)}/v3`;
  const write = async (outages: readonly Outage[]): Promise<void> => {
    await kysely.deleteFrom("screen_outages").execute();
    for (let from = 0; from < outages.length; from += 500)
      await kysely
        .insertInto("screen_outages")
        .values(
          outages.slice(from, from + 500).map((outage) => ({
            ...{ ...outage, team_id: team },
            ...{ last_contact_at: null, uptime_before: null },
          })),
        )
        .execute();
  };
  const get = async (place: string, query: readonly [string, string][]) => {
    const answer = await fetch(
      `${url}${place}?${new URLSearchParams([...query])}`,
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text) as unknown;
  };
  return { url, write, get };
}

const momentNear = fc.integer({ min: now - 150 * dayMs, max: now });
const anyOutages = fc
  .array(
    fc.record({
      screen_id: fc.constantFrom(...screens),
      state: fc.constantFrom(...outageStates),
      cause: fc.constantFrom(...outageCauses),
      started_at: momentNear,
      lengthMs: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 3_600_000 }),
        fc.integer({ min: 0, max: 90 * dayMs }),
      ),
      goesOn: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map((all) => {
    const open = new Set<string>();
    return all.map(({ lengthMs, goesOn, ...outage }, index): Outage => {
      // At most one of each screen is ongoing.
      const isOpen = goesOn && !open.has(outage.screen_id);
      if (isOpen) open.add(outage.screen_id);
      const ended_at = isOpen
        ? null
        : Math.min(now, outage.started_at + lengthMs);
      const id = `O${String(index).padStart(3, "0")}`;
      return { ...outage, id, reason: "", ended_at };
    });
  });

const some = <T extends string>(all: readonly T[]) =>
  fc.option(fc.subarray([...all], { minLength: 1 }), { nil: undefined });
const anyFilters = fc.record({
  screen: some(screens),
  group: some(["G1", "G2", "none"]),
  state: some(outageStates),
  cause: some(outageCauses),
  since: fc.option(momentNear, { nil: undefined }),
  until: fc.option(momentNear, { nil: undefined }),
});
type Filters = typeof anyFilters extends fc.Arbitrary<infer T> ? T : never;

function queryOf(filters: Filters): [string, string][] {
  return Object.entries(filters).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(
      (each): [string, string] => [name, String(each)],
    ),
  );
}

function isListed(outage: Outage, filters: Filters): boolean {
  const { screen, group, state, cause, since, until } = filters;
  const isIn = (all: readonly string[] | undefined, one: string) =>
    all === undefined || all.includes(one);
  return (
    isIn(screen, outage.screen_id) &&
    isIn(state, outage.state) &&
    isIn(cause, outage.cause) &&
    (group === undefined ||
      group.some((id) => groups[id]?.includes(outage.screen_id))) &&
    (since === undefined ||
      outage.ended_at === null ||
      outage.ended_at >= since) &&
    (until === undefined || outage.started_at < until)
  );
}

/** Milliseconds of it between two moments. */
function within(outage: Outage, from: number, until: number): number {
  const end = Math.min(outage.ended_at ?? until, until);
  return Math.max(0, end - Math.max(outage.started_at, from));
}

type Part = readonly [id: string | null, outage: Outage, ms: number];

function totalled(parts: readonly Part[]): readonly OutageTotalV3[] {
  const ids = [...new Set(parts.map(([id]) => id))];
  const figures = (some: readonly Part[]) => ({
    outages: some.length,
    duration_seconds: some.reduce((sum, [, , ms]) => sum + ms, 0) / 1000,
  });
  return ids
    .sort((a, b) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
    .map((id) => {
      const own = parts.filter(([of]) => of === id);
      const causes = [...new Set(own.map(([, { cause }]) => cause))];
      return {
        ...{ id, name: id && (/^\d/.test(id) ? id : nameOf(id)) },
        ...figures(own),
        causes: Object.fromEntries(
          causes.map((cause) => [
            cause,
            figures(own.filter(([, outage]) => outage.cause === cause)),
          ]),
        ),
      };
    });
}

eachDatabase((any) => {
  it("[V3-84] [V3-85] lists what the filters select, ongoing ones first, page by page", async () => {
    const { write, get } = await serve(any);
    await assertEnded(
      fc.asyncProperty(
        ...[anyOutages, anyFilters, fc.integer({ min: 1, max: 5 })],
        async (outages, filters, limit) => {
          await write(outages);
          const listed: ScreenOutageV3[] = [];
          for (;;) {
            const page = screenOutageV3
              .array()
              .parse(
                await get("/screens/outages", [
                  ...queryOf(filters),
                  ["limit", String(limit)],
                  ["offset", String(listed.length)],
                ]),
              );
            listed.push(...page);
            if (page.length < limit) break;
          }
          const expected = outages
            .filter((outage) => isListed(outage, filters))
            .sort(
              (a, b) =>
                Number(a.ended_at !== null) - Number(b.ended_at !== null) ||
                b.started_at - a.started_at ||
                (a.id < b.id ? 1 : -1),
            )
            .map(({ id, ended_at, started_at }) => [
              id,
              ended_at === null ? null : (ended_at - started_at) / 1000,
            ]);
          expect(
            listed.map(({ id, duration_seconds }) => [id, duration_seconds]),
          ).toEqual(expected);
        },
      ),
      { ...runSettings, numRuns: runSettings.numRuns / 3 },
    );
  });

  it("[V3-86] adds up by screen, group and month, in any time zone", async () => {
    const { write, get } = await serve(any);
    const anyZone = fc.constantFrom(
      ...["UTC", "Europe/Berlin", "America/Toronto", "Pacific/Kiritimati"],
    );
    await assertEnded(
      fc.asyncProperty(
        ...[anyOutages, anyFilters, anyZone],
        async (outages, filters, timezone) => {
          await write(outages);
          const totals = async (by: string) =>
            outageTotalV3
              .array()
              .parse(
                await get("/screens/outages/totals", [
                  ...queryOf(filters),
                  ["by", by],
                  ["timezone", timezone],
                ]),
              );
          const until = Math.min(filters.until ?? now, now);
          const since = filters.since ?? 0;
          const listed = outages.filter((outage) => isListed(outage, filters));
          const whole = (outage: Outage) => within(outage, since, until);
          expect(await totals("screen")).toEqual(
            totalled(listed.map((one) => [one.screen_id, one, whole(one)])),
          );
          const groupsOf = (screen: string) => {
            const ids = Object.keys(groups).filter((id) =>
              groups[id]?.includes(screen),
            );
            return ids.length === 0 ? [null] : ids;
          };
          expect(await totals("group")).toEqual(
            totalled(
              listed.flatMap((one) =>
                groupsOf(one.screen_id).map((id): Part => [
                  ...([id, one, whole(one)] as const),
                ]),
              ),
            ),
          );
          if (since < until)
            expect(await totals("month")).toEqual(
              totalled(
                listed.flatMap((one) => byMonth(one, since, until, timezone)),
              ),
            );
        },
      ),
      { ...runSettings, numRuns: runSettings.numRuns / 3 },
    );
  });

  it("[V3-84] streams any number as CSV, and [V3-86] writes two columns for each cause", async () => {
    const { url, write } = await serve(any);
    const count = 1201;
    await write(
      Array.from({ length: count }, (_, index) => ({
        ...{ id: makeUlid(index), screen_id: "S1", state: "wrong" as const },
        ...{ cause: index < 400 ? ("content" as const) : ("app" as const) },
        ...{ reason: index === 0 ? "=1+1" : "a, b" },
        ...{ started_at: now - 2000 * (index + 1), ended_at: now - 500 },
      })),
    );
    const lines = async (place: string): Promise<readonly string[]> => {
      const answer = await fetch(`${url}${place}`);
      expect(answer.headers.get("content-type")).toBe(
        "text/csv; charset=utf-8",
      );
      return (await answer.text()).trimEnd().split("\r\n");
    };
    const all = await lines("/screens/outages?format=csv");
    expect([all.length, new Set(all).size]).toEqual([count + 1, count + 1]);
    expect(all[1]).toMatch(/,wrong,'=1\+1,content,.*,1\.5$/);
    expect(all[2]).toMatch(/,wrong,"a, b",content,.*,3\.5$/);
    expect(
      await lines("/screens/outages?format=csv&cause=content"),
    ).toHaveLength(401);
    const [head = "", row = "", ...others] = await lines(
      "/screens/outages/totals?format=csv",
    );
    const cells = row.split(",");
    const shown = head
      .split(",")
      .map((name, at) => `${name} ${cells[at] ?? ""}`)
      .filter((cell) => !cell.endsWith(" 0"));
    expect([shown, others]).toEqual([
      [
        ...["id S1", "name Name of S1", "outages 1201"],
        ...["duration_seconds 1443001.5", "app_outages 801"],
        ...["app_duration_seconds 1282801.5", "content_outages 400"],
        "content_duration_seconds 160200",
      ],
      [],
    ]);
    const headOnly = await fetch(`${url}/screens/outages?format=csv`, {
      method: "HEAD",
    });
    expect([headOnly.status, await headOnly.text()]).toEqual([200, ""]);
  });
});

/** By every hour at which a month could begin: all offsets here are of whole hours. */
function byMonth(
  outage: Outage,
  since: number,
  until: number,
  zone: string,
): readonly Part[] {
  const offsetAt = offsetReader(zone);
  const monthAt = (moment: number): string =>
    new Date(moment + offsetAt(moment)).toISOString().slice(0, 7);
  const end = Math.min(outage.ended_at ?? until, until);
  const start = Math.max(outage.started_at, since);
  const parts = new Map<string, number>();
  // One without any duration occurred all the same.
  if (outage.started_at >= since) parts.set(monthAt(start), 0);
  if (end > start) {
    const hourMs = 3_600_000;
    let from = start;
    while (from < end) {
      const to = Math.min(end, (Math.floor(from / hourMs) + 1) * hourMs);
      const month = monthAt(from);
      parts.set(month, (parts.get(month) ?? 0) + to - from);
      from = to;
    }
  }
  return [...parts].map(([month, ms]) => [month, outage, ms]);
}

eachV3((service) => {
  describe("requests for outages", () => {
    it.each([
      ...["by=day", "timezone=Mars", "cause=rain", "state=right", "group="],
      "since=today",
    ])("[V3-86] rejects ?%s", async (query) => {
      const client = await service.client();
      const answer = await client.call(
        ...(["GET", `/screens/outages/totals/?${query}`] as const),
      );
      expect([answer.status, Object.keys(answer.json as object)]).toEqual([
        ...[400, [query.replace(/=.*/, "")]],
      ]);
    });

    it.each(["limit=0", "limit=10001", "offset=-1", "cause=", "group="])(
      "[V3-84] [V3-85] rejects ?%s",
      async (query) => {
        const client = await service.client();
        const answer = await client.call("GET", `/screens/outages/?${query}`);
        expect([answer.status, Object.keys(answer.json as object)]).toEqual([
          ...[400, [query.replace(/=.*/, "")]],
        ]);
      },
    );

    it("[V3-85] All Screens selects every screen, a screen's own label that screen", async () => {
      const client = await service.client();
      for (const name of ["A", "B"]) {
        const player = await claimedPlayer(client, name);
        await player.beat({ report: reportOf() });
        await player.beat({ report: reportOf({ verdict: "blank" }) });
      }
      const outages = screenOutageV3
        .array()
        .parse(await client.get("/screens/outages/"));
      for (const id of ["all-screens", "all_screens"])
        expect(await client.get(`/screens/outages/?group=${id}`)).toEqual(
          outages,
        );
      const [first] = outages;
      expect(
        await client.get(`/screens/outages/?group=${first?.screen_id ?? ""}`),
      ).toEqual([first]);
    });
  });
});
