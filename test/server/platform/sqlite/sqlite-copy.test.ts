// Database copies: a consistent snapshot; a foreign store is validated before it is used.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  adoptSqlite,
  copySqlite,
} from "../../../../server/platform/sqlite/sqlite-copy.ts";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const migrations = [
  { id: 1, name: "rows", sqlite: "CREATE TABLE rows (n INTEGER) STRICT" },
  { id: 2, name: "more", sqlite: "ALTER TABLE rows ADD COLUMN more TEXT" },
];
const count = "SELECT count(*) AS rows, min(n) AS least FROM rows";

describe("a copy", () => {
  it("is a snapshot of its start while rows are added and removed", async () => {
    const dir = await temporaryFolder();
    const database = openSqlite(path.join(dir, "live.db"));
    migrateSqlite(database, migrations);
    const insert = database.prepare("INSERT INTO rows (n) VALUES (?)");
    database.transaction(() => {
      for (let n = 0; n < 5000; n += 1) insert.run(n);
    })();
    const file = path.join(dir, "copy.db");
    const copying = copySqlite(database.name, file, {
      emptyTables: new Set(),
    });
    for (let n = 0; n < 5; n += 1) {
      await new Promise(setImmediate);
      database.exec(`DELETE FROM rows WHERE n < ${(n + 1) * 100}`);
      insert.run(-1);
    }
    await copying;
    database.close();
    const copy = openSqlite(file);
    expect(copy.prepare(count).get()).toEqual({ rows: 5000, least: 0 });
    expect(copy.pragma("user_version", { simple: true })).toBe(2);
    copy.close();
  });

  it("keeps integers beyond JavaScript's range, and leaves tables empty", async () => {
    const dir = await temporaryFolder();
    const database = openSqlite(path.join(dir, "live.db"));
    database.exec(`CREATE TABLE big (n INTEGER); CREATE TABLE secret (n);
      INSERT INTO big VALUES (9223372036854775807); INSERT INTO secret VALUES (1)`);
    const file = path.join(dir, "copy.db");
    await copySqlite(database.name, file, {
      emptyTables: new Set(["secret"]),
    });
    database.close();
    const copy = openSqlite(file);
    const text = copy.prepare("SELECT CAST(n AS TEXT) FROM big").pluck().get();
    expect(text).toBe("9223372036854775807");
    expect(copy.prepare("SELECT * FROM secret").all()).toEqual([]);
    copy.close();
  });
});

describe("a foreign store", () => {
  it("is migrated when it is valid and of this history", async () => {
    const file = path.join(await temporaryFolder(), "old.db");
    const old = openSqlite(file);
    migrateSqlite(old, migrations.slice(0, 1));
    old.exec("INSERT INTO rows VALUES (7)");
    old.close();
    adoptSqlite(file, migrations);
    const adopted = openSqlite(file);
    expect(adopted.prepare("SELECT * FROM rows").all()).toEqual([
      { n: 7, more: null },
    ]);
    adopted.close();
  });

  it.each([
    { title: "of another program", sql: "CREATE TABLE other (x)" },
    { title: "of a newer migration", sql: "PRAGMA user_version = 3" },
    { title: "of no migration", sql: "PRAGMA user_version = 0" },
  ])("is rejected when it is $title", async ({ sql }) => {
    const file = path.join(await temporaryFolder(), "bad.db");
    const bad = openSqlite(file);
    migrateSqlite(bad, migrations);
    bad.exec(sql);
    bad.close();
    const adopting = () => adoptSqlite(file, migrations);
    expect(adopting).toThrow(expect.objectContaining({ kind: "corrupt" }));
  });

  it("is rejected when it is not a database", async () => {
    const file = path.join(await temporaryFolder(), "bad.db");
    await writeFile(file, "x".repeat(5000));
    const adopting = () => adoptSqlite(file, migrations);
    expect(adopting).toThrow(expect.objectContaining({ kind: "corrupt" }));
  });
});
