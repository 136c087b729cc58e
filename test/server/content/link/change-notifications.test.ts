// Change notifications: recorded in the transaction of the change, sent by any instance that can, until done.

import path from "node:path";
import { expect, it } from "vitest";
import { createChanges } from "../../../../server/content/link/changes.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  stableRevision,
} from "../../../support/content/linked-player.ts";
import { firstMoment } from "../../../support/content/serve-v4.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";

const quiet = createLog({ toStandardOutput: false });

eachContent(({ ground }) => {
  it("[L-30] a change whose notification fails is announced as soon as possible, without another write", async () => {
    const { dataDir, databaseUrl } = await ground();
    const failures: string[] = [];
    const content = await startContent(dataDir, {
      databaseUrl,
      log: { ...quiet, error: (event) => void failures.push(event) },
    });
    const client = clientV3(content.address, contentKey);
    const player = await claimedPlayer(client);
    const before = await stableRevision(player);
    const secondConnection =
      databaseUrl === undefined
        ? openSqliteDatabase<ContentTables>(path.join(dataDir, "content.db"))
        : openPostgres<ContentTables>(databaseUrl, { connections: 1 });
    afterThisTest(() => secondConnection.close());
    const rename = (from: string, to: string) =>
      secondConnection.writeOne({
        text: `ALTER TABLE ${from} RENAME TO ${to}`,
        values: [],
      });
    await rename("team_changes", "put_away");
    await client.make("/groups/", { name: "Late" });
    await expect.poll(() => failures).toContain("changes.announce-failed");
    await rename("put_away", "team_changes");
    await expect
      .poll(async () => Number((await player.beat()).revision))
      .toBeGreaterThan(Number(before));
  });
});

eachDatabase((any) => {
  async function changesOn() {
    const database = await any.open();
    const team = makeUlid(firstMoment);
    const own = { team_id: team, created_at: firstMoment };
    await addTeam(database.kysely, {
      ...{ id: team, name: "Team", labelId: makeUlid(firstMoment) },
      moment: firstMoment,
    });
    const { kysely } = database;
    await kysely
      .insertInto("screens")
      .values({ ...own, id: "S", name: "S", hostname: "s" })
      .execute();
    const pollMs = { notified: 100, alone: 100 };
    const changes = createChanges({ database, log: quiet, timing: { pollMs } });
    afterThisTest(() => changes.stop());
    await changes.start();
    const seen = async () => {
      const { revision, calls } = await changes.markOf(team);
      return { revision: Number(revision), calls: Number(calls) };
    };
    const pending = () =>
      kysely.selectFrom("pending_changes").selectAll().execute();
    await expect.poll(pending).toEqual([]);
    return { kysely, database, own, seen };
  }

  it("[L-10] [L-30] a change by an instance that ended before the notification is announced by another", async () => {
    const { kysely, own, seen } = await changesOn();
    const before = await seen();
    await kysely
      .insertInto("playlists")
      .values({ ...own, id: "P", title: "P" })
      .execute();
    await expect
      .poll(seen)
      .toEqual({ ...before, revision: before.revision + 1 });
    await kysely
      .insertInto("screen_commands")
      .values({ ...own, id: "C", screen_id: "S", kind: "reboot" })
      .execute();
    await expect
      .poll(seen)
      .toEqual({ revision: before.revision + 1, calls: before.calls + 1 });
  });

  it("[L-10] [L-30] neither a rolled back change, nor a screen's status, nor a step of ingest is announced", async () => {
    const { kysely, database, own, seen } = await changesOn();
    await kysely
      .insertInto("assets")
      .values({ ...own, id: "A" })
      .execute();
    const before = await seen();
    await expect
      .poll(async () => (await seen()).revision)
      .toBe(before.revision + 1);
    const undone = database.write(async (run) => {
      await run({ text: "UPDATE assets SET title = 'Changed'", values: [] });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    const set = { status: "In Sync", last_ping: firstMoment, uptime: 5 };
    await kysely.updateTable("screens").set(set).execute();
    await kysely.updateTable("assets").set({ status: "downloading" }).execute();
    await kysely.updateTable("screens").set({ name: "Other" }).execute();
    await expect
      .poll(async () => (await seen()).revision)
      .toBe(before.revision + 2);
  });
});
