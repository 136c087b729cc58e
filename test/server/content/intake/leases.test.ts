// Who brings an asset in, and who deletes it meanwhile.

import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { createLeases } from "../../../../server/content/intake/leases.ts";
import { addTeam } from "../../../../server/content/teams.ts";
import { eachDatabase, makeUlid } from "../../../support/each-database.ts";
import { firstMoment } from "../../../support/serve-v4.ts";

eachDatabase((any) => {
  // On SQLite there is one writer at a time.
  it.skipIf(any.kind === "sqlite")(
    "[V4-213] whoever deletes an asset that is being brought in waits for its worker, and neither fails",
    async () => {
      const database = await any.open();
      const { kysely } = database;
      const [id, team_id] = [makeUlid(firstMoment), makeUlid(firstMoment)];
      const moment = firstMoment;
      await addTeam(kysely, {
        ...{ id: team_id, name: "Team", labelId: makeUlid(moment), moment },
      });
      const source_url = "http://127.0.0.1:9/a.png";
      await kysely
        .insertInto("assets")
        .values({ id, team_id, source_url, created_at: moment })
        .execute();
      const leases = createLeases({ database, owner: "us", leaseMs: 60_000 });
      expect(await leases.take([])).toMatchObject({ id });
      const deleting: Promise<unknown>[] = [];
      const wasOurs = await leases.whileOurs(id, async (transaction) => {
        deleting.push(
          kysely.deleteFrom("assets").where("id", "=", id).execute(),
        );
        await vi.waitUntil(
          async () => {
            const { rows } =
              await sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(
                transaction,
              );
            return rows.length > 0;
          },
          { interval: 5 },
        );
        await transaction
          .updateTable("assets")
          .set({ status: "processing" })
          .where("id", "=", id)
          .execute();
      });
      await Promise.all(deleting);
      expect(wasOurs).toBe(true);
      const left = await kysely.selectFrom("assets").select("id").execute();
      expect(left).toEqual([]);
    },
  );
});
