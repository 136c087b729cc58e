// Who brings an asset in, and who deletes it meanwhile.

import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { createIntake } from "../../../../server/content/intake/intake.ts";
import { createKeeper } from "../../../../server/content/intake/keeper.ts";
import { createLeases } from "../../../../server/content/intake/leases.ts";
import { addTeam } from "../../../../server/content/teams.ts";
import { openFileStore } from "../../../../server/platform/file-store.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { eachDatabase, makeUlid } from "../../../support/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { firstMoment } from "../../../support/serve-v4.ts";
import { serveSources } from "../../../support/sources.ts";

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
      expect(
        await leases.take({ notAssets: [], notTeams: [], hasBytes: false }),
      ).toMatchObject({ id });
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

  it("[V4-213] what is taken up while the service stops is put down again, and a stop waits for it", async () => {
    const database = await any.open();
    const { kysely } = database;
    const [id, team_id] = [makeUlid(firstMoment), makeUlid(firstMoment)];
    const moment = firstMoment;
    await addTeam(kysely, {
      ...{ id: team_id, name: "Team", labelId: makeUlid(moment), moment },
    });
    const { address, asked } = await serveSources({ "/a.png": 503 });
    const source_url = `${address}/a.png`;
    await kysely
      .insertInto("assets")
      .values({ id, team_id, source_url, created_at: moment })
      .execute();
    const store = await openFileStore(await temporaryFolder(), {
      reserveBytes: 0,
    });
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isTaking = false;
    const intake = createIntake({
      // The answer of the database is on its way.
      database: {
        ...database,
        writeOne: async (statement) => {
          const rows = await database.writeOne(statement);
          isTaking = true;
          await held;
          return rows;
        },
      },
      ...{ store, keeper: createKeeper(database, store), owner: "us" },
      ...{ leaseMs: 60_000, mostBytes: 1_000, mayConnect: () => true },
      ...{ makeId: () => makeUlid(moment), now: () => moment },
      log: createLog({ toStandardOutput: false }),
      ...{ onLeftOver: () => undefined, onChanged: () => undefined },
    });
    intake.start();
    await vi.waitUntil(() => isTaking, { interval: 5 });
    const stopped = intake.stop();
    goOn();
    await stopped;
    expect(asked("/a.png")).toEqual([]);
    const [left] = await kysely
      .selectFrom("asset_intakes")
      .select(["lease_owner", "tries"])
      .execute();
    expect(left).toEqual({ lease_owner: null, tries: 0 });
  });
});
