// Shared flush: commits visible at once, acknowledged when they are on disk.

import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  createSharedFlush,
  type SharedFlush,
} from "../../../../server/platform/sqlite/shared-flush.ts";
import {
  openSqlite,
  type Sqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { temporaryFolder } from "../../../support/folder.ts";

/** SQLite's synchronous levels FULL and NORMAL. */
const [full, normal] = [2, 1];

async function opened(): Promise<{ database: Sqlite; flush: SharedFlush }> {
  const file = path.join(await temporaryFolder(), "a.db");
  const database = openSqlite(file);
  database.exec("CREATE TABLE words (word TEXT NOT NULL)");
  const flush = createSharedFlush(database);
  onTestFinished(async () => {
    await flush.stop();
    database.close();
  });
  return { database, flush };
}

const flushing = (database: Sqlite): unknown =>
  database.pragma("synchronous", { simple: true });

it("writes at once and returns what was written", async () => {
  const { database, flush } = await opened();
  const insert = database.prepare("INSERT INTO words VALUES (?)");
  const count = database.prepare("SELECT count(*) FROM words").pluck();
  const writes = Array.from({ length: 50 }, (_, number) =>
    flush.after(() => insert.run(`word ${number}`).changes),
  );
  expect(count.get()).toBe(50);
  expect(await Promise.all(writes)).toEqual(writes.map(() => 1));
});

it("lets every other commit flush by itself", async () => {
  const { database, flush } = await opened();
  let within: unknown;
  await flush.after(() => (within = flushing(database)));
  expect([within, flushing(database)]).toEqual([normal, full]);
});

it("passes on why a write failed, and continues as before", async () => {
  const { database, flush } = await opened();
  const refused = flush.after(() =>
    database.exec("INSERT INTO words VALUES (NULL)"),
  );
  await expect(refused).rejects.toThrow("NOT NULL");
  expect(flushing(database)).toBe(full);
  expect(await flush.after(() => "done")).toBe("done");
});

it("does not acknowledge while the write-ahead log cannot be flushed", async () => {
  const { database } = await opened();
  const nowhere = createSharedFlush({
    name: path.join(await temporaryFolder(), "nothing"),
    exec: database.exec.bind(database),
  });
  await expect(nowhere.after(() => 1)).rejects.toThrow("ENOENT");
});
