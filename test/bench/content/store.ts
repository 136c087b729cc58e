// Databases to measure on: any number of finished assets in groups, of one team, written in one go.

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createKeys } from "../../../server/content/access/keys.ts";
import { contentMigrations } from "../../../server/content/migrations.ts";
import type { ContentTables } from "../../../server/content/tables.ts";
import { createUlids } from "../../../server/core/ulid.ts";
import type { Database } from "../../../server/platform/database/database.ts";
import { migrate } from "../../../server/platform/database/migrate.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../server/platform/sqlite/sqlite-database.ts";
import { contentKey } from "../../support/content/start-content.ts";

export interface FilledContent {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly team: string;
  readonly ids: readonly string[];
}

const groups = 20;
const rowsAtOnce = 500;

const makeUlid = createUlids((count) => randomBytes(count));
export const makeId = (): string => makeUlid(Date.now());

export function openContentDatabase(
  dataDir: string,
  databaseUrl: string | undefined,
): Database<ContentTables> {
  return databaseUrl === undefined
    ? openSqliteDatabase<ContentTables>(path.join(dataDir, "content.db"))
    : openPostgres<ContentTables>(databaseUrl);
}

export async function fillContent(
  dataDir: string,
  databaseUrl: string | undefined,
  count: number,
): Promise<FilledContent> {
  await mkdir(dataDir, { recursive: true });
  const database = openContentDatabase(dataDir, databaseUrl);
  const { kysely } = database;
  try {
    await migrate(kysely as never, database.kind, contentMigrations);
    const keys = createKeys({ database, makeId, now: Date.now });
    await keys.add({ name: "bench", team: "Bench", secret: contentKey });
    const { id: team } = await kysely
      .selectFrom("teams")
      .select("id")
      .executeTakeFirstOrThrow();
    const groupIds = Array.from({ length: groups }, makeId);
    await kysely
      .insertInto("asset_groups")
      .values(
        groupIds.map((id, at) => ({
          ...{
            id,
            team_id: team,
            title: `Group ${at}`,
            created_at: Date.now(),
          },
        })),
      )
      .execute();
    const ids = Array.from({ length: count }, makeId);
    for (let from = 0; from < count; from += rowsAtOnce)
      await kysely
        .insertInto("assets")
        .values(
          ids
            .slice(from, from + rowsAtOnce)
            .map((id, at) => assetRow(id, from + at, { team, groupIds })),
        )
        .execute();
    await fillPlaylists(database, team, ids);
    // As either database does by itself after a while.
    await database.write((query) => query({ text: "ANALYZE", values: [] }));
    return { dataDir, databaseUrl, team, ids };
  } finally {
    await database.close();
  }
}

export const playlistsFilled = 50;
const itemsOfEach = 10;

async function fillPlaylists(
  { kysely }: Database<ContentTables>,
  team: string,
  assets: readonly string[],
): Promise<void> {
  const own = { team_id: team, created_at: Date.now() };
  const lists = Array.from({ length: playlistsFilled }, makeId);
  await kysely
    .insertInto("playlists")
    .values(lists.map((id, at) => ({ ...own, id, title: `Playlist ${at}` })))
    .execute();
  await kysely
    .insertInto("playlist_items")
    .values(
      lists.flatMap((playlist_id, list) =>
        Array.from({ length: itemsOfEach }, (_, at) => ({
          ...{ ...own, id: makeId(), playlist_id, position: at * 100_000 },
          asset_id: assets[(list * itemsOfEach + at) % assets.length] ?? "",
        })),
      ),
    )
    .execute();
}

const types = ["image", "image", "video", "web"];

function assetRow(
  id: string,
  number: number,
  { team, groupIds }: { team: string; groupIds: readonly string[] },
) {
  const type = types[number % types.length] ?? "image";
  return {
    ...{ id, team_id: team, type, status: "finished", created_at: Date.now() },
    asset_group_id: groupIds[number % groupIds.length] ?? null,
    // Not in the order of creation.
    title: `Asset ${(number * 7919) % 1_000_003}`,
    ...{ width: 1920, height: 1080, md5: "0".repeat(32) },
    asset_url: type === "web" ? "https://example.org/" : `vitrine-file:${id}`,
    metadata: JSON.stringify({ floor: number % 9, tags: ["a", "b"] }),
  };
}
