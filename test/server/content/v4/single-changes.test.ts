// Changes of single rows by version 4, each with its entry in the activity log: how many statements they take, and what they leave.

import { expect, it } from "vitest";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";
import { eachDatabase } from "../../../support/database/each-database.ts";

/** Names the methods that are called. */
function counting(
  database: Database<ContentTables>,
  called: string[],
): Database<ContentTables> {
  const { read, write, writeOne } = database;
  return {
    ...database,
    read: (statement) => {
      called.push("read");
      return read(statement);
    },
    write: (work) => {
      called.push("write");
      return write(work);
    },
    writeOne: (statement) => {
      called.push("writeOne");
      return writeOne(statement);
    },
  };
}

eachDatabase((database) => {
  it("[V4-388] a change and its entry are one statement on PostgreSQL and one transaction on SQLite, also of the same row again", async () => {
    const called: string[] = [];
    const v4 = await serveV4({
      ...database,
      open: async () => counting(await database.open(), called),
    });
    const lists = await v4.make("/playlists", [{ title: "A" }, { title: "B" }]);
    const ids = lists.map(({ id }) => id as string);
    const patch = async (id: string, body: object) => {
      called.length = 0;
      const path = `/playlists?id=eq.${id}`;
      const { status, text } = await v4.request("PATCH", path, { body });
      expect(status, text).toBe(204);
      return [...called];
    };
    const inOne = v4.database.kind === "postgres" ? ["writeOne"] : ["write"];
    // Whether a row that was changed elsewhere takes more depends on what else is under way in the database server.
    for (const id of ids) await patch(id, { title: "C" });
    for (const id of [...ids, ...ids]) {
      expect(await patch(id, { title: `D ${id}` })).toEqual(inOne);
      expect(await patch(id, { priority: true })).toEqual(inOne);
      expect(await patch(id, { priority: false, title: "E" })).toEqual(inOne);
    }
    const entries = await v4.database.kysely
      .selectFrom("service_activity")
      .select(["resource_id", "changes"])
      .where("what", "=", "changed")
      .execute();
    expect(entries).toHaveLength(14);
  });

  it("[V4-388] a row that is changed at the same time, in whatever way, keeps every change and has an entry for each", async () => {
    const v4 = await serveV4(database);
    const [{ id }] = await v4.make("/playlists", { title: "First" });
    const many = 15;
    const answers = await Promise.all(
      Array.from({ length: many }, (_, at) =>
        v4.request(
          "PATCH",
          `/playlists?id=${at % 2 ? "eq" : "in"}.${at % 2 ? id : `(${id})`}`,
          {
            body: {
              title: `Title ${at}`,
              ...(at % 3 === 0 && { predicate: "TRUE" }),
            },
          },
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(204));
    const entries = await v4.database.kysely
      .selectFrom("service_activity")
      .select(["changes"])
      .where("what", "=", "changed")
      .orderBy("id")
      .execute();
    const titles = entries.map(
      ({ changes }) =>
        (JSON.parse(changes) as { before: string; after: string }[])[0],
    );
    expect(titles.map((title) => title?.before)).toEqual([
      "First",
      ...titles.slice(0, -1).map((title) => title?.after),
    ]);
    const { json } = await v4.get(`/playlists?id=eq.${id}&select=title`);
    expect([json, titles]).toEqual([
      [{ title: titles.at(-1)?.after }],
      expect.objectContaining({ length: many }),
    ]);
  });
});
