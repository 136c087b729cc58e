// States of screens and their outages as heartbeats and silence change them, on both databases.

import { sql } from "kysely";
import { expect, it } from "vitest";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { createHeartbeats } from "../../../../server/content/link/heartbeats.ts";
import { createPlayers } from "../../../../server/content/link/pairing.ts";
import { deleteOldOutages } from "../../../../server/content/link/state-changes.ts";
import type { HeartbeatLink } from "../../../../server/contract/link/link.ts";
import {
  eachDatabase,
  makeUlid,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const offlineAfterMs = 2 * minuteMs;
const complete = { wanted: 2, here: 2, failed: 0 };

/** Screens that are claimed; time advances when told to. */
async function screensOn(any: AnyDatabase, count = 1) {
  const database = await any.open();
  const { kysely } = database;
  const clock = { moment: Date.UTC(2026, 0, 1) };
  const now = (): number => clock.moment;
  const makeId = (): string => makeUlid(now());
  const team = makeId();
  await addTeam(kysely, {
    ...{ id: team, name: "Team", labelId: makeId(), moment: now() },
  });
  const players = createPlayers({ database, makeId, now });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { pin } = await players.register({});
    ids.push((await players.claim(pin, team, null))?.screenId ?? "");
  }
  const heartbeats = createHeartbeats({
    ...{ database, makeId, now, offlineAfterMs },
  });
  const [id = ""] = ids;
  const beat = (body: Partial<HeartbeatLink> = {}, screen = id) =>
    heartbeats.note(screen, "192.0.2.1", {
      ...{ sync: "in-sync", item_counts: complete, ...body },
    });
  const stored = async () =>
    (
      await kysely
        .selectFrom("screen_states")
        .selectAll()
        .where("screen_id", "=", id)
        .execute()
    ).map(({ screen_id, team_id, since, reported_at, ...row }) => ({
      ...row,
      since: Number(since),
      reported_at: reported_at === null ? null : Number(reported_at),
    }))[0];
  const outages = async () =>
    (
      await kysely
        .selectFrom("screen_outages")
        .selectAll()
        .where("screen_id", "=", id)
        .orderBy("id")
        .execute()
    ).map(({ state, started_at, ended_at }) => [
      ...[state, Number(started_at)],
      ended_at === null ? null : Number(ended_at),
    ]);
  return { database, clock, ids, heartbeats, beat, stored, outages };
}

const blank = reportOf({ verdict: "blank" });

eachDatabase((any) => {
  it("[L-40] a screen without a heartbeat has no state, even when its player waits for news and falls silent", async () => {
    const { clock, ids, heartbeats, stored, outages } = await screensOn(any);
    await heartbeats.listen([ids[0] ?? ""]);
    clock.moment += offlineAfterMs;
    await heartbeats.noteSilence();
    expect(await stored()).toBeUndefined();
    expect(await outages()).toEqual([]);
  });

  it("[L-38] [L-40] a report is kept while it is left out, and its state keeps the moment it began", async () => {
    const { clock, beat, stored } = await screensOn(any);
    const first = clock.moment;
    await beat({ report: reportOf() });
    const right = {
      ...{ state: "right", since: first, reason: null, reported_at: first },
      report: JSON.stringify(reportOf()),
    };
    expect(await stored()).toEqual(right);
    clock.moment += 30_000;
    await beat();
    expect(await stored()).toEqual(right);
    clock.moment += 30_000;
    const later = reportOf({ name: "Soup" });
    await beat({ report: later });
    expect(await stored()).toEqual({
      ...{ ...right, reported_at: clock.moment },
      report: JSON.stringify(later),
    });
    clock.moment += 30_000;
    await beat({ report: blank });
    expect(await stored()).toMatchObject({
      ...{ state: "wrong", since: clock.moment },
      reason: "The screen is blank instead of showing “Menu”.",
    });
  });

  it("[L-38] the report of another version of the player is not kept", async () => {
    const { beat, stored } = await screensOn(any);
    const of = (software_version: string) => ({ facts: { software_version } });
    await beat({ ...of("2.0"), report: reportOf() });
    await beat(of("2.0"));
    expect(await stored()).toMatchObject({ state: "right" });
    await beat(of("1.9"));
    expect(await stored()).toMatchObject({
      ...{ state: "unverified", report: null, reported_at: null },
    });
  });

  it("[L-40] a heartbeat that changes neither state nor report writes no state", async () => {
    const { database, beat } = await screensOn(any);
    const { kysely, kind } = database;
    await beat({ report: blank });
    const run = (text: string) => sql.raw(text).execute(kysely);
    if (kind === "postgres")
      await run(
        `CREATE FUNCTION refuse_states() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'written'; END $$`,
      );
    for (const event of ["INSERT", "UPDATE"])
      await run(
        `CREATE TRIGGER refuse_${event} BEFORE ${event} ON screen_states ${
          kind === "postgres"
            ? "FOR EACH STATEMENT EXECUTE FUNCTION refuse_states()"
            : "BEGIN SELECT RAISE(ABORT, 'written'); END"
        }`,
      );
    try {
      await beat();
      await beat({ report: blank });
      await expect(beat({ report: reportOf() })).rejects.toThrow("written");
    } finally {
      for (const event of ["INSERT", "UPDATE"])
        await run(
          `DROP TRIGGER refuse_${event}${kind === "postgres" ? " ON screen_states" : ""}`,
        );
      if (kind === "postgres") await run("DROP FUNCTION refuse_states()");
    }
  });

  it("[L-40] a state is stored with its heartbeat or not at all", async () => {
    const { database, beat, ids } = await screensOn(any);
    await beat({ report: reportOf() });
    const screen = () =>
      database.kysely
        .selectFrom("screens")
        .select(["item_counts", "status"])
        .where("id", "=", ids[0] ?? "")
        .executeTakeFirst();
    const before = await screen();
    await database.kysely.schema
      .alterTable("screen_outages")
      .renameTo("screen_outages_away")
      .execute();
    try {
      await expect(
        beat({ item_counts: { wanted: 2, here: 0, failed: 2 } }),
      ).rejects.toThrow();
    } finally {
      await database.kysely.schema
        .alterTable("screen_outages_away")
        .renameTo("screen_outages")
        .execute();
    }
    expect(await screen()).toEqual(before);
  });

  it("[L-40] [L-7] a screen that falls silent is offline since then, until its next heartbeat", async () => {
    const { clock, beat, heartbeats, stored } = await screensOn(any);
    await beat({ report: reportOf() });
    clock.moment += offlineAfterMs - 1;
    await heartbeats.noteSilence();
    expect(await stored()).toMatchObject({ state: "right" });
    clock.moment += 1;
    const silentAt = clock.moment;
    await heartbeats.noteSilence();
    const offline = { state: "offline", since: silentAt };
    expect(await stored()).toMatchObject(offline);
    clock.moment += 60 * minuteMs;
    await heartbeats.noteSilence();
    expect(await stored()).toMatchObject(offline);
    await beat();
    expect(await stored()).toMatchObject({
      ...{ state: "right", since: clock.moment },
    });
  });

  it("[L-43] an outage begins and ends with its state; another state meanwhile begins the next", async () => {
    const { clock, beat, heartbeats, outages } = await screensOn(any);
    const at = clock.moment;
    const after = (minutes: number) => (clock.moment = at + minutes * minuteMs);
    await beat({ report: reportOf() });
    expect(await outages()).toEqual([]);
    after(1);
    await beat({ report: blank });
    after(2);
    // The reason changes, the state does not.
    await beat({ report: reportOf({ verdict: "frozen" }) });
    expect(await outages()).toEqual([["wrong", at + minuteMs, null]]);
    after(3);
    const failed = { wanted: 2, here: 1, failed: 1 };
    await beat({ report: reportOf(), item_counts: failed });
    after(6);
    await heartbeats.noteSilence();
    after(9);
    await beat();
    after(10);
    await beat({ report: reportOf({ verdict: null }) });
    after(11);
    await beat({ report: reportOf({}, { is_dark: true }) });
    expect(await outages()).toEqual([
      ["wrong", at + minuteMs, at + 3 * minuteMs],
      ["incomplete", at + 3 * minuteMs, at + 6 * minuteMs],
      ["offline", at + 6 * minuteMs, at + 9 * minuteMs],
    ]);
  });

  it("[L-43] however many heartbeats and checks come at once, an outage is open exactly while the state is one", async () => {
    const { clock, beat, heartbeats, stored, outages } = await screensOn(any);
    await beat({ report: reportOf() });
    const failed = { wanted: 2, here: 1, failed: 1 };
    for (let round = 0; round < 5; round += 1) {
      clock.moment += offlineAfterMs;
      await Promise.all([
        ...[heartbeats.noteSilence(), heartbeats.noteSilence()],
        ...[beat({ report: blank }), beat({ report: reportOf() })],
        ...[beat({ item_counts: failed }), heartbeats.noteSilence()],
        ...[beat({ report: blank }), beat({ report: reportOf() })],
      ]);
      const state = (await stored())?.state;
      const open = (await outages()).filter(([, , ended]) => ended === null);
      expect(open.map(([of]) => of)).toEqual(
        state === "wrong" || state === "incomplete" || state === "offline"
          ? [state]
          : [],
      );
    }
    await beat({ report: reportOf() });
    await beat({ report: reportOf() });
    expect(await stored()).toMatchObject({ state: "right" });
  });

  it("[L-50] the cause of silence is decided with the first heartbeat after it, also where the screen is wrong then", async () => {
    const { database, clock, ids, beat, heartbeats } = await screensOn(any);
    const { kysely } = database;
    const [id = ""] = ids;
    const causes = async () =>
      (
        await kysely
          .selectFrom("screen_outages")
          .select(["state", "cause"])
          .where("screen_id", "=", id)
          .orderBy("id")
          .execute()
      ).map(({ state, cause }) => `${state}: ${cause}`);
    const minutesLater = (minutes: number) =>
      (clock.moment += minutes * minuteMs);
    const facts = (uptime: number, machine: number) => ({
      facts: { uptime: uptime * 60, machine_uptime: machine * 60 },
    });
    await beat({ report: reportOf(), ...facts(100, 200) });
    minutesLater(10);
    await heartbeats.noteSilence();
    // It waits for news before it sends a heartbeat.
    minutesLater(10);
    await heartbeats.listen([id]);
    expect(await causes()).toEqual(["offline: unknown"]);
    await beat(facts(120, 220));
    expect(await causes()).toEqual(["offline: network"]);
    minutesLater(10);
    await heartbeats.noteSilence();
    minutesLater(10);
    await beat({ report: blank, ...facts(1, 2) });
    expect((await causes()).slice(1)).toEqual([
      ...["offline: power", "wrong: unknown"],
    ]);
    minutesLater(10);
    await kysely
      .updateTable("screens")
      .set({ is_enabled: false })
      .where("id", "=", id)
      .execute();
    await heartbeats.noteSilence();
    minutesLater(10);
    await beat(facts(1, 2));
    expect((await causes()).slice(3)).toEqual([
      ...["offline: planned", "wrong: unknown"],
    ]);
  });

  it("[L-50] an outage after a restart that was ordered and carried out is planned", async () => {
    const { database, clock, ids, beat, heartbeats } = await screensOn(any);
    const { kysely } = database;
    const [screen_id = ""] = ids;
    const { team_id } = await kysely
      .selectFrom("screens")
      .select("team_id")
      .where("id", "=", screen_id)
      .executeTakeFirstOrThrow();
    const facts = { uptime: 6000 };
    await beat({ report: reportOf(), facts });
    const command = makeUlid(clock.moment);
    await kysely
      .insertInto("screen_commands")
      .values({
        ...{ id: command, team_id, screen_id, kind: "reboot" },
        ...{ created_at: clock.moment, expires_at: clock.moment + minuteMs },
        message: null,
      })
      .execute();
    clock.moment += 10 * minuteMs;
    await heartbeats.noteSilence();
    clock.moment += 10 * minuteMs;
    await beat({
      facts: { uptime: 60 },
      done: [{ id: command, is_done: true }],
    });
    expect(
      await kysely.selectFrom("screen_outages").select("cause").execute(),
    ).toEqual([{ cause: "planned" }]);
  });

  it("[L-43] a screen that is wrong from its first heartbeat on has no outage", async () => {
    const { beat, outages } = await screensOn(any);
    await beat({ report: blank });
    expect(await outages()).toEqual([]);
  });

  it("[L-43] outages are deleted 400 days after their end; ongoing ones stay", async () => {
    const { database, clock, beat, outages } = await screensOn(any);
    await beat();
    await beat({ report: blank });
    await beat({ report: reportOf() });
    const ended = clock.moment;
    await beat({ report: blank });
    await deleteOldOutages(database.kysely, ended + 400 * dayMs - 1);
    expect(await outages()).toHaveLength(2);
    await deleteOldOutages(database.kysely, ended + 400 * dayMs);
    expect(await outages()).toEqual([["wrong", ended, null]]);
    await beat({ report: reportOf() });
    // The clock was years ahead when it ended.
    await deleteOldOutages(database.kysely, ended - 401 * dayMs);
    expect(await outages()).toEqual([]);
  });

  it("[L-36] [L-43] after the clock was set back a screen is offline until its next heartbeat, and no outage ends before it began", async () => {
    const { clock, beat, heartbeats, stored, outages } = await screensOn(any);
    await beat({ report: reportOf() });
    await beat({ report: blank });
    const began = clock.moment;
    clock.moment -= 3 * 60 * minuteMs;
    await heartbeats.noteSilence();
    expect(await stored()).toMatchObject({
      ...{ state: "offline", since: clock.moment },
    });
    await beat();
    expect(await stored()).toMatchObject({ state: "wrong" });
    const [first] = await outages();
    expect(first).toEqual(["wrong", began, began]);
  });

  it("[L-40] [L-43] a thousand and one screens fall silent in one transaction", async () => {
    const { database, clock, ids, beat, heartbeats } = await screensOn(any);
    const [id = ""] = ids;
    await beat();
    const others = Array.from({ length: 1000 }, () => makeUlid(0));
    const { kysely } = database;
    const { team_id } = await kysely
      .selectFrom("screens")
      .select("team_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    for (let from = 0; from < others.length; from += 250) {
      const some = others.slice(from, from + 250);
      await kysely
        .insertInto("screens")
        .values(
          some.map((other) => ({
            ...{
              id: other,
              team_id,
              name: "",
              hostname: "",
              status: "In Sync",
            },
            ...{ created_at: clock.moment, last_ping: clock.moment },
          })),
        )
        .execute();
      await kysely
        .insertInto("screen_states")
        .values(
          some.map((screen_id) => ({
            ...{ screen_id, team_id, state: "right" as const },
            ...{ since: clock.moment, reason: null },
            ...{ report: null, reported_at: null },
          })),
        )
        .execute();
    }
    clock.moment += offlineAfterMs;
    await heartbeats.noteSilence();
    const count = async (table: "screen_states" | "screen_outages") =>
      (
        await kysely
          .selectFrom(table)
          .select("state")
          .where("state", "=", "offline")
          .execute()
      ).length;
    expect([
      await count("screen_states"),
      await count("screen_outages"),
    ]).toEqual([1001, 1001]);
  });
});
