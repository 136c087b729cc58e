// What is stored about screens with sockets: their beginning and end, and that their instance runs.

import { expect, it } from "vitest";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { createHeartbeats } from "../../../../server/content/link/heartbeats.ts";
import {
  eachDatabase,
  makeUlid,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";

const minuteMs = 60_000;
const offlineAfterMs = 2 * minuteMs;

/** A screen that was in sync when its player opened a socket at the first of two instances. */
async function connectedScreen({ open }: AnyDatabase) {
  const database = await open();
  const { kysely } = database;
  const clock = { moment: Date.UTC(2026, 4, 4, 12) };
  const team = makeUlid(clock.moment);
  await addTeam(kysely, {
    ...{ id: team, name: "Team", labelId: makeUlid(clock.moment) },
    moment: clock.moment,
  });
  const id = makeUlid(clock.moment);
  await kysely
    .insertInto("screens")
    .values({ id, team_id: team, name: "A", created_at: clock.moment })
    .execute();
  const instance = () =>
    createHeartbeats({
      ...{ database, offlineAfterMs, now: () => clock.moment },
      makeId: () => makeUlid(clock.moment),
    });
  const [one, other] = [instance(), instance()];
  await one.note(id, "127.0.0.1", { sync: "in-sync" });
  await one.beginListening([id]);
  const stored = async () => {
    const row = await kysely
      .selectFrom("screens")
      .select(["status", "ws_open", "last_ping"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return {
      ...{ status: row.status, isOpen: Boolean(row.ws_open) },
      at: Number(row.last_ping),
    };
  };
  const outages = async () =>
    (
      await kysely
        .selectFrom("screen_outages")
        .select(["started_at", "last_contact_at"])
        .execute()
    ).map((row) => [Number(row.started_at), Number(row.last_contact_at)]);
  return { clock, id, one, other, stored, outages };
}

eachDatabase((any) => {
  it("[L-63] a screen with a socket stays online while its instance runs, and nothing is stored about it", async () => {
    const { clock, one, other, stored } = await connectedScreen(any);
    const before = await stored();
    for (let minute = 0; minute < 4; minute += 1) {
      clock.moment += minuteMs;
      await one.noteInstance();
      await other.noteSilence();
    }
    expect(await stored()).toEqual(before);
    expect(before).toEqual({
      ...{ status: "In Sync", isOpen: true },
      at: clock.moment - 4 * minuteMs,
    });
  });

  it("[L-63] [L-7] after a restart of its instance, a screen that does not come back is offline in its limit", async () => {
    const { clock, one, other, stored, outages } = await connectedScreen(any);
    clock.moment += 4 * minuteMs;
    await one.noteInstance();
    const last = clock.moment;
    clock.moment += offlineAfterMs - 1;
    await other.noteSilence();
    expect((await stored()).status).toBe("In Sync");
    clock.moment += 1;
    await other.noteSilence();
    expect(await stored()).toEqual({
      ...{ status: "Offline", isOpen: false, at: last },
    });
    expect(await outages()).toEqual([[clock.moment, last]]);
    // Its own instance, should it only have stood still, knows no better.
    await one.noteInstance();
    await other.noteSilence();
    expect((await stored()).status).toBe("Offline");
  });

  it("[L-63] the end of a socket is its last contact, also where its player did not answer", async () => {
    const { clock, id, one, other, stored } = await connectedScreen(any);
    clock.moment += 4 * minuteMs;
    await one.noteInstance();
    await one.endListening([id], 30_000);
    const ended = clock.moment - 30_000;
    expect(await stored()).toEqual({
      ...{ status: "In Sync", isOpen: false, at: ended },
    });
    clock.moment = ended + offlineAfterMs;
    await one.noteInstance();
    await other.noteSilence();
    expect(await stored()).toEqual({
      ...{ status: "Offline", isOpen: false, at: ended },
    });
  });

  it("[L-36] [L-63] an instance last seen hours in the future, since the clock was set back, keeps no screen online", async () => {
    const { clock, one, other, stored } = await connectedScreen(any);
    clock.moment += 4 * minuteMs;
    await one.noteInstance();
    clock.moment -= 3 * 60 * minuteMs;
    await other.noteSilence();
    expect((await stored()).status).toBe("Offline");
  });
});
