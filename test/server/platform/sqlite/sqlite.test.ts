// Migrations: a store is upgraded step by step, and never downgraded.

import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const first = { id: 1, name: "a", sqlite: "CREATE TABLE a (x)" };
const second = { id: 2, name: "b", sqlite: "CREATE TABLE b (x)" };
const broken = {
  id: 2,
  name: "b",
  sqlite: "CREATE TABLE b (x); CREATE TABLE a (x)",
};

describe("a store", () => {
  it("runs each step once, a failing one not at all", async () => {
    const database = openSqlite(path.join(await temporaryFolder(), "x.db"));
    migrateSqlite(database, [first]);
    expect(() => migrateSqlite(database, [first, broken])).toThrow(
      "already exists",
    );
    migrateSqlite(database, [first, second]);
    const tables = database
      .prepare("SELECT name FROM sqlite_schema ORDER BY name")
      .pluck()
      .all();
    expect(tables).toEqual(["a", "b"]);
    database.close();
  });

  it("of a newer version is rejected", async () => {
    const database = openSqlite(path.join(await temporaryFolder(), "x.db"));
    migrateSqlite(database, [first, second]);
    expect(() => migrateSqlite(database, [first])).toThrow("newer version");
    database.close();
  });
});
