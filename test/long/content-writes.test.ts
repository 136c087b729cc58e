// Concurrent writers on two instances over one PostgreSQL, with occasional kills: acknowledged writes hold, compared with a model.

import { expect, it, onTestFailed } from "vitest";
import { eachContent } from "../support/content/each-content.ts";
import {
  serveContent,
  type ContentClient,
  type Row,
  type ServedContent,
} from "../support/content/start-content.ts";
import { createRandom } from "./kill/random.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const isLong = VITRINE_LONG === "1";
const maxWrites = isLong ? 2_000 : 100;
const writersAtOnce = 16;
/** One of the two is killed after this many writes or after this time, whichever comes first. */
const writesPerKill = isLong ? 250 : 50;
const killIntervalMs = 20_000;
const timeoutMs = 20 * 60_000;
/** Two instances and the test share the default connection limit of PostgreSQL; killed ones hold some for a moment. */
const env = { VITRINE_CONTENT_DATABASE_CONNECTIONS: "5" };

interface Item {
  readonly id: string;
  readonly playlist: string;
  readonly startedAt: number;
  readonly answeredAt: number;
}

/** The acknowledged state, and what a write without a response may have done. */
interface Model {
  /** Titles that an asset may have; null: it may be deleted. */
  readonly titles: Map<string, Set<string | null>>;
  readonly items: Map<string, Item>;
  /** Items whose deletion got no response. */
  readonly doubtful: Set<string>;
  readonly gone: Set<string>;
  /** `label playlist`. */
  readonly links: Map<string, Set<boolean>>;
}

/** Null without a response or with 503: the write may have been done or not. */
async function write(
  client: ContentClient,
  method: string,
  path: string,
  body?: unknown,
): Promise<readonly Row[] | null> {
  let status: number;
  let text: string;
  try {
    const answer = await client.request(path, {
      ...{ method, body: body === undefined ? null : JSON.stringify(body) },
      headers: {
        "Content-Type": "application/json",
        Prefer: "return=representation,resolution=merge-duplicates",
      },
    });
    [status, text] = [answer.status, await answer.text()];
  } catch {
    return null;
  }
  if (status === 503) return null;
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as readonly Row[];
}

eachContent(({ ground, kind }) => {
  it.runIf(kind === "postgres")(
    `[V4-308] ${maxWrites} concurrent writes on two instances match a model, even though instances are killed`,
    { timeout: timeoutMs },
    async () => {
      const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);
      onTestFailed(() =>
        console.error(`To see this again: VITRINE_SEED=${seed}`),
      );
      const random = createRandom(seed);
      const { dataDir, databaseUrl = "" } = await ground();
      const start = (): Promise<ServedContent> =>
        serveContent(dataDir, ["--database-url", databaseUrl], env);
      const instances = [await start(), await start()];
      const [first] = instances as [ServedContent, ServedContent];
      const ids = async (path: string, bodies: readonly object[]) =>
        (await first.add(`/v4/${path}`, bodies)).map(({ id }) => id);
      const several = [1, 2, 3, 4];
      const playlists = await ids(
        "playlists",
        several.map((at) => ({ title: `P${at}` })),
      );
      const labels = await ids(
        "labels",
        several.map((at) => ({ name: `L${at}` })),
      );
      const fixed = await ids(
        "assets",
        several.map((at) => ({ title: `A${at}` })),
      );

      const model: Model = {
        ...{ titles: new Map(), items: new Map(), doubtful: new Set() },
        ...{ gone: new Set(), links: new Map() },
      };
      /** One writer at a time holds an asset or a link; several may delete the same item concurrently. */
      const held = new Set<string>();
      const free = (all: Iterable<string>): string | null => {
        const left = [...all].filter((each) => !held.has(each));
        return left.length === 0 ? null : random.oneOf(left);
      };
      let count = 0;
      let unanswered = 0;
      let kills = 0;
      let tick = 0;
      const restart = { underWay: null as Promise<void> | null };

      async function addAsset(client: ContentClient): Promise<boolean> {
        const title = `T${(count += 1)}`;
        const rows = await write(client, "POST", "/v4/assets", { title });
        for (const { id } of rows ?? []) model.titles.set(id, new Set([title]));
        return rows !== null;
      }

      async function changeAsset(client: ContentClient): Promise<boolean> {
        const id = free(model.titles.keys());
        if (id === null) return addAsset(client);
        held.add(id);
        const title = random.below(5) === 0 ? null : `T${(count += 1)}`;
        const path = `/v4/assets?id=eq.${id}`;
        const rows =
          title === null
            ? await write(client, "DELETE", path)
            : await write(client, "PATCH", path, { title });
        const before = model.titles.get(id) ?? new Set();
        // A row that certainly exists is returned; the state of the others is unknown.
        if (rows === null) {
          before.add(title);
          // The database may still execute a killed instance's query for a moment.
          await restart.underWay;
        } else {
          if (rows.length === 0)
            expect([id, before.has(null)]).toEqual([id, true]);
          model.titles.set(id, new Set([rows.length === 0 ? null : title]));
        }
        held.delete(id);
        return rows !== null;
      }

      async function addItem(client: ContentClient): Promise<boolean> {
        const playlist = random.oneOf(playlists);
        const startedAt = (tick += 1);
        const rows = await write(client, "POST", "/v4/playlist-items", {
          ...{ playlist_id: playlist, asset_id: random.oneOf(fixed) },
        });
        for (const { id } of rows ?? [])
          model.items.set(id, {
            ...{ id, playlist, startedAt, answeredAt: (tick += 1) },
          });
        return rows !== null;
      }

      async function deleteItem(client: ContentClient): Promise<boolean> {
        const left = [...model.items.keys()].filter(
          (each) => !model.gone.has(each),
        );
        if (left.length < 20) return addItem(client);
        const id = random.oneOf(left.slice(-10));
        const path = `/v4/playlist-items?id=eq.${id}`;
        const rows = await write(client, "DELETE", path);
        if (rows === null) model.doubtful.add(id);
        else if (rows.length > 0) {
          // Acknowledged once only.
          expect([id, model.gone.has(id)]).toEqual([id, false]);
          model.gone.add(id);
        }
        return rows !== null;
      }

      async function link(client: ContentClient): Promise<boolean> {
        const pair = free(
          labels.flatMap((label) =>
            playlists.map((playlist) => `${label} ${playlist}`),
          ),
        );
        if (pair === null) return addAsset(client);
        held.add(pair);
        const [label_id = "", playlist_id = ""] = pair.split(" ");
        const isAdding = random.below(2) === 0;
        const path = "/v4/labels/playlists";
        const rows = isAdding
          ? await write(
              client,
              "POST",
              `${path}?on_conflict=label_id,playlist_id`,
              { label_id, playlist_id },
            )
          : await write(
              client,
              "DELETE",
              `${path}?label_id=eq.${label_id}&playlist_id=eq.${playlist_id}`,
            );
        const before = model.links.get(pair) ?? new Set([false]);
        if (rows === null) {
          model.links.set(pair, before.add(isAdding));
          await restart.underWay;
        } else model.links.set(pair, new Set([isAdding]));
        held.delete(pair);
        return rows !== null;
      }

      const actions = [
        ...[addAsset, changeAsset, changeAsset, addItem, addItem],
        ...[addItem, deleteItem, deleteItem, link, link],
      ];
      let begun = 0;
      async function killOne(): Promise<void> {
        const at = kills % 2;
        kills += 1;
        const { process: service } = instances[at] as ServedContent;
        const gone = new Promise((resolve) => service.once("exit", resolve));
        service.kill("SIGKILL");
        await gone;
        instances[at] = await start();
      }
      let killedAt = performance.now();
      let killedAfter = 0;
      async function writer(): Promise<void> {
        while (begun < maxWrites) {
          begun += 1;
          const isTime =
            begun - killedAfter >= writesPerKill ||
            performance.now() - killedAt >= killIntervalMs;
          if (isTime && restart.underWay === null) {
            [killedAt, killedAfter] = [performance.now(), begun];
            restart.underWay = killOne().finally(() => {
              restart.underWay = null;
            });
            restart.underWay.catch(() => undefined);
          }
          const client = instances[random.below(2)] as ServedContent;
          if (await random.oneOf(actions)(client)) continue;
          unanswered += 1;
          // A writer rejected by a starting instance waits until it has started.
          await restart.underWay;
        }
      }
      await Promise.all(Array.from({ length: writersAtOnce }, writer));
      await restart.underWay;
      expect(kills).toBeGreaterThan(0);

      const [one, other] = await Promise.all(
        instances.map((instance) => allRows(instance)),
      );
      expect(one).toEqual(other);
      assertAsModelled(one as Rows, model);
      console.info(
        `${maxWrites} writes, ${kills} kills, ${unanswered} without an answer, ${one?.items.length} items left; seed ${seed}`,
      );
    },
  );
});

interface Rows {
  readonly assets: readonly Row[];
  readonly items: readonly Row[];
  readonly links: readonly Row[];
}

async function allRows({ rows }: ContentClient): Promise<Rows> {
  return {
    assets: await rows("/v4/assets?select=id,title&order=id"),
    items: await rows(
      "/v4/playlist-items?select=id,playlist_id,position&order=playlist_id,position,id",
    ),
    links: await rows(
      "/v4/labels/playlists?select=label_id,playlist_id&order=label_id,playlist_id",
    ),
  };
}

function assertAsModelled(
  { assets, items, links }: Rows,
  { titles, items: known, doubtful, gone, links: linked }: Model,
): void {
  const titleOf = new Map(assets.map((row) => [row.id, row["title"]]));
  for (const [id, possible] of titles)
    expect([id, [...possible]]).toEqual([
      id,
      expect.arrayContaining([titleOf.get(id) ?? null]),
    ]);
  const positions = new Map(
    items.map((row) => [row.id, Number(row["position"])]),
  );
  for (const id of known.keys())
    if (!doubtful.has(id))
      expect([id, positions.has(id)]).toEqual([id, !gone.has(id)]);
  for (const id of gone) expect([id, positions.has(id)]).toEqual([id, false]);
  // Positions are unique, and an item added after a response has a later position.
  const places = items.map(
    (row) => `${String(row["playlist_id"])} ${String(row["position"])}`,
  );
  expect(new Set(places).size).toBe(places.length);
  const left = [...known.values()].filter(({ id }) => positions.has(id));
  for (const before of left)
    for (const after of left)
      if (
        before.playlist === after.playlist &&
        before.answeredAt < after.startedAt
      )
        expect(
          (positions.get(before.id) ?? 0) < (positions.get(after.id) ?? 0),
          `${before.id} before ${after.id}`,
        ).toBe(true);
  const there = new Set(
    links.map(
      (row) => `${String(row["label_id"])} ${String(row["playlist_id"])}`,
    ),
  );
  for (const [pair, possible] of linked)
    expect([pair, possible.has(there.has(pair))]).toEqual([pair, true]);
  // No link was created twice.
  expect(there.size).toBe(links.length);
}
