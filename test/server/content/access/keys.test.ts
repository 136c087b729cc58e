// API keys: for how long a process remembers one without reading the database.

import { expect, it } from "vitest";
import { createKeys } from "../../../../server/content/access/keys.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";

eachDatabase((any) => {
  it("[V4-203] a revoked key stops working within a second, also when the database's clock is set back by hours", async () => {
    const database = await any.open();
    const clock = { moment: Date.UTC(2026, 0, 1), steady: 0 };
    const keys = createKeys({
      ...{ database, now: () => clock.moment, monotonic: () => clock.steady },
      makeId: () => makeUlid(clock.moment),
    });
    const key = await keys.add({ name: "a", team: "Team" });
    const team = (await keys.admissionOf(key))?.team ?? null;
    expect(team).not.toBeNull();
    const [{ id } = { id: "" }] = await keys.list();
    await keys.revoke(id);
    clock.moment -= 2 * 3_600_000;
    clock.steady += 999;
    expect((await keys.admissionOf(key))?.team ?? null).toBe(team);
    clock.steady += 1;
    expect((await keys.admissionOf(key))?.team ?? null).toBeNull();
  });
});
