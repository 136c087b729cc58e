// Lists of version 3 that take too long: timed out on both databases, while other requests are served as usual.

import { expect, it, vi } from "vitest";
import { waitDeadlineMs } from "../../../../build/vitest/wait-deadline.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import { oneDatabase } from "../../../support/database/one-database.ts";
import { serveExpress } from "../../../support/http/serve-express.ts";
import { v3Alone } from "../../../support/content/v3-alone.ts";

/** A fraction of what the list takes, and many times what one row takes, on a new connection too. */
const statementMs = 50;
const playlists = 40;
const itemsOfEach = 6000;
const team = makeUlid(0);

async function serveLists(database: Database<ContentTables>): Promise<string> {
  const makeId = (): string => makeUlid(0);
  const router = v3Alone({ database, now: Date.now, makeId });
  return `${await serveExpress(router, () => team)}/v3`;
}

async function fill(database: Database<ContentTables>): Promise<void> {
  const { kind, kysely } = database;
  const names = { id: team, name: "Team", labelId: makeUlid(0) };
  await addTeam(kysely, { ...names, moment: 0 });
  const asset = { id: "A", team_id: team, title: "One", created_at: 0 };
  await kysely.insertInto("assets").values(asset).execute();
  const numbers = (most: number): string =>
    kind === "postgres"
      ? `SELECT generate_series(1, ${most}) AS n`
      : `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${most}) SELECT n FROM s`;
  await database.write(async (run) => {
    const execute = (text: string) => run({ text, values: [] });
    await execute(
      `INSERT INTO playlists (id, team_id, title, created_at)
        SELECT 'P' || n, '${team}', 'Playlist', 0 FROM (${numbers(playlists)}) p`,
    );
    await execute(
      `INSERT INTO playlist_items (id, team_id, playlist_id, asset_id, position, created_at)
        SELECT 'I' || n, '${team}', 'P' || (n % ${playlists} + 1), 'A', n, 0
        FROM (${numbers(playlists * itemsOfEach)}) i`,
    );
  });
}

eachDatabase(({ kind }) => {
  it("[V4-47] times out a list that takes too long, and serves others meanwhile", async () => {
    const open = await oneDatabase(kind);
    const filling = open();
    await fill(filling);
    const patient = await serveLists(filling);
    const complete = (await (await fetch(`${patient}/playlists`)).json()) as [];
    expect(complete).toHaveLength(playlists);
    const url = await serveLists(open({ statementMs }));
    const heavy = Array.from({ length: 4 }, () => fetch(`${url}/playlists/`));
    // On a busy machine it may need another try.
    const light = vi.waitFor(async () => {
      const answer = await fetch(`${url}/assets/A`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ title: "One" });
    }, waitDeadlineMs);
    for (const answer of await Promise.all(heavy)) {
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([
        503,
        "1",
      ]);
    }
    await light;
  });
});
