// Ten thousand rows in one insert: one transaction, in slices between which other requests are answered.

import { setImmediate as atNextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { contentMigrations } from "../../../../server/content/migrations.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { migrate } from "../../../../server/platform/database/migrate.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";

const manyRows = 10_000;

interface Watched {
  readonly database: Database<ContentTables>;
  /** Rows are being written. */
  readonly isWriting: () => boolean;
  /** A transaction has begun and is not committed. */
  readonly isOpen: () => boolean;
}

/** The same database, whose transactions are committed after this. */
function watched(
  database: Database<ContentTables>,
  beforeCommit: () => Promise<void>,
): Watched {
  let writing = 0;
  let open = 0;
  return {
    isWriting: () => writing > 0,
    isOpen: () => open > 0,
    database: {
      ...database,
      write: (work) =>
        database.write(async (run) => {
          open += 1;
          writing += 1;
          try {
            const result = await work(run).finally(() => (writing -= 1));
            await beforeCommit();
            return result;
          } finally {
            open -= 1;
          }
        }),
    },
  };
}

const labels = (): readonly object[] =>
  Array.from({ length: manyRows }, (_, at) => ({ name: `Label ${at}` }));

eachDatabase((any) => {
  it("[V4-317] an insert of ten thousand rows lets other requests read the state before", async () => {
    // The row counts returned while the rows were written.
    const counted: number[] = [];
    // However slow the machine is, a request is answered before the commit.
    const { database, isWriting, isOpen } = watched(
      await any.open(),
      async () => {
        while (counted.length === 0) await atNextRound();
      },
    );
    const v4 = await serveV4({ ...any, open: async () => database });
    const path = "/labels?select=id&type=eq.manual&limit=1";
    const progress = { isOver: false, rounds: 0 };
    const inserted = v4
      .request("POST", "/labels?select=name", {
        body: labels(),
        headers: { Prefer: "return=representation" },
      })
      .finally(() => (progress.isOver = true));
    const reader = async (): Promise<void> => {
      while (!progress.isOver) {
        const { headers } = await v4.get(path, { Prefer: "count=exact" });
        const [, total] = (headers.get("Content-Range") ?? "").split("/");
        if (isOpen()) counted.push(Number(total));
      }
    };
    const counter = async (): Promise<void> => {
      for (; !progress.isOver; await atNextRound())
        if (isWriting()) progress.rounds += 1;
    };
    await Promise.all([reader(), counter()]);
    const { status, json } = await inserted;
    expect(status).toBe(201);
    expect(json).toEqual(labels());
    expect(progress.rounds).toBeGreaterThan(5);
    expect(counted[0]).toBe(0);
    // The last may be returned between the end of the transaction and that of the request.
    const seen = [...new Set(counted)];
    expect([[0], [0, manyRows]]).toContainEqual(seen);
  });

  it("[V4-317] one row of ten thousand that cannot be stored rolls back all of them", async () => {
    const v4 = await serveV4(any);
    const [playlist] = await v4.make("/playlists", { title: "P" });
    const [asset] = await v4.make("/assets", { title: "A" });
    const items = labels().map((_, at) => ({
      playlist_id: playlist.id,
      asset_id: at === manyRows - 1 ? "nobody" : asset.id,
    }));
    const answer = await v4.request("POST", "/playlist-items", { body: items });
    expect([answer.status, answer.json.code]).toEqual([409, "23503"]);
    expect((await v4.get("/playlist-items?select=id")).json).toEqual([]);
  });
});

it("[V4-317] a database that is closed during a transaction finishes it first", async () => {
  const file = `${await temporaryFolder()}/content.db`;
  const database = openSqliteDatabase<ContentTables>(file);
  await migrate(database.kysely as never, "sqlite", contentMigrations);
  const insert = (name: string) => ({
    text: "INSERT INTO service_secrets (name, secret) VALUES (?, ?)",
    values: [name, "x"],
  });
  const written = database.write(async (run) => {
    await run(insert("a"));
    await atNextRound();
    await run(insert("b"));
  });
  await database.close();
  await written;
  const again = openSqliteDatabase<ContentTables>(file);
  const rows = await again.read({
    text: "SELECT name FROM service_secrets WHERE name IN ('a', 'b')",
    values: [],
  });
  await again.close();
  expect(rows).toHaveLength(2);
});
