// Announcements between instances by PostgreSQL's notifications: with polls that never come, except where one is named.

import { describe, expect, inject, it, vi } from "vitest";
import { addTeam } from "../../../../server/content/access/teams.ts";
import {
  createChanges,
  type Changes,
  type ChangesTiming,
} from "../../../../server/content/link/changes.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { listenForNotifications } from "../../../../server/platform/database/postgres-notifications.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { firstMoment } from "../../../support/content/serve-v4.ts";
import { makeUlid } from "../../../support/database/each-database.ts";
import { oneDatabase } from "../../../support/database/one-database.ts";

const quiet = createLog({ toStandardOutput: false });
/** The longest delay of a timer. */
const never = 2 ** 31 - 1;
const timing: ChangesTiming = {
  pollMs: { notified: never, alone: never },
  listen: {
    ...{ probeEveryMs: never, probeDeadlineMs: 20_000 },
    pausesMs: { first: 10, longest: 10 },
  },
};

interface Instance {
  readonly changes: Changes;
  readonly events: string[];
}

function startInstance(
  database: Database<ContentTables>,
  own: ChangesTiming = timing,
): Instance {
  const events: string[] = [];
  const note = (event: string): void => void events.push(event);
  const changes = createChanges({
    ...{ database, timing: own },
    log: { ...quiet, info: note, warn: note },
  });
  afterThisTest(() => changes.stop());
  return { changes, events };
}

const isReceiving = ({ events }: Instance): boolean =>
  events.at(-1) === "changes.notifications-received";

async function withTeam(database: Database<ContentTables>) {
  const team = makeUlid(firstMoment);
  await addTeam(database.kysely, {
    ...{ id: team, name: "Team", labelId: makeUlid(firstMoment) },
    moment: firstMoment,
  });
  return {
    team,
    change: () =>
      database.kysely
        .insertInto("playlists")
        .values({
          ...{ id: makeUlid(firstMoment), team_id: team, title: "P" },
          created_at: firstMoment,
        })
        .execute(),
  };
}

const untilChanged = async (changes: Changes, team: string) => {
  const mark = await changes.markOf(team);
  const waiting = changes.wait(mark, never, new AbortController().signal);
  return {
    mark,
    changed: waiting.then(() => changes.markOf(team)),
  };
};

/** Two instances on one database, both of which receive notifications. */
async function twoReceiving() {
  const open = await oneDatabase("postgres");
  const database = open();
  const { team, change } = await withTeam(database);
  const one = startInstance(database);
  const other = startInstance(open());
  await one.changes.start();
  await vi.waitUntil(() => isReceiving(one) && isReceiving(other));
  return { database, team, change, one, other };
}

describe.skipIf(inject("postgresUrl") === "")("on PostgreSQL", () => {
  it("[L-61] a change through one instance wakes those that wait at another, also when they begin to wait after its notification", async () => {
    const { team, change, one, other } = await twoReceiving();
    const { mark, changed } = await untilChanged(other.changes, team);
    await change();
    one.changes.announceSoon();
    const { revision } = await changed;
    expect(Number(revision)).toBeGreaterThan(Number(mark.revision));
    await other.changes.wait(mark, never, new AbortController().signal);
  });

  it("[L-61] nothing is missed while the connection that listens is lost", async () => {
    const { database, team, change, one, other } = await twoReceiving();
    const { mark, changed } = await untilChanged(other.changes, team);
    const execute = (text: string) => database.writeOne({ text, values: [] });
    // Enough of them stay open: none can be opened for a while.
    const opened = ["", "", "", ""].map(() => execute("SELECT pg_sleep(0.1)"));
    await Promise.all(opened);
    const [row] = await execute("SELECT current_database() AS name");
    const server = openPostgres<never>(inject("postgresUrl"), {
      connections: 1,
    });
    afterThisTest(() => server.close());
    const letConnect = (may: boolean) =>
      server.writeOne({
        text: `ALTER DATABASE ${String(row?.["name"])} ALLOW_CONNECTIONS ${may}`,
        values: [],
      });
    await letConnect(false);
    await execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN %'`);
    await vi.waitUntil(() => !isReceiving(one) && !isReceiving(other));
    await change();
    one.changes.announceSoon();
    await vi.waitUntil(
      async () => (await one.changes.markOf(team)).revision !== mark.revision,
    );
    expect(isReceiving(other)).toBe(false);
    await letConnect(true);
    expect((await changed).revision).not.toBe(mark.revision);
    // Where the read that follows the interruption was slow, it has already found the change.
    await vi.waitUntil(() => isReceiving(other));
    expect(other.events).toEqual([
      "changes.notifications-received",
      "changes.notifications-interrupted",
      "changes.notifications-received",
    ]);
  });

  it("[L-62] where notifications do not arrive, as behind a pooler of transactions, the tables are polled", async () => {
    const open = await oneDatabase("postgres");
    const database = open();
    const { team, change } = await withTeam(database);
    const polling = startInstance(
      {
        ...database,
        // Notifications of one database don't reach another.
        listen: (options) =>
          listenForNotifications(
            { connectionString: inject("postgresUrl") },
            database.read,
            options,
          ),
      },
      {
        pollMs: { notified: never, alone: 20 },
        listen: {
          ...{ probeEveryMs: never, probeDeadlineMs: 50 },
          pausesMs: { first: 100, longest: 1_000 },
        },
      },
    );
    const one = startInstance(open());
    await one.changes.start();
    await vi.waitUntil(() =>
      polling.events.includes("changes.notifications-interrupted"),
    );
    const { mark, changed } = await untilChanged(polling.changes, team);
    await change();
    one.changes.announceSoon();
    expect((await changed).revision).not.toBe(mark.revision);
    expect(polling.events).toEqual(["changes.notifications-interrupted"]);
  });
});
