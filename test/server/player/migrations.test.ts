// Migrations of stores of older versions: filled as they were, checked as they are afterwards.

import { expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import { createLibrary } from "../../../server/player/library/library.ts";
import { playerMigrations } from "../../../server/player/migrations.ts";
import { createPlaylists } from "../../../server/player/playlists/playlists.ts";
import { afterThisTest } from "../../support/after-this-test.ts";

function storeOfStep(step: number): Sqlite {
  const database = openSqlite(":memory:");
  afterThisTest(async () => database.close());
  migrateSqlite(
    database,
    playerMigrations.filter(({ id }) => id <= step),
  );
  return database;
}

it("migrations run in order, each under its number", () => {
  const ids = playerMigrations.map(({ id }) => id);
  expect(ids).toEqual(ids.map((_id, index) => index + 1));
});

it("[V2-109] migrations give assets of step 4 the missing fields, with their defaults", () => {
  const database = storeOfStep(4);
  database.exec(`
    INSERT INTO files (hash, size_bytes, type) VALUES ('f', 3, 'image/png');
    INSERT INTO assets (id, name, uri, mimetype, starts_at, ends_at, duration_seconds, is_enabled, play_order, file_hash)
    VALUES ('a', 'Lobby', 'upload:0', 'image', 1, 2, 10, 1, 0, 'f')`);
  migrateSqlite(database, playerMigrations);
  const makeId = () => "x";
  const library = createLibrary({ database, makeId, now: () => 0 });
  expect(library.assets()).toMatchObject([
    {
      ...{ id: "a", name: "Lobby", hours: null, metadata: {} },
      ...{ isPlaylistOnly: false, web: { headers: {}, isRenderedHere: true } },
      presentation: { fit: null, volume: null, isMuted: false, rotation: 0 },
    },
  ]);
  const playlists = createPlaylists({ database, makeId, now: () => 0 });
  expect(playlists.all()).toEqual([]);
  expect(database.pragma("foreign_key_check")).toEqual([]);
});
