// Ingest leases: which worker processes an asset, and concurrent deletion.

import type { RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { expect, it, onTestFinished, vi } from "vitest";
import { createIngest } from "../../../../server/content/ingest/ingest.ts";
import { filesInFolder } from "../../../../server/content/files/stored-files.ts";
import { createFileRetention } from "../../../../server/content/ingest/file-retention.ts";
import { createLeases } from "../../../../server/content/ingest/leases.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { openFileStore } from "../../../../server/platform/files/file-store.ts";
import { createLog } from "../../../../server/platform/log.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import { firstMoment } from "../../../support/content/serve-v4.ts";
import { serveSources } from "../../../support/http/sources.ts";

eachDatabase((any) => {
  // On SQLite there is one writer at a time.
  it.skipIf(any.kind === "sqlite")(
    "[V4-213] deleting an asset during ingest waits for its worker, and neither fails",
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

  it("[V4-329] ingest takes up work scheduled far in the future after the clock was set back, and not work that waits for a pause or another worker", async () => {
    const database = await any.open();
    const { kysely } = database;
    const moment = firstMoment;
    const team_id = makeUlid(moment);
    await addTeam(kysely, {
      ...{ id: team_id, name: "Team", labelId: makeUlid(moment), moment },
    });
    const leases = createLeases({ database, owner: "us", leaseMs: 60_000 });
    const hour = 3_600_000;
    const minute = 60_000;
    const cases = [
      ["a pause", { due_at: Date.now() + minute }, false],
      ["another worker", { lease_until: Date.now() + minute }, false],
      ["a pause of before", { due_at: Date.now() + 3 * hour }, true],
      ["a worker of before", { lease_until: Date.now() + 3 * hour }, true],
    ] as const;
    for (const [what, moments, isTaken] of cases) {
      const id = makeUlid(moment);
      const source_url = "http://127.0.0.1:9/a.png";
      await kysely
        .insertInto("assets")
        .values({ id, team_id, source_url, created_at: moment })
        .execute();
      await kysely
        .updateTable("asset_intakes")
        .set(moments)
        .where("asset_id", "=", id)
        .execute();
      const taken = await leases.take({
        ...{ notAssets: [], notTeams: [], hasBytes: false },
      });
      expect(taken?.id, what).toBe(isTaken ? id : undefined);
    }
  });

  it("[V4-329] a worker keeps its lease when the clock is set ahead, and loses it after an hour without renewal", async () => {
    const database = await any.open();
    const { kysely } = database;
    const [id, team_id] = [makeUlid(firstMoment), makeUlid(firstMoment)];
    const moment = firstMoment;
    await addTeam(kysely, {
      ...{ id: team_id, name: "Team", labelId: makeUlid(moment), moment },
    });
    const source_url = "http://127.0.0.1:9/a.pdf";
    await kysely
      .insertInto("assets")
      .values({ id, team_id, source_url, created_at: moment })
      .execute();
    const folder = await openFileStore(await temporaryFolder(), {
      reserveBytes: 0,
    });
    const store = filesInFolder(folder);
    const fileRetention = createFileRetention(database, store);
    const leases = createLeases({ database, owner: "us", leaseMs: 60_000 });
    await leases.take({ notAssets: [], notTeams: [], hasBytes: false });
    const page = await store.receive(Readable.from([Buffer.from("page")]), 9);
    await fileRetention.keep(page, id);
    const hours = 3 * 3_600_000;
    const back = (column: string) =>
      sql<number>`${sql.ref(column)} - ${sql.lit(hours)}`;
    await kysely
      .updateTable("file_holds")
      .set({ held_at: back("held_at") })
      .execute();
    await kysely
      .updateTable("stored_files")
      .set({ kept_at: back("kept_at") })
      .execute();
    await kysely
      .updateTable("asset_intakes")
      .set({ lease_until: back("lease_until") })
      .execute();
    expect(await fileRetention.sweep(3_600_000)).toBe(0);
    expect(folder.has(page.hash)).toBe(true);
    await kysely
      .updateTable("asset_intakes")
      .set({ lease_owner: null })
      .execute();
    expect(await fileRetention.sweep(3_600_000)).toBe(1);
  });

  it("[V4-213] work taken up during a stop is released again, and a stop waits for it", async () => {
    const database = await any.open();
    const { kysely } = database;
    const [id, team_id] = [makeUlid(firstMoment), makeUlid(firstMoment)];
    const moment = firstMoment;
    await addTeam(kysely, {
      ...{ id: team_id, name: "Team", labelId: makeUlid(moment), moment },
    });
    const { address, requests } = await serveSources({ "/a.png": 503 });
    const source_url = `${address}/a.png`;
    await kysely
      .insertInto("assets")
      .values({ id, team_id, source_url, created_at: moment })
      .execute();
    const folder = await openFileStore(await temporaryFolder(), {
      reserveBytes: 0,
    });
    const store = filesInFolder(folder);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isTaking = false;
    const ingest = createIngest({
      // The database's response is on its way.
      database: {
        ...database,
        writeOne: async (statement) => {
          const rows = await database.writeOne(statement);
          isTaking = true;
          await held;
          return rows;
        },
      },
      ...{
        store,
        fileRetention: createFileRetention(database, store),
        owner: "us",
      },
      ...{ leaseMs: 60_000, maxBytes: 1_000, mayConnect: () => true },
      ...{ makeId: () => makeUlid(moment), now: () => moment },
      log: createLog({ toStandardOutput: false }),
      ...{ onLeftOver: () => undefined, onChanged: () => undefined },
    });
    ingest.start();
    await vi.waitUntil(() => isTaking, { interval: 5 });
    const stopped = ingest.stop();
    goOn();
    await stopped;
    expect(requests("/a.png")).toEqual([]);
    const [left] = await kysely
      .selectFrom("asset_intakes")
      .select(["lease_owner", "tries"])
      .execute();
    expect(left).toEqual({ lease_owner: null, tries: 0 });
  });

  it("[V4-213] work that starts during a renewal of leases is not given up because the renewal does not include it", async () => {
    const database = await any.open();
    const { kysely } = database;
    const team_id = makeUlid(firstMoment);
    const moment = firstMoment;
    await addTeam(kysely, {
      ...{ id: team_id, name: "Team", labelId: makeUlid(moment), moment },
    });
    const answers = new Map<string, ServerResponse>();
    const hold: RequestListener = ({ url = "" }, response) => {
      answers.set(url, response);
    };
    const { address, requests } = await serveSources({
      ...{ "/a.png": hold, "/b.png": hold },
    });
    const add = async (name: string): Promise<string> => {
      const id = makeUlid(moment);
      const source_url = `${address}/${name}`;
      await kysely
        .insertInto("assets")
        .values({ id, team_id, source_url, created_at: moment })
        .execute();
      return id;
    };
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let renewals = 0;
    const folder = await openFileStore(await temporaryFolder(), {
      reserveBytes: 0,
    });
    const store = filesInFolder(folder);
    const ingest = createIngest({
      database: {
        ...database,
        // The leases are renewed, and the response is on its way.
        kysely: kysely.withPlugin({
          transformQuery: ({ node, queryId }) => {
            if (node.kind === "UpdateQueryNode" && node.returning)
              renewing.add(queryId);
            return node;
          },
          transformResult: async ({ result, queryId }) => {
            if (!renewing.delete(queryId)) return result;
            renewals += 1;
            if (renewals === 1) await released;
            return result;
          },
        }),
      },
      ...{
        store,
        fileRetention: createFileRetention(database, store),
        owner: "us",
      },
      ...{ leaseMs: 3_000, maxBytes: 100_000, mayConnect: () => true },
      ...{ makeId: () => makeUlid(moment), now: () => moment },
      log: createLog({ toStandardOutput: false }),
      ...{ onLeftOver: () => undefined, onChanged: () => undefined },
    });
    onTestFinished(() => ingest.stop());
    await add("a.png");
    ingest.start();
    await expect.poll(() => answers.has("/a.png")).toBe(true);
    await expect.poll(() => renewals).toBe(1);
    const id = await add("b.png");
    ingest.wake();
    await expect.poll(() => answers.has("/b.png")).toBe(true);
    release();
    await expect.poll(() => renewals).toBeGreaterThan(1);
    answers.get("/b.png")?.end(png([1, 2, 3]));
    await expect
      .poll(() =>
        kysely
          .selectFrom("assets")
          .select("status")
          .where("id", "=", id)
          .executeTakeFirst(),
      )
      .toEqual({ status: "finished" });
    expect(requests("/b.png")).toHaveLength(1);
  });
});

const renewing = new WeakSet<object>();
