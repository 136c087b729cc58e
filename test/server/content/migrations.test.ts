// Migrating a database of an earlier version, with rows in it: up to date with everything still there.

import path from "node:path";
import { describe, expect, it } from "vitest";
import { contentMigrations } from "../../../server/content/migrations.ts";
import type { ContentTables } from "../../../server/content/tables.ts";
import type { Database } from "../../../server/platform/database/database.ts";
import { migrate } from "../../../server/platform/database/migrate.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../server/platform/sqlite/sqlite-database.ts";
import {
  eachContent,
  type Ground,
} from "../../support/content/each-content.ts";
import { makeUlid } from "../../support/database/each-database.ts";
import {
  contentKey,
  startContent,
} from "../../support/content/start-content.ts";

/** The tables before players, their playbacks and their notifications. */
const earlier = contentMigrations.filter(({ id }) => id < 3);

function open({ dataDir, databaseUrl }: Ground): Database<ContentTables> {
  return databaseUrl === undefined
    ? openSqliteDatabase<ContentTables>(path.join(dataDir, "content.db"))
    : openPostgres<ContentTables>(databaseUrl, { connections: 1 });
}

const ids = {
  ...{ team: makeUlid(0), label: makeUlid(0), screen: makeUlid(0) },
  ...{ asset: makeUlid(0), playlist: makeUlid(0), item: makeUlid(0) },
  app: makeUlid(0),
};

/** As the earlier version wrote them, in the order that their foreign keys require. */
async function fillAsBefore(database: Database<ContentTables>): Promise<void> {
  await migrate(database.kysely as never, database.kind, earlier);
  const { team, label, screen, asset, playlist, item, app } = ids;
  const rows: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    teams: { id: team, name: "Vitrine" },
    labels: {
      ...{ id: label, team_id: team, type: "all-screens" },
      ...{ name: "All Screens", human_name: "All Screens" },
    },
    screens: { id: screen, team_id: team, name: "Lobby" },
    assets: { id: asset, team_id: team, title: "Old", status: "finished" },
    playlists: { id: playlist, team_id: team, title: "Old list" },
    playlist_items: {
      ...{ id: item, team_id: team, playlist_id: playlist },
      ...{ asset_id: asset, duration: 7, position: 100_000 },
    },
    edge_apps: { id: app, team_id: team, name: "Old app" },
    edge_app_versions: {
      ...{ row_id: app, team_id: team, app_id: app, revision: 3 },
    },
  };
  for (const [table, row] of Object.entries(rows))
    await database.kysely
      .insertInto(table as "teams")
      .values({ ...row, created_at: 0 } as never)
      .execute();
}

describe("a database of an earlier version", () => {
  eachContent(({ ground }) => {
    it("keeps its rows, and accepts new ones", async () => {
      const place = await ground();
      const before = open(place);
      await fillAsBefore(before);
      await before.close();

      const { dataDir, databaseUrl } = place;
      const content = await startContent(dataDir, {
        ...{ databaseUrl, apiKey: contentKey },
      });
      expect(
        await content.rows(
          "/v4.1/playlists?select=id,title,playlist_items(duration,assets(title))",
        ),
      ).toEqual([
        {
          ...{ id: ids.playlist, title: "Old list" },
          playlist_items: [{ duration: 7, assets: { title: "Old" } }],
        },
      ]);
      const [screen] = await content.rows("/api/v3/screens/");
      expect(screen).toMatchObject({ id: ids.screen, name: "Lobby" });
      expect(await content.rows("/api/v3/playbacks")).toEqual([]);
      const reported = await content.request(
        `/api/v3/screens/${ids.screen}/commands`,
        {
          ...{ method: "POST", body: JSON.stringify({ kind: "screenshot" }) },
          headers: { "Content-Type": "application/json" },
        },
      );
      expect(reported.status).toBeLessThan(300);
      const revisions = "/v4.1/edge-apps/versions";
      await content.request(`${revisions}?app_id=eq.${ids.app}&revision=eq.3`, {
        method: "DELETE",
      });
      expect(await content.add(revisions, { app_id: ids.app })).toMatchObject([
        { revision: 4 },
      ]);
      await content.stop();

      // Nothing runs twice.
      const after = open(place);
      await migrate(after.kysely as never, after.kind, contentMigrations);
      const [row] = await after.read({
        ...{ text: "SELECT count(*) AS count FROM screen_commands" },
        values: [],
      });
      expect(Number(row?.["count"])).toBe(1);
      await after.close();
    });

    it("[L-40] [L-42] gives states to its screens, and moments to its commands", async () => {
      const database = open(await ground());
      const { kysely, kind } = database;
      const before = contentMigrations.filter(({ id }) => id < 10);
      await migrate(kysely as never, kind, before);
      const { team } = ids;
      const insert = (table: string, row: Readonly<Record<string, unknown>>) =>
        kysely
          .insertInto(table as "teams")
          .values({ ...row, created_at: 0 } as never)
          .execute();
      await insert("teams", { id: team, name: "Vitrine" });
      const screens = [
        { id: "A", status: "In Sync", last_ping: 7 },
        { id: "B", status: "Offline", last_ping: 8 },
        { id: "C", status: "Offline", last_ping: null },
      ];
      for (const screen of screens)
        await insert("screens", { ...screen, team_id: team });
      const command = { id: "D", screen_id: "A", kind: "reboot" };
      await insert("screen_commands", { ...command, team_id: team });
      await migrate(kysely as never, kind, contentMigrations);
      const rows = async (text: string) => database.read({ text, values: [] });
      const states = "SELECT * FROM screen_states ORDER BY screen_id";
      const unknown = { team_id: team, report: null, reported_at: null };
      expect(await rows(states)).toEqual([
        {
          ...{ ...unknown, screen_id: "A", state: "unverified", since: 7 },
          reason: "The player does not report what the screen shows.",
        },
        {
          ...{ ...unknown, screen_id: "B", state: "offline", since: 8 },
          reason: "The player does not respond.",
        },
      ]);
      expect(await rows("SELECT * FROM screen_commands")).toEqual([
        {
          ...{ ...command, team_id: team, created_at: 0, action_id: "D" },
          ...{ arguments: "{}", issued_by: "", state: "waiting", state_at: 0 },
          ...{ message: null, expires_at: 600_000 },
        },
      ]);
      expect(await rows("SELECT * FROM screen_outages")).toEqual([]);
      await database.close();
    });

    it("[L-50] [L-52] gives causes to its outages, and adds its playbacks up once it runs", async () => {
      const place = await ground();
      const before = open(place);
      await fillAsBefore(before);
      const { kysely, kind } = before;
      const known = contentMigrations.filter(({ id }) => id < 11);
      await migrate(kysely as never, kind, known);
      const { team, screen, asset } = ids;
      const moment = Date.now();
      const rows = (table: string, all: readonly object[]) =>
        kysely
          .insertInto(table as "teams")
          .values(all as never)
          .execute();
      await rows(
        "screen_outages",
        (["incomplete", "offline"] as const).map((state, at) => ({
          ...{ id: state, team_id: team, screen_id: screen, state },
          ...{ reason: "", started_at: moment, ended_at: moment + at },
        })),
      );
      await rows(
        "playbacks",
        Array.from({ length: 1000 }, (_, at) => ({
          ...{ id: String(at), team_id: team, player_id: "P" },
          ...{ playback_id: String(at), screen_id: screen, asset_id: asset },
          ...{ started_at: 1000 * at, ended_at: 1000 * at + 500 },
        })),
      );
      await before.close();

      const { dataDir, databaseUrl } = place;
      const content = await startContent(dataDir, {
        ...{ databaseUrl, apiKey: contentKey },
      });
      await expect
        .poll(() =>
          content.rows(
            "/api/v3/playbacks/report?from=1970-01-01&to=1970-01-02&by=day&by=asset",
          ),
        )
        .toEqual([
          {
            ...{ day: "1970-01-01", asset_id: asset, asset_title: "Old" },
            ...{ playbacks: 1000, duration_seconds: 500 },
          },
        ]);
      await content.stop();
      const after = open(place);
      const causes = await after.read({
        ...{ text: "SELECT id, cause FROM screen_outages ORDER BY id" },
        values: [],
      });
      expect(causes).toEqual([
        { id: "incomplete", cause: "content" },
        { id: "offline", cause: "unknown" },
      ]);
      await after.close();
    });

    it("is migrated once by several instances that start at once", async () => {
      const place = await ground();
      const before = open(place);
      await fillAsBefore(before);
      const several = [open(place), open(place), open(place)];
      const done = several.map(({ kysely, kind }) =>
        migrate(kysely as never, kind, contentMigrations),
      );
      await expect(Promise.all(done)).resolves.toHaveLength(3);
      for (const database of [before, ...several]) await database.close();
    });

    it("is migrated by the next start where a step broke off before it was recorded", async () => {
      const place = await ground();
      const before = open(place);
      await fillAsBefore(before);
      const { kysely, kind } = before;
      const broken = contentMigrations.map((step) => ({
        ...step,
        [kind]: `${step[kind]}; SELECT nothing FROM nowhere`,
      }));
      const known = earlier.length;
      const breaking = [...earlier, ...broken.slice(known)];
      await expect(migrate(kysely as never, kind, breaking)).rejects.toThrow();
      await migrate(kysely as never, kind, contentMigrations);
      await before.close();
    });
  });
});
