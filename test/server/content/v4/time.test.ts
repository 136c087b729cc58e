// Reads that would go on for hours: given up in time on both databases, while others are answered as ever.

import path from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { contentMigrations } from "../../../../server/content/migrations.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database.ts";
import { migrate } from "../../../../server/platform/migrate.ts";
import { openPostgres } from "../../../../server/platform/postgres.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite-database.ts";
import { eachDatabase } from "../../../support/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { makeDatabase } from "../../../support/postgres.ts";
import { serveV4 } from "../../../support/serve-v4.ts";

const statementMs = 700;
const assets = 300;
/** Each asset with all of its group, each of them with all of it again, and once more. */
const endless = `/assets?select=id${",asset_groups(assets(id".repeat(3)}${"))".repeat(3)}`;

async function openOnSqlite(): Promise<Database<ContentTables>> {
  const file = path.join(await temporaryFolder(), "content.db");
  return openSqliteDatabase<ContentTables>(file, { statementMs });
}

async function openOnPostgres(): Promise<Database<ContentTables>> {
  const made = await makeDatabase(inject("postgresUrl"));
  onTestFinished(made.drop);
  return openPostgres<ContentTables>(made.url, { statementMs });
}

eachDatabase(({ kind }) => {
  it("[V4-47] gives up a plain read that would never end, and answers others meanwhile", async () => {
    const open = async () => {
      const database = await (kind === "sqlite"
        ? openOnSqlite()
        : openOnPostgres());
      onTestFinished(() => database.close());
      await migrate(database.kysely as never, kind, contentMigrations);
      return database;
    };
    const v4 = await serveV4({ kind, open });
    const [group] = await v4.make("/asset-groups", { title: "All" });
    const many = Array.from({ length: assets }, (_, at) => ({
      ...{ title: `Asset ${at}`, asset_group_id: group.id },
    }));
    const [first] = await v4.make("/assets", many);
    const heavy = Array.from({ length: 4 }, () => v4.get(endless));
    const light = await v4.get(`/assets?id=eq.${first.id}&select=title`);
    expect(light.json).toEqual([{ title: "Asset 0" }]);
    for (const { status, json, headers } of await Promise.all(heavy)) {
      expect([status, json.code]).toEqual([503, "57014"]);
      expect(headers.get("Retry-After")).toBe("1");
    }
    const after = await v4.get("/assets?title=like.*99&select=count");
    expect(after.json).toEqual([{ count: 3 }]);
  });
});
