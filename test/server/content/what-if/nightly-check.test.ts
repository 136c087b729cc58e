// The nightly check of assertions, on both databases.

import { expect, it, vi } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import { createWhatIf } from "../../../../server/content/what-if/what-if.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";

const dayMs = 86_400_000;

eachDatabase(({ open }) => {
  /** A team with one screen and one assertion, whose check looks every few milliseconds whether it is due. */
  async function checked() {
    const database = await open();
    const log = { ...createLog({ toStandardOutput: false }), warn: vi.fn() };
    const clock = { at: Date.UTC(2026, 4, 4, 12) };
    const team = makeUlid(0);
    const one = { team_id: team, created_at: 0 };
    const { kysely } = database;
    await kysely
      .insertInto("teams")
      .values({ id: team, name: "Team", created_at: 0 })
      .execute();
    await kysely
      .insertInto("screens")
      .values({ id: makeUlid(0), name: "A", ...one })
      .execute();
    await kysely
      .insertInto("assertions")
      .values({
        ...{ id: makeUlid(0), name: "Film", is_enabled: true, ...one },
        ...{ holds_back: true, kind: "at-least", every_minutes: 60 },
        ...{ asset_ids: '["film"]', folders: "[]", label_ids: "[]" },
        ...{ predicate: "TRUE", checked_at: null, last_check: null },
      })
      .execute();
    const whatIf = createWhatIf({
      ...{ database, log, now: () => clock.at, checkMs: 10 },
    });
    afterThisTest(whatIf.stop);
    const read = () =>
      kysely
        .selectFrom("assertions")
        .select(["checked_at", "last_check"])
        .executeTakeFirstOrThrow();
    const isChecked = async (): Promise<boolean> =>
      Number((await read()).checked_at) === clock.at;
    return { database, log, clock, team, whatIf, read, isChecked };
  }

  it("[V3-109] checks each assertion once a night, and logs what is broken", async () => {
    const { log, clock, team, whatIf, isChecked } = await checked();
    whatIf.start();
    await vi.waitUntil(isChecked);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      "assertion.broken",
      expect.objectContaining({ team, screens: 1 }),
    );
    clock.at += dayMs;
    await vi.waitUntil(isChecked);
    expect(log.warn).toHaveBeenCalledTimes(2);
  });

  it("[V3-125] tries a team that is too large to be simulated once a night, and stores why nothing was checked", async () => {
    const { database, log, clock, team, whatIf, read, isChecked } =
      await checked();
    await database.writeOne({
      text: `INSERT INTO playlists (id, team_id, title, created_at)
        WITH RECURSIVE numbers (number) AS (
          SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number <= 10000
        )
        SELECT 'P' || number, '${team}', 'P', 0 FROM numbers`,
      values: [],
    });
    whatIf.start();
    await vi.waitUntil(isChecked);
    const message =
      "Teams with more than 10000 rows in playlists cannot be simulated.";
    expect(JSON.parse((await read()).last_check ?? "")).toMatchObject({
      ...{ is_broken: false, checked_at: new Date(clock.at).toISOString() },
      problem: { code: "too-large", message },
    });
    clock.at += dayMs;
    await vi.waitUntil(isChecked);
    expect(log.warn.mock.calls).toEqual([
      ["assertions.not-checked", { team, reason: message }],
      ["assertions.not-checked", { team, reason: message }],
    ]);
  });
});
