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
  it("[V3-109] checks each assertion once a night, and logs what is broken", async () => {
    const database = await open();
    const log = { ...createLog({ toStandardOutput: false }), warn: vi.fn() };
    let at = Date.UTC(2026, 4, 4, 12);
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
    const whatIf = createWhatIf({ database, log, now: () => at, checkMs: 10 });
    afterThisTest(whatIf.stop);
    const checkedAt = async (): Promise<number> => {
      const { checked_at } = await kysely
        .selectFrom("assertions")
        .select("checked_at")
        .executeTakeFirstOrThrow();
      return Number(checked_at);
    };
    whatIf.start();
    await vi.waitUntil(async () => (await checkedAt()) === at);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      "assertion.broken",
      expect.objectContaining({ team, screens: 1 }),
    );
    at += dayMs;
    await vi.waitUntil(async () => (await checkedAt()) === at);
    expect(log.warn).toHaveBeenCalledTimes(2);
  });
});
