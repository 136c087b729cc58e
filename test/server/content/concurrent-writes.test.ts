// Labels, screens, playlists and assets written through versions 3 and 4 at once: every request succeeds, without a deadlock.

import { randomInt } from "node:crypto";
import { expect, inject, it } from "vitest";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { retryUndone } from "../../../server/platform/database/database.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { eachContent } from "../../support/content/each-content.ts";
import { clientV3, type ClientV3 } from "../../support/content/each-v3.ts";
import { claimedPlayer } from "../../support/content/linked-player.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { makeDatabase } from "../../support/database/postgres.ts";
import {
  contentKey,
  startContent,
} from "../../support/content/start-content.ts";

const writesAtOnce = 16;
const rounds = process.env["VITRINE_LONG"] === "1" ? 100 : 4;

const one = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
const some = <T>(list: readonly T[]): readonly T[] =>
  list
    .map((item) => ({ item, at: randomInt(1_000_000) }))
    .filter(({ at }) => at % 3 > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

const named = (ids: readonly string[]) => ids.map((id) => ({ id }));

interface Ground {
  readonly groups: readonly string[];
  readonly screens: readonly string[];
  readonly playlists: readonly string[];
  readonly assets: readonly string[];
}

async function groundFor(client: ClientV3): Promise<Ground> {
  const ids = async (
    path: string,
    bodies: readonly object[],
  ): Promise<readonly string[]> =>
    (await client.add(`/v4.1/${path}?select=id`, bodies)).map(({ id }) => id);
  const several = [1, 2, 3, 4];
  const screens: string[] = [];
  for (const at of several)
    screens.push((await claimedPlayer(client, `Screen ${at}`)).screenId);
  return {
    screens,
    groups: await ids(
      "labels",
      several.map((at) => ({ name: `G${at}` })),
    ),
    playlists: await ids(
      "playlists",
      several.map((at) => ({ title: `P${at}` })),
    ),
    assets: await ids(
      "assets",
      several.map((at) => ({ title: `A${at}` })),
    ),
  };
}

/** A random write that touches rows which others touch. */
function writeOf({ groups, screens, playlists, assets }: Ground) {
  const merge = { Prefer: "resolution=merge-duplicates" };
  const links = some(groups).flatMap((label_id) =>
    some(screens).map((screen_id) => ({ label_id, screen_id })),
  );
  const items = some(assets).map((asset_id) => ({
    ...{ playlist_id: one(playlists), asset_id },
  }));
  const listed = (all: readonly string[]) => `in.(${all.join()})`;
  return one<() => readonly [string, string, unknown, Record<string, string>?]>(
    [
      () => [
        "PUT",
        `/groups/${one(groups)}/`,
        { screens: named(some(screens)) },
      ],
      () => [
        "PATCH",
        `/screens/${one(screens)}/`,
        { groups: named(some(groups)) },
      ],
      () => [
        "PATCH",
        `/screens/${one(screens)}/`,
        { name: `N${randomInt(9)}` },
      ],
      () => [
        "PATCH",
        `/playlists/${one(playlists)}/`,
        {
          groups: named(some(groups)),
          assets: some(assets).map((id) => ({
            id,
            duration: randomInt(1, 90),
          })),
        },
      ],
      () => [
        ...([
          "POST",
          "/v4.1/labels/screens?on_conflict=label_id,screen_id",
        ] as const),
        links.length > 0
          ? links
          : [{ label_id: groups[0], screen_id: screens[0] }],
        merge,
      ],
      () => [
        "DELETE",
        `/v4.1/labels/screens?label_id=${listed(groups)}&screen_id=${listed(screens.slice(randomInt(3)))}`,
        undefined,
      ],
      () => ["PATCH", `/v4.1/labels?id=${listed(groups)}`, { name: "Renamed" }],
      () => [
        "PATCH",
        `/v4.1/screens?id=${listed(screens.toReversed())}`,
        { location: "Hall" },
      ],
      () => ["POST", "/v4.1/playlist-items", items],
      () => [
        "DELETE",
        `/v4.1/playlist-items?playlist_id=eq.${one(playlists)}`,
        undefined,
      ],
      () => [
        "PATCH",
        `/v4.1/playlist-items?playlist_id=${listed(playlists)}`,
        { duration: randomInt(1, 90) },
      ],
    ],
  )();
}

eachContent(({ ground }) => {
  it("[V4-273] labels, screens and playlists are written through versions 3 and 4 at once, and none is rejected", async () => {
    const { dataDir, databaseUrl } = await ground();
    const [one, other] = await Promise.all([
      startContent(dataDir, { databaseUrl }),
      startContent(dataDir, { databaseUrl }),
    ]);
    const clients = [one, other].map(({ address }) =>
      clientV3(address, contentKey),
    ) as [ClientV3, ClientV3];
    const on = await groundFor(clients[0]);
    const failedWrites: string[] = [];
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        Array.from({ length: writesAtOnce }, async (_, at) => {
          const [method, path, body, headers] = writeOf(on);
          const client = clients[at % 2] as ClientV3;
          const { status, text } = await client.call(
            method,
            path,
            body,
            headers,
          );
          if (status >= 300)
            failedWrites.push(`${method} ${path} ${status} ${text}`);
        }),
      );
    expect(failedWrites).toEqual([]);
    if (databaseUrl === undefined) return;
    const secondConnection = openPostgres<never>(databaseUrl, {
      connections: 1,
    });
    afterThisTest(() => secondConnection.close());
    expect(
      await secondConnection.read({
        text: "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
        values: [],
      }),
    ).toEqual([{ deadlocks: 0 }]);
  });
});

const server = inject("postgresUrl");

it.skipIf(server === "")(
  "[V4-273] a conditional change of a group locks its screens before the group itself",
  async () => {
    const created = await makeDatabase(server);
    afterThisTest(created.drop);
    const { address } = await startContent(await temporaryFolder(), {
      databaseUrl: created.url,
    });
    const client = clientV3(address, contentKey);
    const { screenId } = await claimedPlayer(client, "Station");
    const { id } = await client.make("/groups/", {
      ...{ name: "Lobby", screens: named([screenId]) },
    });
    const path = `/groups/${id}/`;
    const tag = (await client.call("GET", path)).headers.get("etag") ?? "";
    const other = openPostgres<never>(created.url, { connections: 2 });
    const waiting = {
      text: "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      values: [],
    };
    // Another writer has the screen, and takes the group next.
    const change = await other.write(async (run) => {
      const locked = (table: string, row: unknown) =>
        run({
          text: `SELECT id FROM ${table} WHERE id = $1 FOR UPDATE NOWAIT`,
          values: [row],
        });
      await locked("screens", screenId);
      const change = client.call(
        ...(["PATCH", path, { screens: [] }, { "If-Match": tag }] as const),
      );
      await expect
        .poll(async () => Number((await other.read(waiting))[0]?.["n"]))
        .toBe(1);
      expect(await locked("labels", id)).toHaveLength(1);
      return { change };
    });
    expect((await change.change).status).toBe(200);
    await other.close();
  },
);

it.skipIf(server === "")(
  "[V4-273] a transaction that PostgreSQL aborted to end a deadlock is retried, and succeeds",
  async () => {
    const created = await makeDatabase(server);
    afterThisTest(created.drop);
    const database = openPostgres<never>(created.url, { connections: 2 });
    const execute = (text: string) => database.writeOne({ text, values: [] });
    await execute("CREATE TABLE pair (id int PRIMARY KEY, n int NOT NULL)");
    await execute("INSERT INTO pair VALUES (1, 0), (2, 0)");
    const both: [number, number] = [0, 0];
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const inOrder = (first: number, second: number, who: 0 | 1) =>
      database.write(async (run) => {
        const add = (id: number) =>
          run({
            text: "UPDATE pair SET n = n + 1 WHERE id = $1",
            values: [id],
          });
        await add(first);
        both[who] += 1;
        if (both[0] && both[1]) meet();
        await met;
        await add(second);
      });
    await Promise.all([inOrder(1, 2, 0), inOrder(2, 1, 1)]);
    // At least one of them, since a retried one may meet the other again.
    expect(both[0] + both[1]).toBeGreaterThan(2);
    expect(
      await database.read({ text: "SELECT n FROM pair", values: [] }),
    ).toEqual([{ n: 2 }, { n: 2 }]);
    const otherwise = retryUndone(() => Promise.reject(new Error("refused")));
    await expect(otherwise).rejects.toThrow("refused");
    await database.close();
  },
);
