// Entries of the activity log are kept for a year, whatever a clock says meanwhile.

import { expect, it } from "vitest";
import { noteActivity } from "../../../../server/content/activity/activity.ts";
import {
  deleteOldActivity,
  startActivityRetention,
} from "../../../../server/content/activity/retention.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import { ulidsFrom } from "../../../../server/core/ulid.ts";
import { dayMs } from "../../../../server/core/wall-clock.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { eachDatabase } from "../../../support/database/each-database.ts";

const log = createLog({ toStandardOutput: false });
const today = Date.parse("2040-06-01T00:00:00Z");

let made = 0;

/** Of any moment, also of one before the last. */
function idOf(moment: number): string {
  made += 1;
  return `${ulidsFrom(moment).slice(0, -4)}${String(made).padStart(4, "0")}`;
}

async function noteOn(
  database: Database<ContentTables>,
  team: string,
  name: string,
  now: number,
  idsFrom = now,
): Promise<void> {
  await noteActivity(
    ...([database.kysely, database.kind] as const),
    { team, now, makeId: () => idOf(idsFrom) },
    { kind: "asset", what: "added", id: "1", name },
  );
}

async function names(
  { kysely }: Database<ContentTables>,
  team: string,
): Promise<readonly string[]> {
  const rows = await kysely
    .selectFrom("service_activity")
    .select("name")
    .where("team_id", "=", team)
    .orderBy("id")
    .execute();
  return rows.map(({ name }) => name);
}

eachDatabase((any) => {
  const opened = async () => {
    const database = await any.open();
    const team = { id: "team-1", name: "Team", labelId: "label-1", moment: 1 };
    await addTeam(database.kysely, team);
    return { database, team: team.id };
  };

  it("[V4-383] deletes what is older than the year, in pieces, and nothing else", async () => {
    const { database, team } = await opened();
    await noteOn(database, team, "old", today - 367 * dayMs);
    await noteOn(database, team, "kept", today - 365 * dayMs);
    await noteOn(database, team, "new", today);
    // The clock was set back: the identifier is that of the time before.
    await noteOn(database, team, "set back", today - 400 * dayMs, today);
    await noteOn(database, team, "future", today + 400 * dayMs);
    const oldest = today - 366 * dayMs;
    expect(await deleteOldActivity(database, team, oldest)).toBe(1);
    expect(await deleteOldActivity(database, team, oldest)).toBe(0);
    expect(await names(database, team)).toEqual([
      ...["kept", "new", "set back", "future"],
    ]);
  });

  it("[V4-383] deletes nothing by a clock that is wrong at one check only", async () => {
    const { database, team } = await opened();
    await noteOn(database, team, "old", today - 367 * dayMs);
    await noteOn(database, team, "kept", today - 10 * dayMs);
    // Ahead by ten years at the first check, and right from then on.
    const moments = [today + 3650 * dayMs];
    let checks = 0;
    const stop = startActivityRetention({
      ...{ database, log, checkMs: 5 },
      now: () => {
        checks += 1;
        return moments.shift() ?? today;
      },
    });
    await expect.poll(() => names(database, team)).toEqual(["kept"]);
    const seen = checks;
    await expect.poll(() => checks).toBeGreaterThan(seen + 2);
    await stop();
    expect(await names(database, team)).toEqual(["kept"]);
  });
});
